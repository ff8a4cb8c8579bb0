// What a test file has for all of its tests: opened while the file is loaded, closed after its tests.
import { afterAll } from "vitest";
import { startTestApp, type TestApp } from "./app.ts";
import { openTestStores, type TestStores } from "./databases/stores.ts";

export async function storesOfFile(): Promise<TestStores> {
  const stores = await openTestStores();
  afterAll(() => stores.close());
  return stores;
}

export async function appOfFile(environment?: Record<string, string>): Promise<TestApp> {
  const app = await startTestApp(environment);
  afterAll(() => app.stop());
  return app;
}
