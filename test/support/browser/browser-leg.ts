// The leg of the hosted pages: a browser, and an embedded database server as in the first leg.
import type { TestProject } from "vitest/node";
import { setup as setUpDatabase } from "../databases/servers/embedded-leg.ts";
import { provideChromium } from "./chromium.ts";

declare module "vitest" {
  interface ProvidedContext {
    chromiumPath: string;
  }
}

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  project.provide("chromiumPath", await provideChromium((line) => console.log(line)));
  return setUpDatabase(project);
}
