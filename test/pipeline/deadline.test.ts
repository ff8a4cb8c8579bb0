// Deadlines reach the database: a call that waits there ends in time. Whether its write happens is unknown to the
// caller, but it happens wholly or not at all, and a later write loses nothing.
import { create, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { QuestionType } from "../../src/gen/assessment/v1/assessment_pb.ts";
import { SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { uuidToBytes } from "../../src/kernel/ids.ts";
import { addCaller } from "../support/app.ts";
import { lockRows } from "../support/databases/locks.ts";
import { appOfFile } from "../support/of-file.ts";
import { GrpcClient } from "../support/transports/grpc-client.ts";
import { callConnect } from "../support/transports/rpc-transport.ts";
import { callHeaders, flags, frame, frameTypes, openHttp2, send } from "../support/transports/wire/http2-frames.ts";
import { until } from "../support/until.ts";

const app = await appOfFile();
const rowOf = "SELECT id FROM sessions WHERE id = ? FOR UPDATE";

test("a write that waits for a row ends at the caller's deadline, and blocks no other call", async () => {
  const { token } = await addCaller(app);
  type Body = {
    readonly sessionId: string;
    readonly code?: string;
    readonly details?: { debug: { reason: string } }[];
  };
  const call = (rpc: string, message: object, more: Record<string, string> = {}) => {
    const whole = { product: "values-bridge", ...message };
    const headers = { authorization: `Bearer ${token}`, ...more };
    return callConnect<Body>(app.httpUrl, `SessionService/${rpc}`, whole, headers);
  };
  const { sessionId } = await call("CreateSession", {});
  const release = await lockRows(app.database, rowOf, [uuidToBytes(sessionId)]);
  const answers = [{ questionId: 1001, response: { type: "QUESTION_TYPE_LIKERT", value: 4 } }];
  const late = await call("RecordAnswers", { sessionId, answers }, { "connect-timeout-ms": "400" });
  expect(late.code).toBe("deadline_exceeded");
  expect(late.details?.[0]?.debug.reason).toBe("DEADLINE_EXCEEDED");
  expect(await call("CreateSession", {})).toHaveProperty("sessionId");
  await release();
  const others = answers.map((each) => ({ ...each, questionId: 1002 }));
  expect(await call("RecordAnswers", { sessionId, answers: others })).toMatchObject({ recorded: 1 });
  const select = "SELECT HEX(LEFT(answers, 2)) AS first FROM sessions WHERE id = ?";
  const [rows] = await app.database.connection.query(select, [uuidToBytes(sessionId)]);
  expect(rows).toEqual([{ first: expect.stringMatching(/^(00|05)05$/) }]);
});

test("over gRPC the service itself ends a call whose deadline passes, whatever its client does", async () => {
  const { token } = await addCaller(app);
  const authorization = `Bearer ${token}`;
  using client = new GrpcClient(app.grpcAddress);
  const product = "values-bridge";
  const { createSession, recordAnswers } = SessionService.method;
  const { sessionId } = await client.unary(createSession, { product }, { metadata: { authorization } });
  const release = await lockRows(app.database, rowOf, [uuidToBytes(sessionId)]);
  const answers = [{ questionId: 1001, response: { type: QuestionType.LIKERT, value: 4 } }];
  const message = toBinary(recordAnswers.input, create(recordAnswers.input, { product, sessionId, answers }));
  const requestId = crypto.randomUUID();
  const socket = await openHttp2(app.grpcAddress);
  const path = "/assessment.v1.SessionService/RecordAnswers";
  const more = { authorization, "grpc-timeout": "300m", "x-request-id": requestId };
  const block = callHeaders(path, Object.entries(more));
  const { data, headers } = frameTypes;
  const prefix = Buffer.of(0, 0, 0, 0, message.length);
  await send(socket, frame(headers, flags.endHeaders, 1, block));
  await send(socket, frame(data, flags.endStream, 1, Buffer.concat([prefix, message])));
  const isLogged = (text: string) => text.includes(requestId);
  await until(() => app.logLines.some(isLogged));
  const line = JSON.parse(app.logLines.find(isLogged) ?? "");
  expect(line).toMatchObject({ rpc: "SessionService/RecordAnswers", outcome: "deadline_exceeded" });
  // Without the caller's deadline it would be the 10 seconds that every call has.
  expect(line.ms).toBeLessThan(9_000);
  await release();
  socket.destroy();
});

test("a caller's deadline does not cancel work that others wait for: the signing keys are still read", async () => {
  const call = (headers: Record<string, string>) =>
    callConnect<{ code?: string; keys?: unknown[] }>(app.httpUrl, "TokenService/GetPublicKeys", {}, headers);
  const { connection } = app.database;
  await connection.query("LOCK TABLES signing_keys WRITE");
  const [hurried, patient] = [call({ "connect-timeout-ms": "300" }), call({})];
  expect(await hurried).toMatchObject({ code: "deadline_exceeded" });
  await connection.query("UNLOCK TABLES");
  expect((await patient).keys).toHaveLength(1);
});
