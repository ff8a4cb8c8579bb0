// What REST answers have beside their body: status, headers, conditions.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addCaller, startTestApp, type TestApp } from "../support/app.ts";
import { appOfTest } from "../support/of-test.ts";
import { fetchOpenApi } from "../support/openapi.ts";
import { sendRaw } from "../support/transports/wire/raw-http.ts";

let app: TestApp;
let token: string;
let sessionId: string;
const base = "/v1/values-bridge";
beforeAll(async () => {
  app = await startTestApp();
  ({ token } = await addCaller(app));
  const created = (await (await send("POST", "/sessions", { body: {} })).json()) as {
    sessionId: string;
    assessment: { questions: { id: number }[] };
  };
  sessionId = created.sessionId;
  const answers = created.assessment.questions.map(({ id }, index) => ({
    questionId: id,
    response: { type: "likert", value: 1 + (index % 7) },
  }));
  await send("POST", `/sessions/${sessionId}/complete`, { body: { answers } });
});
afterAll(() => app.stop());

interface Options {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly as?: string;
}

function send(method: string, path: string, { body, headers = {}, as = token }: Options = {}): Promise<Response> {
  const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  return fetch(app.httpUrl + base + path, {
    method,
    headers: { authorization: `Bearer ${as}`, ...type, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

test("all addresses that REST returns have the path under which a proxy serves the service", async () => {
  const below = await appOfTest({ PUBLIC_URL: "https://example.com/assess/" });
  const headers = { authorization: `Bearer ${(await addCaller(below)).token}`, "content-type": "application/json" };
  const created = await fetch(`${below.httpUrl}${base}/sessions`, { method: "POST", headers, body: "{}" });
  const { sessionId: id } = (await created.json()) as { sessionId: string };
  expect(created.headers.get("location")).toBe(`/assess${base}/sessions/${id}`);
  const refused = (await (await fetch(`${below.httpUrl}/nowhere`)).json()) as { type: string };
  expect(refused.type).toBe("https://example.com/assess/problems/not_found");
  const broken = await sendRaw(below.httpUrl, "HELLO\r\n\r\n");
  expect(JSON.parse(broken.body).type).toBe("https://example.com/assess/problems/malformed_request");
  const { servers } = await fetchOpenApi(below.httpUrl);
  expect(servers).toEqual([{ url: "https://example.com/assess" }]);
  const docs = await fetch(`${below.httpUrl}/docs`);
  const addresses = [...(await docs.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, address = ""]) => new URL(address, `https://example.com/assess${new URL(docs.url).pathname}`).pathname,
  );
  expect(addresses.length).toBeGreaterThan(3);
  expect(addresses.filter((path) => !path.startsWith("/assess/"))).toEqual([]);
});

test("an idempotency key counts as the same with and without quotes, and a repeated response is marked as such", async () => {
  const key = crypto.randomUUID();
  const first = await send("POST", "/sessions", { body: {}, headers: { "idempotency-key": key } });
  const again = await send("POST", "/sessions", { body: {}, headers: { "idempotency-key": `"${key}"` } });
  expect(again.status).toBe(201);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(await again.text()).toBe(await first.text());
});

test("an empty idempotency key is refused", async () => {
  for (const key of ['""', ""]) {
    const response = await send("POST", "/sessions", { body: {}, headers: { "idempotency-key": key } });
    expect(response.status).toBe(422);
  }
});

describe.each([
  ["results", (): string => `/sessions/${sessionId}/results`, null],
  ["explained results", (): string => `/sessions/${sessionId}/results?explain=true`, null],
  ["the assessment", (): string => "/assessment", "private, max-age=300"],
] as const)("%s", (_name, path, cacheControl) => {
  test("the response has a strong entity tag, and is not sent again to a client that has it", async () => {
    const response = await send("GET", path());
    const etag = response.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(response.headers.get("cache-control")).toBe(cacheControl);
    for (const condition of [etag, `"other", ${etag}`, `W/${etag}`, "*"]) {
      const again = await send("GET", path(), { headers: { "if-none-match": condition } });
      expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    }
    expect((await send("GET", path(), { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  test("HEAD returns the headers alone", async () => {
    const response = await send("HEAD", path());
    const got = await send("GET", path());
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(response.headers.get("etag")).toBe(got.headers.get("etag"));
    expect(response.headers.get("content-length")).toBe(got.headers.get("content-length"));
  });
});

test.each(["0", "1.0", "", "1&version=2", "99999999999"])("the version %j is refused", async (version) => {
  const response = await send("GET", `/assessment?version=${version}`);
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([422, "invalid_request"]);
});

test("results with and without explanation are different representations", async () => {
  const read = async (query: string) => {
    const response = await send("GET", `/sessions/${sessionId}/results${query}`);
    return { etag: response.headers.get("etag") ?? "", text: await response.text() };
  };
  const plain = await read("");
  const explained = await read("?explain=true");
  expect(await read("?explain=false")).toEqual(plain);
  expect(explained.etag).not.toBe(plain.etag);
  expect(explained.text.startsWith(`${plain.text.slice(0, -1)},"explanation":{"explainsResults":true,`)).toBe(true);
  const headers = { "if-none-match": plain.etag };
  expect((await send("GET", `/sessions/${sessionId}/results?explain=true`, { headers })).status).toBe(200);
});

test.each([
  ["", "unknown_value", "must be one of: true, false."],
  ["True", "unknown_value", "must be one of: true, false."],
  ["true&explain=false", "too_many_items", "must be given once."],
])("the value %j of explain is refused", async (explain, code, rule) => {
  const response = await send("GET", `/sessions/${sessionId}/results?explain=${explain}`);
  const problem = (await response.json()) as { code: string; errors: unknown };
  expect([response.status, problem.code]).toEqual([422, "invalid_request"]);
  const detail = `The query parameter \`explain\` ${rule}`;
  expect(problem.errors).toEqual([{ pointer: "#", parameter: "explain", code, detail }]);
});

describe("unknown query parameters", () => {
  const none = "There are none here; remove them.";
  test.each([
    ["POST", "/sessions?dryRun=true", none],
    ["GET", () => `/sessions/${sessionId}?expand=answers`, "There are: include."],
    [
      "GET",
      () => `/sessions/${sessionId}/results?explain=true&explian=true`,
      "Did you mean `explain`? There are: explain, quality, include, locale.",
    ],
    ["DELETE", "/subjects/x?force=1", none],
    ["GET", "/assessment?Version=1", "Did you mean `version`? There are: version, locale, form."],
  ])("an unknown query parameter is refused: %s %s", async (method, path, detail) => {
    const body = method === "POST" ? { body: {} } : {};
    const response = await send(method, typeof path === "string" ? path : path(), body);
    expect(response.status).toBe(422);
    const words = new RegExp(`^There is no query parameter \`\\w+\` here\\. ${detail.replace("?", "\\?")}$`);
    expect(await response.json()).toMatchObject({
      code: "invalid_request",
      errors: [{ pointer: "#", code: "unknown_parameter", detail: expect.stringMatching(words) }],
    });
  });

  test("an unknown token is refused before an unknown query parameter", async () => {
    expect((await send("GET", "/assessment?x=1", { as: "nonsense" })).status).toBe(401);
  });
});

describe("unknown members of a subject", () => {
  const warningOf = async (subject: object) => {
    const response = await send("POST", "/sessions", { body: { subject } });
    return [response.status, response.headers.get("warning-unused")];
  };

  test.each(["external_id", "externalID", "external-id", "EXTERNAL_ID", "_externalid"])(
    "a session is refused if its subject has %s in place of externalId",
    async (name) => {
      for (const subject of [{ [name]: "user-1" }, { note: "x", externalId: "user-1", [name]: "user-1" }]) {
        const response = await send("POST", "/sessions", { body: { subject } });
        expect(response.status).toBe(422);
        const detail = "There is no such member here. Did you mean `externalId`?";
        const pointer = `#/subject/${name}`;
        expect(await response.json()).toMatchObject({
          detail: `${pointer}: ${detail}`,
          errors: [{ pointer, code: "unknown_member", detail }],
        });
      }
    },
  );

  test("a session is created despite other unknown members, and a header names the first ten of them", async () => {
    expect(await warningOf({ userId: "x", note: 1 })).toEqual([201, "/subject/userId, /subject/note"]);
    expect(await warningOf({ externalId: "user-1" })).toEqual([201, null]);
    expect(await warningOf({})).toEqual([201, null]);
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`m${index}`, index]));
    const [, named] = await warningOf(many);
    expect(String(named).split(", ")).toHaveLength(10);
  });

  test("the header that names unknown members cannot be broken out of by any name", async () => {
    const names = ["a, b", "a\r\nset-cookie: x=1", "ä~/", "x".repeat(5_000)];
    const [status, header] = await warningOf(Object.fromEntries(names.map((name) => [name, 1])));
    expect(status).toBe(201);
    expect(header).toBe(
      `/subject/a%2C%20b, /subject/a%0D%0Aset-cookie%3A%20x%3D1, /subject/%C3%A4~0~1, /subject/${"x".repeat(91)}`,
    );
  });
});

test("other methods on a known path are refused with those that are allowed", async () => {
  const cases = [
    ["PUT", "/sessions", "GET, HEAD, POST"],
    ["GET", `/sessions/${sessionId}/complete`, "POST"],
    ["DELETE", `/sessions/${sessionId}`, "GET, HEAD"],
    ["POST", "/subjects/x/results", "GET, HEAD"],
    ["PATCH", "/subjects/x", "DELETE"],
  ] as const;
  for (const [method, path, allow] of cases) {
    const response = await send(method, path, { as: "nobody" });
    expect([method, path, response.status, response.headers.get("allow")]).toEqual([method, path, 405, allow]);
    expect(((await response.json()) as { code: string }).code).toBe("method_not_allowed");
  }
});

test("every response names its request, by the caller's id if that is acceptable", async () => {
  const own = await send("GET", "/assessment", { headers: { "x-request-id": "my-request_1.2" } });
  expect(own.headers.get("x-request-id")).toBe("my-request_1.2");
  for (const bad of ["with space", "a".repeat(129), "ü"]) {
    const response = await send("GET", "/nowhere", { headers: { "x-request-id": bad } });
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  }
  const refused = await send("GET", "/assessment", { as: "nobody", headers: { "x-request-id": "r-1" } });
  expect(((await refused.json()) as { requestId: string }).requestId).toBe("r-1");
});

test("a completed session whose scoring failed has null results, and is scored later", async () => {
  const { connection } = app.database;
  const id = sessionId.replaceAll("-", "");
  const [rows] = await connection.query("SELECT results FROM sessions WHERE id = UNHEX(?)", [id]);
  const [{ results }] = rows as [{ results: Buffer }];
  await connection.query("UPDATE sessions SET results = NULL WHERE id = UNHEX(?)", [id]);
  expect((await send("GET", `/sessions/${sessionId}/results`)).status).toBe(404);
  const completed = await send("POST", `/sessions/${sessionId}/complete`);
  expect(await completed.json()).toEqual({ sessionId, status: "completed", results: null });
  await connection.query("UPDATE sessions SET results = ? WHERE id = UNHEX(?)", [results, id]);
  expect((await send("GET", `/sessions/${sessionId}/results`)).status).toBe(200);
});
