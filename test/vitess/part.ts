// A program of Vitess, or etcd, as a process of its own.
import { join } from "node:path";
import { createConnection } from "mysql2/promise";
import { ServerProcess } from "../support/processes/server-process.ts";

/** @param folder for its log and its data. @param isReady whether it answers; may throw */
export function createPart(
  name: string,
  command: readonly string[],
  folder: string,
  isReady: () => Promise<boolean>,
): ServerProcess {
  return new ServerProcess({
    name,
    // Vitess refuses to be root. In a user namespace it is nobody, and may read what root may.
    command: ["unshare", "--user", ...command],
    logFile: join(folder, `${name}.log`),
    environment: { VTDATAROOT: folder },
    isReady,
  });
}

/** Whether a vtgate answers a statement. Throws where it does not. */
export async function answersSql(url: string): Promise<boolean> {
  const connection = await createConnection(url);
  await connection.query("SELECT 1 FROM DUAL");
  await connection.end();
  return true;
}
