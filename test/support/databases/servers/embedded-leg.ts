// The first leg: tests run on an embedded server of their own.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConnection } from "mysql2/promise";
import type { TestProject } from "vitest/node";
import { startEmbeddedDatabase } from "../../../../src/embedded-database/database.ts";
import { createTemplates } from "../templates.ts";

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), "pas-test-"));
  const embedded = await startEmbeddedDatabase({ dataDir, log: (line) => console.log(line) });
  const { socketPath, user } = embedded.connection;
  await waitLess({ socketPath, user });
  project.provide("databaseServer", { socketPath, user });
  const { migrated, prepared } = await createTemplates({ socketPath, user });
  project.provide("databaseTemplates", { migrated, prepared });
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
