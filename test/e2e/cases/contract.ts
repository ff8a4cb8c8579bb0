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
export interface Running {
  readonly app: TestApp;
  readonly gateway: Awaited<ReturnType<typeof startTestGateway>>;
  /** Holds answers to the OpenAPI document. */
  readonly checkAnswer: ReturnType<typeof answerChecker>;
  readonly callers: Pick<World, "alice" | "bob">;
}

export const restTransports: Transports = {
  REST: ({ app, checkAnswer }) => restTransport(app.httpUrl, checkAnswer),
  "REST through a gateway of its own": ({ gateway }) => restTransport(gateway.httpUrl),
};

export const rpcTransports: Transports = {
  gRPC: ({ app }) => grpcTransport(app.grpcAddress),
  "Connect with JSON": ({ app }) => connectTransport(app.httpUrl, false),
  "Connect with binary messages, reading by GET": ({ app }) => connectTransport(app.httpUrl, true, true),
};

/** Transports that most runs show the cases over in turn, since they differ from the others in their wire alone. */
const inTurn = Object.keys({ ...restTransports, ...rpcTransports }).filter((name) => !["REST", "gRPC"].includes(name));

function casesOver(transport: string): typeof allCases {
  const turn = inTurn.indexOf(transport);
  if (turn === -1 || inject("contract") === "over all") return allCases;
  return allCases.filter((_, index) => index % inTurn.length === turn);
}

export type Transports = Readonly<Record<string, (running: Running) => Transport>>;

/** Has the cases run over these transports, every one or in turn. @returns what runs, once the tests do */
export function testContract(transports: Transports): () => Running {
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

  const shown = Object.entries(transports).filter(([name]) => inject("contract") !== "over REST" || name === "REST");
  describe.each(shown)("over %s", (transportName, open) => {
    let transport: Transport;
    beforeAll(() => {
      transport = open(running);
    });
    afterAll(() => transport.close());

    for (const [name, run] of casesOver(transportName))
      test(name, () => run({ app: running.app, transport, ...running.callers }));
  });
  return () => running;
}
