// The leg of the hosted pages: a browser, and an embedded database server as in the first leg.
import type { TestProject } from "vitest/node";
import { setup as setUpDatabase } from "../databases/servers/embedded-leg.ts";
import { type BrowserName, provideBrowser } from "./provide.ts";

declare module "vitest" {
  interface ProvidedContext {
    browser: BrowserName;
    browserPath: string;
  }
}

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  project.provide("browserPath", await provideBrowser(project.getProvidedContext().browser));
  return setUpDatabase(project);
}
