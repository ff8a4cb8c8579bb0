// A whole assessment over gRPC-Web; over the other transports the contract has it, case by case.
import { expect, test } from "vitest";
import { answer, bodyOf } from "../e2e/cases/case.ts";
import { addCaller } from "../support/app.ts";
import { appOfFile } from "../support/of-file.ts";
import { grpcWebTransport } from "../support/transports/rpc-transport.ts";
import { expectExact } from "./expect-exact.ts";

const app = await appOfFile();
const { token } = await addCaller(app);

test.each([
  ["JSON", false],
  ["binary messages", true],
])("an assessment over gRPC-Web with %s is created, answered, completed and scored", async (_, useBinaryFormat) => {
  const transport = grpcWebTransport(app.httpUrl, useBinaryFormat);
  const { sessionId, assessment } = bodyOf(await transport.createSession({ token }, { mode: "headless" }));
  if (assessment === undefined) throw new Error("no questions");
  const ratings = assessment.questions.map((_question, index) => 1 + (index % 7));
  const answers = assessment.questions.map(({ id }, index) => answer(id, ratings[index] ?? 0));
  expect(bodyOf(await transport.recordAnswers({ token }, sessionId, answers.slice(2))).recorded).toBe(150);
  expectExact(bodyOf(await transport.completeSession({ token }, sessionId, answers)).results, assessment, ratings);
  expectExact(bodyOf(await transport.getSessionResults({ token }, sessionId)).results, assessment, ratings);
});

test("every form of message that the service says it accepts is one of a test", async () => {
  const url = `${app.httpUrl}/assessment.v1.SessionService/CreateSession`;
  const { status, headers } = await fetch(url, {
    method: "POST",
    headers: { "content-type": "text/plain" },
    body: "x",
  });
  const accepted = (headers.get("accept-post") ?? "").split(", ");
  expect([status, accepted.toSorted()]).toEqual([
    415,
    ["application/grpc-web+json", "application/grpc-web+proto", "application/json", "application/proto"],
  ]);
});
