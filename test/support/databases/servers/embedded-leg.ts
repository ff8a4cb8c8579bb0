// The first leg: tests run on an embedded server of their own.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConnection } from "mysql2/promise";
import type { TestProject } from "vitest/node";
import { startEmbeddedDatabase } from "../../../../src/database/embedded/database.ts";
import { createTemplates } from "../templates.ts";

/** Projects of one run share the server: the first brings it up, and it ends after all tests. */
export async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const run = vitest.getRootProject();
  if ("databaseServer" in run.getProvidedContext()) return;
  const dataDir = await mkdtemp(join(tmpdir(), "pas-test-"));
  const embedded = await startEmbeddedDatabase({ dataDir, log: (line) => console.log(line) });
  const { socketPath, user } = embedded.connection;
  await waitLess({ socketPath, user });
  run.provide("databaseServer", { socketPath, user });
  const { migrated, prepared } = await createTemplates({ socketPath, user });
  run.provide("databaseTemplates", { migrated, prepared });
  return async () => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** Fewer waits for the disk: only a crash of the whole machine could tell, and data of tests would not be missed then. */
async function waitLess(server: { readonly socketPath: string; readonly user: string }): Promise<void> {
  const admin = await createConnection(server);
  await admin.query("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
  await admin.end();
}
