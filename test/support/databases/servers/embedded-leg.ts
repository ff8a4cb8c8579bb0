// The first leg: tests run on an embedded server of their own.
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConnection } from "mysql2/promise";
import type { TestProject } from "vitest/node";
import { startEmbeddedDatabase } from "../../../../src/database/embedded/database.ts";
import { createTemplates } from "../templates.ts";
import { isRunning, killServerOf } from "./embedded-server.ts";
import { makeOwnedFolder } from "./mysql97-root.ts";
import { provideTestServer } from "./test-server.ts";

const folderName = "pas_test";

/** Projects of one run share the server: the first brings it up, and it ends after all tests. */
export async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const run = vitest.getRootProject();
  if ("databaseServer" in run.getProvidedContext()) return;
  await endLeftovers();
  await provideTestServer((line) => console.log(line));
  const dataDir = await makeOwnedFolder(tmpdir(), folderName);
  const database = await startEmbeddedDatabase({ dataDir, log: (line) => console.log(line) });
  const { socketPath, user } = database.connection;
  await waitLess({ socketPath, user });
  run.provide("databaseServer", { socketPath, user });
  const { migrated, prepared } = await createTemplates({ socketPath, user });
  run.provide("databaseTemplates", { migrated, prepared });
  return async () => {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** Fewer waits for the disk: only a crash of the whole machine could tell, and data of tests would not be missed then. */
async function waitLess(server: { readonly socketPath: string; readonly user: string }): Promise<void> {
  const admin = await createConnection(server);
  await admin.query("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
  await admin.end();
}

/** Ends servers of runs that were killed, and removes their folders: they take memory. */
async function endLeftovers(): Promise<void> {
  for (const entry of await readdir(tmpdir())) {
    const [name, pid] = entry.split("-");
    if (name !== folderName || isRunning(Number(pid))) continue;
    const folder = join(tmpdir(), entry);
    await killServerOf(folder);
    await rm(folder, { recursive: true, force: true });
  }
}
