// Content codings: every one gives the same JSON, and nothing immutable is compressed twice.

import { describe, expect, test } from "vitest";
import { addCaller } from "../../support/app.ts";
import { appOfFile } from "../../support/of-file.ts";
import { sendRaw } from "../../support/transports/wire/raw-http.ts";

const app = await appOfFile();
const { token } = await addCaller(app);

function get(path: string, acceptEncoding: string | undefined, method = "GET"): Promise<Response> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    "accept-encoding": acceptEncoding ?? "identity",
  };
  const body =
    method === "POST" ? { body: "{}", headers: { ...headers, "content-type": "application/json" } } : { headers };
  return fetch(`${app.httpUrl}/v1/values-bridge${path}`, { method, ...body });
}

describe.each([
  ["the assessment", "/assessment", "GET", ["br", "gzip"]],
  ["a new session", "/sessions", "POST", ["gzip"]],
] as const)("%s", (_name, path, method, codings) => {
  test.each(codings)(
    "a client gets the response as %s if it asks for it, at a fraction of the size and with the same JSON",
    async (coding) => {
      const plain = await get(path, undefined, method);
      const coded = await get(path, coding, method);
      expect(plain.headers.get("content-encoding")).toBeNull();
      expect(coded.headers.get("content-encoding")).toBe(coding);
      for (const response of [plain, coded]) expect(response.headers.get("vary")).toBe("accept-encoding");
      const [one, other] = [await plain.text(), await coded.text()].map(
        (text) => JSON.parse(text).questions ?? JSON.parse(text).assessment,
      );
      expect(other).toEqual(one);
      expect(Number(coded.headers.get("content-length")) * 8).toBeLessThan(Number(plain.headers.get("content-length")));
    },
  );
});

test.each([
  ["gzip, br", "br"],
  ["gzip;q=1, br;q=0.5", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["deflate", null],
  ["*", "br"],
  ["identity", null],
])("the header %j is answered with the coding %j", async (header, coding) => {
  expect((await get("/assessment", header)).headers.get("content-encoding")).toBe(coding);
});

test("each coding has an entity tag of its own, which is matched in that coding only", async () => {
  const codings = ["identity", "gzip", "br"];
  const tags = await Promise.all(
    codings.map(async (each) => (await get("/assessment", each)).headers.get("etag") ?? ""),
  );
  expect(new Set(tags).size).toBe(3);
  for (const [index, coding] of codings.entries()) {
    const statuses = await Promise.all(
      tags.map(async (tag) => {
        const headers = { authorization: `Bearer ${token}`, "accept-encoding": coding, "if-none-match": tag };
        return (await fetch(`${app.httpUrl}/v1/values-bridge/assessment`, { headers })).status;
      }),
    );
    expect(statuses).toEqual(codings.map((_, other) => (other === index ? 304 : 200)));
  }
});

test("a caller that names no coding gets plain JSON", async () => {
  const head = `GET /v1/values-bridge/assessment HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
  const response = await sendRaw(app.httpUrl, head);
  expect([response.headers.get("content-encoding"), response.body.slice(0, 10)]).toEqual([undefined, '{"product"']);
});

test("short responses are not compressed", async () => {
  const created = (await (await get("/sessions", "gzip", "POST")).json()) as { sessionId: string };
  const status = await get(`/sessions/${created.sessionId}`, "gzip");
  expect([status.status, status.headers.get("content-encoding")]).toEqual([200, null]);
});
