// What REST answers have beside their body: status, headers, conditions.
import { describe, expect, test } from "vitest";
import { addCaller } from "../support/app.ts";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { dump } from "../support/databases/dump.ts";
import { appOfFile } from "../support/of-file.ts";
import { appOfTest } from "../support/of-test.ts";
import { fetchOpenApi } from "../support/openapi.ts";
import { sendRaw } from "../support/transports/wire/raw-http.ts";

const base = "/v1/values-bridge";
const app = await appOfFile();
const partner = await addHostedPartner(app);
const sessionId = await partner.createScored();

interface Options {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly as?: string;
}

function send(
  method: string,
  path: string,
  { body, headers = {}, as = partner.token }: Options = {},
): Promise<Response> {
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
  const refusal = (await (await fetch(`${below.httpUrl}/nowhere`)).json()) as { type: string };
  expect(refusal.type).toBe("https://example.com/assess/problems/not_found");
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

describe.each([
  ["results", `/sessions/${sessionId}/results`, null],
  ["explained results", `/sessions/${sessionId}/results?explain=true`, null],
  ["the assessment", "/assessment", "private, max-age=300"],
] as const)("%s", (_name, path, cacheControl) => {
  test("the response has a strong entity tag, and is not sent again to a client that has it", async () => {
    const response = await send("GET", path);
    const etag = response.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(response.headers.get("cache-control")).toBe(cacheControl);
    for (const condition of [etag, `"other", ${etag}`, `W/${etag}`, "*"]) {
      const again = await send("GET", path, { headers: { "if-none-match": condition } });
      expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    }
    expect((await send("GET", path, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  test("HEAD returns the headers alone", async () => {
    const response = await send("HEAD", path);
    const got = await send("GET", path);
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(response.headers.get("etag")).toBe(got.headers.get("etag"));
    expect(response.headers.get("content-length")).toBe(got.headers.get("content-length"));
  });
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

test("other members of a subject are ignored and never stored", async () => {
  const marker = `marker-${crypto.randomUUID()}`;
  const response = await send("POST", "/sessions", { body: { subject: { email: marker, externalId: "person" } } });
  expect([response.status, (await response.text()).includes(marker)]).toEqual([201, false]);
  expect(JSON.stringify(await dump(app.database.connection))).not.toContain(marker);
});

test("every response names its request, by the caller's id if that is acceptable", async () => {
  const own = await send("GET", "/assessment", { headers: { "x-request-id": "my-request_1.2" } });
  expect(own.headers.get("x-request-id")).toBe("my-request_1.2");
  for (const bad of ["with space", "a".repeat(129), "ü"]) {
    const response = await send("GET", "/nowhere", { headers: { "x-request-id": bad } });
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  }
  const refusal = await send("GET", "/assessment", { as: "nobody", headers: { "x-request-id": "r-1" } });
  expect(((await refusal.json()) as { requestId: string }).requestId).toBe("r-1");
});

test("a completed session whose scoring failed has null results, and is scored later", async () => {
  const { connection } = app.database;
  const id = sessionId.replaceAll("-", "");
  const [rows] = await connection.query("SELECT results FROM sessions WHERE id = UNHEX(?)", [id]);
  const [{ results }] = rows as [{ results: Buffer }];
  await connection.query("UPDATE sessions SET results = NULL WHERE id = UNHEX(?)", [id]);
  expect((await send("GET", `/sessions/${sessionId}/results`)).status).toBe(404);
  const completion = await send("POST", `/sessions/${sessionId}/complete`);
  expect(await completion.json()).toEqual({ sessionId, status: "completed", results: null });
  await connection.query("UPDATE sessions SET results = ? WHERE id = UNHEX(?)", [results, id]);
  expect((await send("GET", `/sessions/${sessionId}/results`)).status).toBe(200);
});
