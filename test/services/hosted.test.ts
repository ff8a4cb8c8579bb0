// HostedService over gRPC: a link opens one session, for answering and finishing, and for nothing else.
import { readFileSync } from "node:fs";
import { create, type DescField, type DescMessage, type DescMethodUnary, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { expect, onTestFinished, test } from "vitest";
import { QuestionType } from "../../src/gen/assessment/v1/assessment_pb.ts";
import { HostedService } from "../../src/gen/assessment/v1/hosted_service_pb.ts";
import { SessionService, SessionStatus } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { TokenService } from "../../src/gen/assessment/v1/token_service_pb.ts";
import { uuidToBytes } from "../../src/kernel/ids.ts";
import { addCaller } from "../support/app.ts";
import { bearer, refusal } from "../support/transports/grpc-client.ts";
import { peopleOfFile, startWithPeople } from "./service-with-people.ts";

const rpcs = HostedService.method;

const { app, partner, client, openHosted } = await peopleOfFile();

const likert = (questionId: number, value: number) => ({ questionId, response: { type: QuestionType.LIKERT, value } });

test.each([
  ["de", "de"],
  ["en", "en"],
  ["tlh", null],
  [undefined, null],
])("the answers to statements in the language %j are stored with the language %j", async (language, kept) => {
  const { sessionId, browserSessionToken } = await openHosted();
  const { assessment } = await partner.createHeadless();
  const answers = [likert(assessment?.questions[0]?.id ?? 0, 3)];
  const message = { sessionId, answers, ...(language === undefined ? {} : { language }) };
  await client.unary(rpcs.saveHostedAnswers, message, bearer(browserSessionToken));
  const sql = "SELECT shown_language FROM sessions WHERE id = ?";
  const [rows] = await app.database.connection.query(sql, [uuidToBytes(sessionId)]);
  expect(rows).toEqual([{ shown_language: kept }]);
});

test("a message of a browser session has at most 64 KiB, since a browser session is no partner", async () => {
  const { browserSessionToken } = await openHosted();
  const { saveHostedAnswers } = rpcs;
  const bytes = toBinary(saveHostedAnswers.input, create(saveHostedAnswers.input, { sessionId: "x".repeat(65_536) }));
  const { code } = await refusal(client.bytes(saveHostedAnswers, bytes, bearer(browserSessionToken)));
  expect(code).toBe(Code.ResourceExhausted);
});

test("a completed session is returned without statements and answers", async () => {
  const { sessionId, browserSessionToken } = await openHosted();
  await partner.record(sessionId, 1, 152);
  await partner.complete(sessionId, new Map());
  const session = await client.unary(rpcs.getHostedSession, { sessionId }, bearer(browserSessionToken));
  expect(session).toMatchObject({ status: SessionStatus.COMPLETED, sections: [] });
});

const calls = (sessionId: string): [DescMethodUnary, Record<string, unknown>][] => [
  [rpcs.getHostedSession, { sessionId }],
  [rpcs.saveHostedAnswers, { sessionId, answers: [likert(1001, 3)] }],
  [rpcs.finishHostedSession, { sessionId }],
  [rpcs.continueHostedSession, { sessionId }],
];

test("a token of a partner with every scope is refused, and so is the link itself", async () => {
  const { sessionId, linkToken } = await openHosted();
  const { token } = await addCaller(app);
  for (const [method, message] of calls(sessionId)) {
    for (const options of [bearer(token), bearer(linkToken), bearer("pas_hv_x"), {}]) {
      const error = await refusal(client.unary(method, message, options));
      expect([method.name, error.code]).toEqual([method.name, Code.Unauthenticated]);
    }
  }
});

test("a browser session opens no call of the partners", async () => {
  const { sessionId, browserSessionToken } = await openHosted();
  const message = { product: "values-bridge", sessionId };
  for (const method of SessionService.methods) {
    const error = await refusal(client.unary(method as DescMethodUnary, message, bearer(browserSessionToken)));
    expect([method.name, error.code]).toEqual([method.name, Code.Unauthenticated]);
  }
});

test("a browser session lasts as long as its link, and at least a day", async () => {
  const { linkToken, sessionId } = await openHosted();
  const hoursOf = async () => {
    const { expiresAt } = await client.unary(rpcs.exchangeLink, { linkToken });
    return (Number(expiresAt?.seconds) - Date.now() / 1000) / 3600;
  };
  expect(await hoursOf()).toBeCloseTo(7 * 24, 1);
  const sql = "UPDATE hosted_links SET expires_at = UTC_TIMESTAMP(3) + INTERVAL 1 MINUTE WHERE session_id = ?";
  await app.database.connection.query(sql, [uuidToBytes(sessionId)]);
  expect(await hoursOf()).toBeCloseTo(24, 1);
});

test("no response of the service can hold results", () => {
  const seen = new Set<DescMessage>();
  const browserSessionMessage = (message: DescMessage) => {
    if (seen.has(message)) return;
    seen.add(message);
    for (const field of message.fields as DescField[])
      if (field.message !== undefined) browserSessionMessage(field.message);
  };
  for (const { output } of HostedService.methods) browserSessionMessage(output);
  expect([...seen].map(({ name }) => name)).toContain("HostedStatement");
  const telling = [...seen].flatMap(({ name, fields }) => [name, ...fields.map((field) => field.name)]);
  expect(
    telling.filter((name) => /result|score|rank|gap|archetype|pairing|inverse|weight|value_id/i.test(name)),
  ).toEqual([]);
});

test("people who share an address open links and go on while guesses from it are refused, and a session that is over is no guess", async () => {
  const limited = await startWithPeople({ ADDRESS_RATE_LIMIT_PER_MINUTE: "5" });
  onTestFinished(() => limited.stop());
  const open = async () => {
    const { sessionId, browserSessionToken } = await limited.openHosted();
    return {
      sessionId,
      read: (token = browserSessionToken) => limited.client.unary(rpcs.getHostedSession, { sessionId }, bearer(token)),
    };
  };
  const [good, fresh, over] = [await open(), await open(), await open()];
  for (const each of [good, over]) expect((await each.read()).status).toBe(SessionStatus.IN_PROGRESS);
  await limited.client.unary(
    SessionService.method.createSessionLink,
    { product: "values-bridge", sessionId: over.sessionId },
    bearer(limited.partner.token),
  );
  const codeOf = async (read: Promise<unknown>) => (await refusal(read)).code;
  for (let count = 0; count < 6; count += 1) expect(await codeOf(over.read())).toBe(Code.Unauthenticated);
  for (let count = 0; count < 5; count += 1) expect(await codeOf(good.read("nonsense"))).toBe(Code.Unauthenticated);
  expect(await codeOf(good.read("nonsense"))).toBe(Code.ResourceExhausted);
  for (const each of [good, fresh]) expect((await each.read()).status).toBe(SessionStatus.IN_PROGRESS);
  for (const guess of ["nonsense", `pas_hl_${"0".repeat(71)}`]) {
    expect(await codeOf(limited.client.unary(rpcs.exchangeLink, { linkToken: guess }))).toBe(Code.ResourceExhausted);
  }
  const neverOpened = await open();
  expect((await neverOpened.read()).status).toBe(SessionStatus.IN_PROGRESS);
});

test("the check in the documentation distinguishes a valid return from all others", async () => {
  const guide = readFileSync("docs/hosted.md", "utf8");
  const example = /```js\n(.*?)```/s.exec(guide)?.[1] ?? "";
  expect(
    example
      .trim()
      .split("\n")
      .filter((line) => line !== ""),
  ).toHaveLength(8);
  const body = example
    .replace(/^import .*$/m, "")
    .replace("https://assess.example", app.httpUrl)
    .replace("export ", "");
  const make = new Function("createRemoteJWKSet", "jwtVerify", `${body}; return completedSession;`);
  const completedSession = make(createRemoteJWKSet, jwtVerify) as (url: string, partnerId: string) => Promise<string>;
  const { sessionId, browserSessionToken } = await openHosted();
  await partner.record(sessionId, 1, 152);
  const { returnUrl } = await client.unary(rpcs.finishHostedSession, { sessionId }, bearer(browserSessionToken));
  expect(await completedSession(returnUrl, partner.partnerId)).toBe(sessionId);
  await expect(completedSession(returnUrl, "another-partner")).rejects.toThrow();
  await expect(completedSession(`${partner.returnUrl}&status=completed`, partner.partnerId)).rejects.toThrow();
});

test("the public keys are those of the JWK set", async () => {
  const { keys } = await client.unary(TokenService.method.getPublicKeys, {});
  const response = await fetch(`${app.httpUrl}/.well-known/jwks.json`);
  expect(response.headers.get("cache-control")).toBe("public, max-age=300");
  const set = (await response.json()) as { keys: Record<string, string>[] };
  expect(set.keys).toEqual(
    keys.map(({ keyId, publicKey }) => ({
      kty: "OKP",
      crv: "Ed25519",
      x: Buffer.from(publicKey).toString("base64url"),
      kid: keyId,
      alg: "EdDSA",
      use: "sig",
    })),
  );
});
