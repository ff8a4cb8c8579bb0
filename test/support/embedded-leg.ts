// The first leg: tests run on an embedded server of their own.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbeddedDatabase } from "../../src/embedded-database/database.ts";

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), "pas-test-"));
  const embedded = await startEmbeddedDatabase({ dataDir, log: (line) => console.log(line) });
  const { socketPath, user } = embedded.connection;
  project.provide("databaseServer", { socketPath, user });
  return async () => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
