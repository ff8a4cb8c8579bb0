// A write that keeps losing to others is given up before its deadline, and has stored nothing.

import type { DescMethodUnary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/database/database.ts";
import { QuestionType } from "../../src/gen/assessment/v1/assessment_pb.ts";
import { SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { createAdmission } from "../../src/pipeline/limits/admission.ts";
import { createCore } from "../../src/process/core.ts";
import { createWebhookWiring } from "../../src/process/webhooks.ts";
import { createReportRenderer } from "../../src/products/values-bridge/report-rendering/renderer.ts";
import { createRenderingThread } from "../../src/products/values-bridge/report-rendering/thread.ts";
import { EventWatch } from "../../src/services/events/event-watch.ts";
import { createStores, type Stores } from "../../src/store/stores.ts";
import { addCaller } from "../support/app.ts";
import { testDependencies } from "../support/dependencies.ts";
import { appOfFile } from "../support/of-file.ts";
import { callCore } from "../support/transports/core-call.ts";

const app = await appOfFile();

test("a call that loses every race until shortly before its deadline ends in a conflict", async () => {
  const db = openDatabase({ address: app.database.address, poolSize: 2, warn: () => undefined });
  const stores = createStores(db);
  const bump = async (id: string) => {
    const hex = id.replaceAll("-", "");
    await app.database.connection.query("UPDATE sessions SET revision = revision + 1 WHERE id = UNHEX(?)", [hex]);
  };
  let attempts = 0;
  const racing: Stores = {
    ...stores,
    sessions: {
      ...stores.sessions,
      async saveAnswers(session, ...rest) {
        attempts += 1;
        await bump(session.id);
        return stores.sessions.saveAnswers(session, ...rest);
      },
    },
  };
  const config = readConfig({});
  const core = createCore({
    dependencies: testDependencies(racing),
    watch: new EventWatch(() => [{ name: "", events: racing.events }]),
    webhooks: createWebhookWiring([], []),
    admission: createAdmission(config),
    config,
    publicUrl: () => "http://service.example",
    observer: () => undefined,
    renderer: createReportRenderer(createRenderingThread()),
  });
  const { token } = await addCaller(app);
  const options = { timeoutMs: 1_000, header: { authorization: `Bearer ${token}` } };
  const call = (method: DescMethodUnary, message: object) =>
    callCore(core, method, { product: "values-bridge", ...message }, options);
  const created = await call(SessionService.method.createSession, {});
  const { sessionId } = created as unknown as { sessionId: string };
  const answers = [{ questionId: 1001, response: { type: QuestionType.LIKERT, value: 4 } }];
  await expect(call(SessionService.method.recordAnswers, { sessionId, answers })).rejects.toMatchObject({
    code: "conflict",
  });
  expect(attempts).toBeGreaterThan(3);
  const [rows] = await app.database.connection.query("SELECT LENGTH(answers) AS length FROM sessions");
  expect(rows).toEqual([{ length: 0 }]);
  await db.destroy();
});
