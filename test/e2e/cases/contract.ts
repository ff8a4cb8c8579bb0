// The contract over transports: the same cases, the same outcomes.
import { afterAll, beforeAll, describe, inject, test } from "vitest";
import { addCaller, startTestApp, startTestGateway, type TestApp } from "../../support/app.ts";
import { answerChecker, fetchOpenApi } from "../../support/openapi.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { connectTransport, grpcTransport } from "../../support/transports/rpc-transport.ts";
import type { Transport } from "../../support/transports/transports.ts";
import { allCases } from "./all.ts";
import type { World } from "./case.ts";

/** The service with a gateway of its own, and two callers. */
interface Running {
  readonly app: TestApp;
  readonly gateway: Awaited<ReturnType<typeof startTestGateway>>;
  /** Holds answers to the OpenAPI document. */
  readonly checkAnswer: ReturnType<typeof answerChecker>;
  readonly callers: Pick<World, "alice" | "bob">;
}

const transports = {
  REST: ({ app, checkAnswer }) => restTransport(app.httpUrl, checkAnswer),
  "REST through a gateway of its own": ({ gateway }) => restTransport(gateway.httpUrl),
  gRPC: ({ app }) => grpcTransport(app.grpcAddress),
  "Connect with JSON": ({ app }) => connectTransport(app.httpUrl, false),
  "Connect with binary messages": ({ app }) => connectTransport(app.httpUrl, true),
} satisfies Readonly<Record<string, (running: Running) => Transport>>;

/** Has every case run over these transports: in most runs over one of them in turn. */
export function testContract(...names: readonly (keyof typeof transports)[]): void {
  let running: Running;
  beforeAll(async () => {
    const app = await startTestApp();
    const gateway = await startTestGateway(app);
    const checkAnswer = answerChecker(await fetchOpenApi(app.httpUrl));
    const [alice, bob] = [await addCaller(app), await addCaller(app)];
    const callers = { alice: { token: alice.token }, bob: { token: bob.token } };
    running = { app, gateway, checkAnswer, callers };
  });
  afterAll(async () => {
    await running.gateway.stop();
    await running.app.stop();
  });

  describe.each(names.map((name, turn) => ({ name, turn })))("over $name", ({ name: transportName, turn }) => {
    let transport: Transport;
    beforeAll(() => {
      transport = transports[transportName](running);
    });
    afterAll(() => transport.close());

    const isShown = (index: number) => inject("contract") === "over all" || index % names.length === turn;
    for (const [name, run] of allCases.filter((_, index) => isShown(index))) {
      test(name, () => run({ app: running.app, transport, ...running.callers }));
    }
  });
}
