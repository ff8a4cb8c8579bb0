// External ids that programs for analysis take for numbers, dates or missing values, and an export that has them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addCaller, type TestApp } from "../app.ts";

const numbers = ["007", "1e5", "0x1A", "-0", "12345678901234567890", "1.10", "+49"];
const missing = ["NA", "N/A", "#N/A", "null", "NULL", "nan", "NaN", "None", "-nan", "\\N"];
const others = ["TRUE", "T", "false", "2026-11-20", "1,5", " 7 ", "'7", '"7"', 'O"Neil, Zoë', "#7", "=1+1", "😀"];

/** Files have ids of one kind, for which a program may choose a type, or all of them. */
export const hostileFiles: readonly (readonly string[])[] = [
  numbers,
  missing,
  ["TRUE", "T", "false"],
  ["2026-11-20"],
  [...numbers, ...missing, ...others],
];

/** Writes the CSV files of a partner whose persons have some ids into a folder, as the guide on exports names them. */
export async function writeHostileExport(app: TestApp, folder: string, ids: readonly string[]): Promise<void> {
  const { token } = await addCaller(app);
  const headers = { authorization: `Bearer ${token}` };
  const url = `${app.httpUrl}/v1/values-bridge`;
  for (const externalId of ids) {
    const body = JSON.stringify({ subject: { externalId } });
    const json = { ...headers, "content-type": "application/json" };
    const { status } = await fetch(`${url}/sessions`, { method: "POST", headers: json, body });
    if (status !== 201) throw new Error(`${externalId} was answered ${status}`);
  }
  for (const name of ["sessions", "codebook"]) {
    const response = await fetch(`${url}/exports/${name}?format=csv`, { headers });
    writeFileSync(join(folder, `${name}.csv`), await response.text());
  }
}

/** The one sample of the guide on exports in a language. */
export function exportSample(language: "r" | "python"): string {
  const guide = readFileSync("docs/exports.md", "utf8");
  const samples = [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))];
  if (samples.length !== 1) throw new Error(`the guide has ${samples.length} samples of ${language}`);
  return samples[0]?.[1] ?? "";
}
