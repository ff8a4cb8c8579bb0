// The contract over doors: the same cases, the same outcomes.
import { afterAll, beforeAll, describe, test } from "vitest";
import { addCaller, startTestApp, startTestGateway, type TestApp } from "../../support/app.ts";
import type { Door } from "../../support/doors/doors.ts";
import { restDoor } from "../../support/doors/rest-door.ts";
import { connectDoor, grpcDoor } from "../../support/doors/rpc-door.ts";
import { answerChecker, fetchOpenApi } from "../../support/openapi.ts";
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

export const restDoors: Doors = {
  REST: ({ app, checkAnswer }) => restDoor(app.httpUrl, checkAnswer),
  "REST through a gateway of its own": ({ gateway }) => restDoor(gateway.httpUrl),
};

export const rpcDoors: Doors = {
  gRPC: ({ app }) => grpcDoor(app.grpcAddress),
  "Connect with JSON": ({ app }) => connectDoor(app.httpUrl, false),
  "Connect with binary messages, reading by GET": ({ app }) => connectDoor(app.httpUrl, true, true),
};

export type Doors = Readonly<Record<string, (running: Running) => Door>>;

/** Has every case run over these doors. @returns what runs, once the tests do */
export function testContract(doors: Doors): () => Running {
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

  describe.each(Object.entries(doors))("over %s", (_name, open) => {
    let door: Door;
    beforeAll(() => {
      door = open(running);
    });
    afterAll(() => door.close());

    for (const { name, run } of allCases) test(name, () => run({ app: running.app, door, ...running.callers }));
  });
  return () => running;
}
