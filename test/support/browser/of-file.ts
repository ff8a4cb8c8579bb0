// What a test file of pages has for all of its tests: opened while the file is loaded, closed after its tests.
import { afterAll } from "vitest";
import { closedAt } from "../closing.ts";
import { startDeployment } from "../processes/deployment.ts";
import { launchBrowser } from "./browser.ts";

export const deploymentOfFile = closedAt(afterAll, startDeployment);
export const browserOfFile = closedAt(afterAll, launchBrowser);
