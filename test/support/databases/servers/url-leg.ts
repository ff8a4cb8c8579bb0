// The second leg: tests run on the server that TEST_DATABASE_URL names.
import type { TestProject } from "vitest/node";
import { createTemplates } from "../templates.ts";

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL;
  if (url === undefined) throw new Error("TEST_DATABASE_URL is not set");
  project.provide("databaseServer", { url });
  const { drop, ...statements } = await createTemplates({ url });
  project.provide("databaseTemplates", statements);
  return drop;
}
