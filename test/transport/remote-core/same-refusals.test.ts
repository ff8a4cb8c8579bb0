// What is refused in one process is refused in two with the same bytes, whichever of the two finds the fault.
import { afterAll, beforeAll, expect, test } from "vitest";
import { addCaller, startTestApp, startTestGateway, type TestApp, type TestGateway } from "../../support/app.ts";

const nobody = "01900000-0000-7000-8000-000000000000";
const base = "/v1/values-bridge";
const likert = (questionId: number, value: number) => ({ questionId, response: { type: "likert", value } });
const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

let app: TestApp;
let gateway: TestGateway;
let tokens: Readonly<Record<string, string | undefined>>;
/** Ids of sessions: one that is open, one that is completed, and one of another partner. */
let sessions: Readonly<Record<"open" | "completed" | "foreign", string>>;
beforeAll(async () => {
  app = await startTestApp();
  gateway = await startTestGateway(app);
  const [caller, other] = [await addCaller(app), await addCaller(app)];
  const reader = await app.addClient(caller.partnerId, ["sessions:read"]);
  tokens = { caller: caller.token, reader: await app.tokenOf(reader), stranger: "nonsense", nobody: undefined };
  const create = async (token: string) => {
    const response = await send(app.httpUrl, { as: "caller", path: `${base}/sessions`, body: "{}", token });
    return (JSON.parse(response.body) as { sessionId: string }).sessionId;
  };
  const [open, completed, foreign] = [
    await create(caller.token),
    await create(caller.token),
    await create(other.token),
  ];
  const answers = JSON.stringify({ answers: [likert(1001, 4)] });
  await send(app.httpUrl, { as: "caller", path: `${base}/sessions/${completed}/complete`, body: answers });
  const key = { "idempotency-key": "used" };
  await send(app.httpUrl, { as: "caller", path: `${base}/sessions`, body: "{}", headers: key });
  sessions = { open, completed, foreign };
});
afterAll(async () => {
  await gateway.stop();
  await app.stop();
});

interface Request {
  readonly as: string;
  readonly path: string;
  readonly method?: string;
  /** Undefined: a GET. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
}

/** The status, the body, and those headers that say something of the refusal. */
async function send(url: string, { as, path, method, body, headers, token = tokens[as] }: Request) {
  const response = await fetch(url + path, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      "x-request-id": "the-same",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const names = [...response.headers.keys()].filter((name) => !["date", "ratelimit"].includes(name));
  const told = Object.fromEntries(names.toSorted().map((name) => [name, response.headers.get(name)]));
  return { status: response.status, headers: told, body: await response.text() };
}

const creation = (body: string, headers = {}): Request => ({ as: "caller", path: `${base}/sessions`, body, headers });
const recording = (session: keyof typeof sessions, answers: readonly unknown[]) => (): Request => ({
  as: "caller",
  path: `${base}/sessions/${sessions[session]}/answers`,
  body: JSON.stringify({ answers }),
});

test.each<[string, number, Request | (() => Request)]>([
  ["a call without a token", 401, { ...creation("{}"), as: "nobody" }],
  ["a call with a token that is not known", 401, { ...creation("{}"), as: "stranger" }],
  ["a call without the scope", 403, { ...creation("{}"), as: "reader" }],
  ["a call for a partner without the scope for it", 403, creation("{}", { "partner-id": nobody })],
  ["a bad body of a caller that is not known", 401, { ...creation("{"), as: "stranger" }],
  ["a body of 2 MiB of a caller without the scope", 403, { ...creation(" ".repeat(2 << 20)), as: "reader" }],
  ["an unknown product", 404, { ...creation("{}"), path: "/v1/none/sessions" }],
  ["a session that is not there", 404, { as: "caller", path: `${base}/sessions/${nobody}` }],
  ["an id that is none", 404, { as: "caller", path: `${base}/sessions/x` }],
  ["another partner's session", 404, () => ({ as: "caller", path: `${base}/sessions/${sessions.foreign}` })],
  ["results that are not there", 404, () => ({ as: "caller", path: `${base}/sessions/${sessions.open}/results` })],
  ["a person that is not there", 404, { as: "caller", path: `${base}/subjects/nobody/results` }],
  ["a version that is none", 422, { as: "caller", path: `${base}/assessment?version=0` }],
  ["a query parameter that is unknown", 422, { as: "caller", path: `${base}/assessment?x=1` }],
  ["no body", 422, { as: "caller", path: `${base}/sessions`, method: "POST" }],
  ["another media type", 415, creation("{}", { "content-type": "text/plain" })],
  ["a packed body", 415, creation("{}", { "content-encoding": "gzip" })],
  ["a body that is not JSON", 400, creation("{")],
  ["a body of invalid UTF-8", 400, { ...creation(""), body: Uint8Array.from([0x22, 0xff, 0x22]) }],
  ["a body of 2 MiB", 413, creation(" ".repeat(2 << 20))],
  ["400,000 levels in a subject", 422, creation(`{"subject": {"a": ${nested(400_000)}}}`)],
  ["17 levels in metadata", 422, creation(`{"metadata": {"a": ${nested(15)}}}`)],
  ["metadata of 900 kB", 422, creation(`{"metadata": {"a": "${"x".repeat(900_000)}"}}`)],
  ["an external id of half a character", 422, creation('{"subject": {"externalId": "\\ud800"}}')],
  ["an external id that is kept", 422, creation('{"subject": {"externalId": "anon_x"}}')],
  ["a hosted session without redirectUrl", 422, creation('{"mode": "hosted"}')],
  ["several faults", 422, creation('{"subject": {"externalId": ""}, "locale": "?", "mode": "hosted"}')],
  ["an ill-formed idempotency key", 422, creation("{}", { "idempotency-key": "" })],
  [
    "an idempotency key that was used",
    422,
    creation('{"subject": {"externalId": "x"}}', { "idempotency-key": "used" }),
  ],
  ["answers to questions that are not there", 422, recording("open", [likert(1, 4), likert(1001, 9)])],
  ["answers to a completed session", 409, recording("completed", [likert(1001, 1)])],
  [
    "completion without answers",
    422,
    () => ({ ...recording("open", [])(), path: `${base}/sessions/${sessions.open}/complete` }),
  ],
])("%s", async (_name, status, request) => {
  const sent = typeof request === "function" ? request() : request;
  const [one, two] = [await send(app.httpUrl, sent), await send(gateway.httpUrl, sent)];
  expect(one.status).toBe(status);
  expect(two).toEqual(one);
});
