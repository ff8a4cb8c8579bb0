// A write that keeps losing to others is given up before its deadline, and has stored nothing.
import type { DescMethodUnary } from "@bufbuild/protobuf";
import { Code, type ConnectError, createContextValues } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { callOrigin } from "../../src/contract/call-origin.ts";
import { createAdmission, createCore } from "../../src/core.ts";
import { QuestionType } from "../../src/gen/assessment/v1/assessment_pb.ts";
import { SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { ErrorInfoSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { openDatabase } from "../../src/store/database.ts";
import { createStores, type Stores } from "../../src/store/stores.ts";
import { addCaller, startTestApp, type TestApp } from "../support/app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test("losing every race until the deadline is near is a conflict", async () => {
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
      async saveAnswers(id, ...rest) {
        attempts += 1;
        await bump(id);
        return stores.sessions.saveAnswers(id, ...rest);
      },
    },
  };
  const config = readConfig({});
  const transport = createCore({
    stores: racing,
    admission: createAdmission(config),
    config,
    publicUrl: () => "http://service.example",
    observer: () => undefined,
    reportDefect: () => undefined,
  });
  const { token } = await addCaller(app);
  const origin = {
    door: "internal",
    address: "127.0.0.1",
    requestId: "r",
    traceparent: undefined,
    isTrusted: false,
  } as const;
  const call = (method: DescMethodUnary, message: object) =>
    transport.unary(
      method,
      undefined,
      1_000,
      { authorization: `Bearer ${token}` },
      { product: "values-bridge", ...message },
      createContextValues().set(callOrigin, origin),
    );
  const created = await call(SessionService.method.createSession, {});
  const { sessionId } = created.message as unknown as { sessionId: string };
  const answers = [{ questionId: 1001, response: { type: QuestionType.LIKERT, value: 4 } }];
  const error: ConnectError = await call(SessionService.method.recordAnswers, { sessionId, answers }).then(
    () => Promise.reject(new Error("the write won")),
    (thrown) => thrown,
  );
  expect(error.code).toBe(Code.Aborted);
  expect(error.findDetails(ErrorInfoSchema)).toMatchObject([{ reason: "CONFLICT" }]);
  expect(attempts).toBeGreaterThan(3);
  const [rows] = await app.database.connection.query("SELECT LENGTH(answers) AS length FROM sessions");
  expect(rows).toEqual([{ length: 0 }]);
  await db.destroy();
});
