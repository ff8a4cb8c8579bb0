// Documents by Typst, from a template and data.
import { fileURLToPath } from "node:url";
import { type CompileDocArgs, NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler";

/** Bytes of a logo for templates. */
export type LogoBytes = readonly number[] | null;

export type Template = "report" | "circle" | "gaps" | "poster" | "card" | "team" | "check";

export type Typst = ReturnType<typeof createTypst>;

/** Number of later documents for which compiled parts stay cached. */
const maxCachedDocuments = 2;

/** A compiler with access to the templates and the fonts only. */
export function createTypst() {
  const workspace = fileURLToPath(new URL("./templates", import.meta.url));
  const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontPaths: [...fontFiles] }] });
  const make = <Made>(template: Template, data: object, by: (source: CompileDocArgs) => Made): Made => {
    try {
      // These calls return no document object, whose native memory would stay until garbage collection.
      return by({ mainFilePath: `${workspace}/${template}.typ`, inputs: { data: JSON.stringify(data) } });
    } catch (error) {
      // The compiler's error has its message in `code`.
      throw new Error(`${template}.typ: ${error instanceof Error ? Reflect.get(error, "code") : error}`, {
        cause: error,
      });
    } finally {
      compiler.evictCache(maxCachedDocuments);
    }
  };
  /** A PDF/UA-1. The same data gives the same bytes. @param data for `sys.inputs`, as JSON */
  const pdf = (template: Template, data: object): Uint8Array =>
    make(template, data, (source) => compiler.pdf(source, { pdfStandard: "ua-1" }));
  return {
    pdf,
    /** An SVG, with letters as shapes. */
    svg: (template: Template, data: object): string => make(template, data, (source) => compiler.plainSvg(source)),
    /** True if fonts have all characters of the text, and the logo can be decoded. */
    canShow(text: string, logo: LogoBytes = null): boolean {
      try {
        pdf("check", { text, logo });
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** The files of the font's two cuts. */
export const fontFiles = [
  resolveFontFile("400Regular/SourceSans3_400Regular.ttf"),
  resolveFontFile("600SemiBold/SourceSans3_600SemiBold.ttf"),
];

function resolveFontFile(path: string): string {
  return fileURLToPath(import.meta.resolve(`@expo-google-fonts/source-sans-3/${path}`));
}
