// P01 and P03 through the whole service: each with an instrument of its own, published as its author publishes it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addCaller, startTestApp, type TestApp } from "../../support/app.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { connectTransport, grpcTransport } from "../../support/transports/rpc-transport.ts";
import type { Transport } from "../../support/transports/transports.ts";
import { instrumentSessions } from "../../values-bridge/quality/worked-instruments.ts";
import { answer, bodyOf } from "../cases/case.ts";

const byDefinition = Map.groupBy(instrumentSessions, ({ definition }) => definition);

describe.each([...byDefinition])("with $title", (definition, sessions) => {
  let app: TestApp;
  let token: string;
  beforeAll(async () => {
    app = await startTestApp();
    await app.publish(definition);
    ({ token } = await addCaller(app));
  });
  afterAll(() => app.stop());

  describe.each([
    ["REST", () => restTransport(app.httpUrl)],
    ["gRPC", () => grpcTransport(app.grpcAddress)],
    ["Connect", () => connectTransport(app.httpUrl, true)],
  ] as const)("over %s", (_name, open) => {
    let transport: Transport;
    beforeAll(() => {
      transport = open();
    });
    afterAll(() => transport.close());

    test.each(sessions)("$name: quality is what the worked case says", async ({ answers, wrongInQuality }) => {
      const { sessionId, assessment } = bodyOf(await transport.createSession({ token }, {}));
      const given = assessment?.questions.flatMap(({ id }, index) => {
        const rating = answers[index] ?? null;
        return rating === null ? [] : [answer(id, rating)];
      });
      expect(assessment?.questions).toHaveLength(answers.length);
      bodyOf(await transport.completeSession({ token }, sessionId, given));
      expect(wrongInQuality(bodyOf(await transport.getQuality({ token }, sessionId)).quality)).toEqual([]);
    });
  });
});
