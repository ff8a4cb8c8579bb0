// Tests on two keyspaces and four shards: the vtgate that TEST_DATABASE_URL names, with the schema as `pas migrate` makes it.
import type { TestProject } from "vitest/node";
import { prepareDatabase } from "../../../../src/cli/migrate.ts";

export async function setup(project: TestProject): Promise<void> {
  const url = process.env.TEST_DATABASE_URL;
  if (url === undefined) throw new Error("TEST_DATABASE_URL is not set");
  await prepareDatabase({ say: () => undefined }, { url });
  project.provide("databaseServer", { url });
  project.provide("databaseTemplates", { migrated: [], prepared: [] });
}
