// When the certificates that a process shows expire.
import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";

/**
 * Milliseconds since 1970 at which each certificate expires; the first of a chain is the one that is shown. Rejects for a
 * file that cannot be read.
 * @param files PEM files, by what shows them; undefined for what shows none
 */
export async function certificateExpiries(
  files: Readonly<Record<string, string | undefined>>,
): Promise<Record<string, number>> {
  const expiries: Record<string, number> = {};
  for (const [name, file] of Object.entries(files)) {
    if (file !== undefined) expiries[name] = Date.parse(new X509Certificate(await readFile(file)).validTo);
  }
  return expiries;
}
