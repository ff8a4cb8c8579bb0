// Documents by Typst: a template of this folder, and data.
import { fileURLToPath } from "node:url";
import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler";
import { fontFiles } from "./fonts.ts";

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
