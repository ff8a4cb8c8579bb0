// What a running service writes to its log of calls that were made: these lines with these fields, in milliseconds, and
// nothing of the people they are about.
import { expect, onTestFinished, test } from "vitest";
import { addCaller, type TestApp } from "../../support/app.ts";
import { Visitor } from "../../support/browser/visitor.ts";
import { someId } from "../../support/builders.ts";
import { sumOf } from "../../support/measures/series.ts";
import { appOfFile } from "../../support/of-file.ts";
import { gatewayOfTest } from "../../support/of-test.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { connectTransport, grpcTransport } from "../../support/transports/rpc-transport.ts";
import type { Transport } from "../../support/transports/transports.ts";
import { answer, bodyOf, fullAnswers, newSession } from "../cases/case.ts";

interface Line {
  readonly [field: string]: unknown;
  readonly msg: string;
  readonly ms: number;
}

const app = await appOfFile();

const ofEvery = ["level", "msg", "time", "version"];
const ofCall = [...ofEvery, "transport", "ms", "outcome", "requestId", "rpc"];
const ofRequest = [...ofEvery, "method", "ms", "requestId", "route", "status"];
/** Fields of what is written beside calls and requests; `err` as well if something failed. */
const ofOthers: Readonly<Record<string, readonly string[]>> = {
  job: [...ofEvery, "job", "ms", "outcome"],
  "audit anchor": [...ofEvery, "anchor"],
};
const fieldsOf = (line: object) => Object.keys(line).toSorted();

/** Part of all that is sent of a person, and by a partner, in what follows. */
const mark = "in-no-log";
const subject = { externalId: `person@${mark}.example` };

/** A session with what can be refused of it. @returns what no log may hold of it */
async function playThrough(transport: Transport, token: string): Promise<readonly string[]> {
  const as = { token };
  const { sessionId, assessment } = bodyOf(await transport.createSession(as, { subject, metadata: { order: mark } }));
  if (assessment === undefined) throw new Error("no assessment");
  await transport.recordAnswers(as, sessionId, { answers: [answer(1001, 4), answer(1, 4)] });
  bodyOf(await transport.completeSession(as, sessionId, { answers: fullAnswers({ assessment }) }));
  await transport.cancelSession(as, sessionId);
  bodyOf(await transport.getSessionResults(as, sessionId));
  await transport.getSession(as, someId());
  await transport.getSession({ token: `pas_at_${mark}` }, sessionId);
  bodyOf(await transport.eraseSubject(as, subject.externalId));
  await transport.close();
  return [sessionId, token];
}

/** The lines of that: level, rpc, outcome, and the fields beside those of every call. */
const played = [
  ["debug", "SessionService/CreateSession", "ok", "clientId", "partnerId"],
  ["info", "SessionService/RecordAnswers", "invalid_request", "clientId", "partnerId", "violation"],
  ["debug", "SessionService/CompleteSession", "ok", "clientId", "partnerId"],
  ["info", "SessionService/CancelSession", "session_completed", "clientId", "partnerId"],
  ["debug", "SessionService/GetSessionResults", "ok", "clientId", "partnerId"],
  ["info", "SessionService/GetSession", "not_found", "clientId", "partnerId"],
  ["info", "SessionService/GetSession", "unauthenticated"],
  ["debug", "SubjectService/EraseSubject", "ok", "clientId", "partnerId"],
];

/** Lines of calls as they stand in the table above, each with all fields that calls have. */
function callsIn(lines: readonly Line[]): unknown[][] {
  return lines
    .filter(({ msg }) => msg === "call")
    .map((line) => {
      const fields = fieldsOf(line);
      expect(fields).toEqual(expect.arrayContaining(ofCall));
      return [line.level, line.rpc, line.outcome, ...fields.filter((field) => !ofCall.includes(field))];
    });
}

/** The lines since; none of them holds a secret, and those of background work have their fields alone. */
function linesSince(start: number, secrets: readonly string[], { logLines }: Pick<TestApp, "logLines"> = app): Line[] {
  const text = logLines.slice(start).join("");
  expect([mark, ...secrets].filter((secret) => text.includes(secret))).toEqual([]);
  const lines = logLines.slice(start).map((line): Line => JSON.parse(line));
  const others = lines.filter(({ msg }) => msg !== "call" && msg !== "request");
  for (const { err: _, ...line } of others) expect(fieldsOf(line)).toEqual(ofOthers[line.msg]?.toSorted());
  return lines.filter((line) => !others.includes(line));
}

test.each([
  ["rest", () => restTransport(app.httpUrl)],
  ["connect", () => connectTransport(app.httpUrl, false)],
  ["grpc", () => grpcTransport(app.grpcAddress)],
] as const)(
  "each call over %s is one line: who called what, how it ended, and the milliseconds that metrics count as seconds",
  async (transport, open) => {
    const { token, partnerId, credentials } = await addCaller(app);
    const counted = () => sumOf(app.httpUrl, "pas_calls_seconds_sum", `transport="${transport}"`);
    const [start, before] = [app.logLines.length, await counted()];
    const secrets = await playThrough(open(), token);
    const lines = linesSince(start, secrets);
    expect(callsIn(lines)).toEqual(played);
    expect(lines).toHaveLength(played.length);
    expect(new Set(lines.map((line) => line.transport))).toEqual(new Set([transport]));
    expect(new Set(lines.map(({ requestId }) => requestId)).size).toBe(lines.length);
    const callers = new Set(lines.map(({ clientId, partnerId: of }) => `${clientId} ${of}`));
    expect(callers).toEqual(new Set([`${credentials.clientId} ${partnerId}`, "undefined undefined"]));
    expect(lines[1]?.violation).toEqual({ pointer: "#/answers/1/questionId", code: "unknown_question" });
    const ms = lines.reduce((sum, line) => sum + line.ms, 0);
    // Lines have tenths.
    expect(Math.abs(ms - 1000 * ((await counted()) - before))).toBeLessThan(0.05 * lines.length + 0.01);
  },
);

test("a gateway of its own and its core write one line each of a call, with the same request id", async () => {
  const gateway = await gatewayOfTest(app);
  const { token } = await addCaller(app);
  const starts = [app.logLines.length, gateway.logLines.length] as const;
  const secrets = await playThrough(restTransport(gateway.httpUrl), token);
  const outer = linesSince(starts[1], secrets, gateway);
  expect(callsIn(outer)).toEqual(played);
  // The gateway gets a token of its own with the first call, and asks for the caller of each.
  const inner = linesSince(starts[0], secrets).filter(({ rpc }) => rpc !== "TokenService/IssueToken");
  const introspection = ["debug", "TokenService/Introspect", "ok"];
  expect(callsIn(inner)).toEqual(
    played.flatMap((call) => (call.includes("unauthenticated") ? [introspection] : [introspection, call])),
  );
  const idsOf = (lines: readonly Line[]) => [...new Set(lines.map(({ requestId }) => requestId))];
  expect(idsOf(inner)).toEqual(idsOf(outer));
});

test("pages log a line for each call, and one for each request that is refused before or after it", async () => {
  const { token } = await addCaller(app);
  const rest = restTransport(app.httpUrl);
  onTestFinished(() => rest.close());
  const { assessment } = await newSession({ app, transport: rest, alice: { token }, bob: { token } });
  const request = { mode: "hosted", redirectUrl: `https://${mark}.example/`, subject } as const;
  const { sessionId, hostedUrl = "" } = bodyOf(await rest.createSession({ token }, request));
  const start = app.logLines.length;
  const visitor = new Visitor(app.httpUrl);
  const page = `${await visitor.open(hostedUrl)}/questions/1`;
  await visitor.get(`/hosted/${subject.externalId}`);
  await visitor.submit(page, { [`q-${assessment.questions[0]?.id}`]: "3", go: "next" });
  await visitor.post(page, { csrfToken: mark });
  await visitor.get(page.replace(/1$/, mark));
  await visitor.get(`/${mark}`);
  const secrets = [sessionId, hostedUrl.split("/").at(-1) ?? "", ...visitor.cookies.values()];
  const lines = linesSince(start, secrets);
  const read = ["debug", "HostedService/GetHostedSession", "ok"];
  expect(callsIn(lines)).toEqual([
    ["debug", "HostedService/ExchangeLink", "ok"],
    ["info", "HostedService/ExchangeLink", "not_found"],
    read,
    read,
    ["debug", "HostedService/SaveHostedAnswers", "ok"],
    read,
    read,
    read,
  ]);
  expect(new Set(lines.flatMap(({ msg, transport }) => (msg === "call" ? [transport] : [])))).toEqual(new Set(["web"]));
  const requests = lines.filter(({ msg }) => msg === "request");
  const pageRoute = "/hosted/sessions/:sessionId/questions/:page";
  expect(requests.map(({ level, method, route, status, code }) => [level, method, route, status, code])).toEqual([
    // Questions of the page are left.
    ["info", "POST", pageRoute, 422, undefined],
    ["info", "POST", pageRoute, 403, undefined],
    ["info", "GET", pageRoute, 404, undefined],
    ["info", "GET", "none", 404, "not_found"],
  ]);
  for (const { code, ...line } of requests) expect(fieldsOf(line)).toEqual(ofRequest.toSorted());
});
