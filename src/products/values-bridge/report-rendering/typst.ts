// Documents by Typst: a template of this folder, and data; and their fonts.
import { fileURLToPath } from "node:url";
import { type CompileDocArgs, NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler";

/** Bytes of a logo as templates take them. */
export type LogoBytes = readonly number[] | null;

export type Template = "report" | "circle" | "gaps" | "poster" | "card" | "team" | "check";

export interface Typst {
  /** A PDF, made to PDF/UA-1. The same data give the same bytes. @param data for `sys.inputs`, as JSON */
  readonly pdf: (template: Template, data: object) => Uint8Array;
  /** The same as SVG, with letters as shapes. */
  readonly svg: (template: Template, data: object) => string;
  /** Whether fonts have a glyph for each letter of the text, and the logo can be decoded. */
  readonly canShow: (text: string, logo?: LogoBytes) => boolean;
}

/** Number of further documents for which compiled parts stay cached; templates stay as long as any are compiled. */
const maxCachedDocuments = 2;

/** A compiler with access to the templates and the given fonts only. */
export function createTypst(): Typst {
  const workspace = fileURLToPath(new URL("./templates", import.meta.url));
  const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontPaths: [...fontFiles] }] });
  const make = <Made>(template: Template, data: object, by: (source: CompileDocArgs) => Made): Made => {
    try {
      // By a call that gives no document: one would stay until JavaScript collects it, which does not know how large it is.
      return by({ mainFilePath: `${workspace}/${template}.typ`, inputs: { data: JSON.stringify(data) } });
    } catch (error) {
      // The compiler says what is wrong in the code of an error without a message.
      throw new Error(`${template}.typ: ${error instanceof Error ? Reflect.get(error, "code") : error}`, {
        cause: error,
      });
    } finally {
      compiler.evictCache(maxCachedDocuments);
    }
  };
  const pdf: Typst["pdf"] = (template, data) =>
    make(template, data, (source) => compiler.pdf(source, { pdfStandard: "ua-1" }));
  return {
    pdf,
    svg: (template, data) => make(template, data, (source) => compiler.plainSvg(source)),
    canShow(text, logo = null) {
      try {
        pdf("check", { text, logo });
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** The files of its two cuts. */
export const fontFiles = [
  resolveFontFile("400Regular/SourceSans3_400Regular.ttf"),
  resolveFontFile("600SemiBold/SourceSans3_600SemiBold.ttf"),
];

function resolveFontFile(path: string): string {
  return fileURLToPath(import.meta.resolve(`@expo-google-fonts/source-sans-3/${path}`));
}
