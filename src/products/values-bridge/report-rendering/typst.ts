// Documents by Typst: a template of this folder, and data; and the fonts of PDF and PNG.
import { fileURLToPath } from "node:url";
import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler";
import { pageTextWidth } from "../report/drawing/text-width.ts";
import type { Lettering } from "../report/svg/picture-svg.ts";

/** Bytes of a logo as templates take them. */
export type LogoBytes = readonly number[] | null;

export interface Typst {
  /** A PDF, made to PDF/UA-1. The same data give the same bytes. @param data for `sys.inputs`, as JSON */
  readonly pdf: (template: "report" | "page" | "check", data: object) => Uint8Array;
  /** Whether fonts have a glyph for each letter of the text, and the logo can be decoded. */
  readonly canShow: (text: string, logo?: LogoBytes) => boolean;
}

/** Number of further documents for which compiled parts stay cached; templates stay as long as any are compiled. */
const documentsKept = 2;

/** A compiler with access to the templates and the given fonts only. */
export function createTypst(): Typst {
  const workspace = fileURLToPath(new URL("./templates", import.meta.url));
  const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontPaths: [...fontFiles] }] });
  const pdf: Typst["pdf"] = (template, data) => {
    try {
      // By a call that gives no document: one would stay until JavaScript collects it, which does not know how large it is.
      const inputs = { data: JSON.stringify(data) };
      return compiler.pdf({ mainFilePath: `${workspace}/${template}.typ`, inputs }, { pdfStandard: "ua-1" });
    } catch (error) {
      // The compiler says what is wrong in the code of an error without a message.
      throw new Error(`${template}.typ: ${error instanceof Error ? Reflect.get(error, "code") : error}`, {
        cause: error,
      });
    } finally {
      compiler.evictCache(documentsKept);
    }
  };
  return {
    pdf,
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
  fontFile("400Regular/SourceSans3_400Regular.ttf"),
  fontFile("600SemiBold/SourceSans3_600SemiBold.ttf"),
];

/** The widths of letters on pages are upper bounds; of words, no more than these shares are used. */
const shares = { regular: 0.95, bold: 0.975 } as const;

/** What drawings are lettered with; letters that the font lacks, with what fonts the system has. */
export const printLettering: Lettering = {
  family: '"Source Sans 3"',
  width: (text, size, bold) => pageTextWidth(text, size, bold) * (bold ? shares.bold : shares.regular),
};

function fontFile(path: string): string {
  return fileURLToPath(import.meta.resolve(`@expo-google-fonts/source-sans-3/${path}`));
}
