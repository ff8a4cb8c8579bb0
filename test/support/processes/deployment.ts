// The service in the deployment of the running leg: one process, or a core and a gateway of its own in front of it.
import { inject } from "vitest";
import { startTestApp, startTestGateway, type TestApp } from "../app.ts";
import { fetchToken } from "../databases/partners.ts";
import { freePort } from "./free-port.ts";

declare module "vitest" {
  interface ProvidedContext {
    deployment: "one process" | "core and gateway";
  }
}

/** Starts it, with the HTTP port of the gateway where there is one. */
export async function startDeployment(environment: Record<string, string> = {}): Promise<TestApp> {
  return inject("deployment") === "one process" ? startTestApp(environment) : startSplit(environment);
}

async function startSplit(overrides: Record<string, string>): Promise<TestApp> {
  const port = String(await freePort());
  const httpUrl = `http://127.0.0.1:${port}`;
  const environment = { PUBLIC_URL: httpUrl, ...overrides };
  const core = await startTestApp(environment, "core");
  const gateway = await startTestGateway(core, { environment: { HTTP_PORT: port, ...environment } });
  return {
    ...core,
    httpUrl,
    get logLines() {
      return [...core.logLines, ...gateway.logLines];
    },
    tokenOf: (credentials) => fetchToken(httpUrl, credentials),
    async stop() {
      await gateway.stop();
      await core.stop();
    },
  };
}
