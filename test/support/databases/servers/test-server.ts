// Where a machine has no MariaDB, one is unpacked for all tests of a checkout, not one for each of their data folders.
import { join, resolve } from "node:path";
import { withLock } from "../../../../src/database/embedded/lock.ts";
import { provideServerProgram } from "../../../../src/database/embedded/program.ts";

const folder = resolve(".vitest");
/** Stands on the PATH of every test; where it is not there, the machine has a server. */
export const testServerFolder = join(folder, "mariadb");

export function provideTestServer(log: (line: string) => void): Promise<string> {
  return withLock(join(folder, "mariadb.lock"), () => provideServerProgram(folder, log));
}
