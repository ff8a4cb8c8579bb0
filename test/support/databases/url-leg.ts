// The second leg: tests run on the server that TEST_DATABASE_URL names.
import type { TestProject } from "vitest/node";

export function setup(project: TestProject): void {
  const url = process.env.TEST_DATABASE_URL;
  if (url === undefined) throw new Error("TEST_DATABASE_URL is not set");
  project.provide("databaseServer", { url });
}
