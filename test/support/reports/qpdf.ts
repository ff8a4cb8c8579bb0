// An independent reader of PDF files.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What `qpdf --check` says of a file, and whether it found fault. */
export async function checkPdf(
  qpdf: string,
  pdf: Uint8Array,
): Promise<{ readonly code: number; readonly said: string }> {
  return run(qpdf, pdf, (file) => ["--check", file]);
}

/** The file with nothing packed or compressed. */
export async function unpackedPdf(qpdf: string, pdf: Uint8Array): Promise<string> {
  return (await run(qpdf, pdf, (file) => ["--qdf", "--object-streams=disable", file, "-"])).said;
}

async function run(qpdf: string, pdf: Uint8Array, args: (file: string) => string[]) {
  const folder = await mkdtemp(join(tmpdir(), "pas-qpdf-"));
  try {
    const file = join(folder, "report.pdf");
    await writeFile(file, pdf);
    const child = spawn(qpdf, args(file));
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("latin1").on("data", (text: string) => {
        output += text;
      });
    }
    const [code] = (await once(child, "close")) as [number];
    return { code, said: output };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
