// What one test has for itself alone: closed when it is over.
import { onTestFinished } from "vitest";
import { startTestApp, startTestGateway, type TestApp, type TestGateway } from "./app.ts";

export async function appOfTest(...options: Parameters<typeof startTestApp>): Promise<TestApp> {
  const app = await startTestApp(...options);
  onTestFinished(() => app.stop());
  return app;
}

export async function gatewayOfTest(...options: Parameters<typeof startTestGateway>): Promise<TestGateway> {
  const gateway = await startTestGateway(...options);
  onTestFinished(() => gateway.stop());
  return gateway;
}
