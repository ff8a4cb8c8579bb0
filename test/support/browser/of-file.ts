// What a test file of pages has for all of its tests: opened while the file is loaded, closed after its tests.
import type { Browser } from "playwright-core";
import { afterAll } from "vitest";
import type { TestApp } from "../app.ts";
import { startDeployment } from "../processes/deployment.ts";
import { launchBrowser } from "./browser.ts";
import { addHostedPartner, type TestPartner } from "./hosted.ts";

export async function deploymentOfFile(environment?: Record<string, string>): Promise<TestApp> {
  const app = await startDeployment(environment);
  afterAll(() => app.stop());
  return app;
}

export async function partnerOfFile(...caller: Parameters<typeof addHostedPartner>): Promise<TestPartner> {
  const partner = await addHostedPartner(...caller);
  afterAll(() => partner.close());
  return partner;
}

export async function browserOfFile(...flags: string[]): Promise<Browser> {
  const browser = await launchBrowser(...flags);
  afterAll(() => browser.close());
  return browser;
}
