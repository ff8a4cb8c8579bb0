// Whatever bytes arrive on the HTTP port, the answer is a problem and the service lives.

import { once } from "node:events";
import { request } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { addCaller } from "../../support/app.ts";
import { appOfFile } from "../../support/of-file.ts";
import { type RawResponse, sendRaw } from "../../support/transports/wire/raw-http.ts";

const app = await appOfFile();
const { token } = await addCaller(app);
afterEach(async () => {
  expect((await fetch(`${app.httpUrl}/readyz`)).status).toBe(200);
});

function expectProblem({ status, headers, body }: RawResponse, expected: { status: number; code: string }): void {
  expect(headers.get("content-type")).toBe("application/problem+json");
  expect(headers.get("cache-control")).toBe("no-store");
  const problem = JSON.parse(body);
  expect({ status, code: problem.code }).toEqual(expected);
  expect(problem).toEqual({
    type: `${app.httpUrl}/problems/${expected.code}`,
    title: expect.any(String),
    status: expected.status,
    code: expected.code,
    detail: expect.any(String),
    requestId: headers.get("x-request-id"),
  });
  expect(headers.get("x-request-id")).toMatch(/^[\w.-]{1,128}$/);
}

const sessions = "/v1/values-bridge/sessions";

describe("requests that are not good HTTP", () => {
  const malformed = { status: 400, code: "malformed_request" };
  const cases: readonly [string, string, { status: number; code: string }][] = [
    ["bytes that are not HTTP", "HELLO\r\n\r\n", malformed],
    ["a request without Host", `GET ${sessions} HTTP/1.1\r\n\r\n`, malformed],
    ["an empty Host", `GET ${sessions} HTTP/1.1\r\nHost:\r\n\r\n`, malformed],
    ["two Hosts", `GET ${sessions} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`, malformed],
    ["a Host that is none", `GET ${sessions} HTTP/1.1\r\nHost: a b:99999\r\n\r\n`, malformed],
    ["an unknown expectation", `GET ${sessions}/x HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n`, malformed],
    ["a URL that cannot be decoded", "GET /v1/%zz HTTP/1.1\r\nHost: a\r\n\r\n", malformed],
    [
      "too long a path segment",
      `GET /v1/values-bridge/subjects/${"a".repeat(4097)}/results HTTP/1.1\r\nHost: a\r\n\r\n`,
      { status: 414, code: "uri_too_long" },
    ],
    [
      "headers over 16 KiB",
      `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${"a".repeat(17_000)}\r\n\r\n`,
      { status: 431, code: "headers_too_large" },
    ],
    [
      "a body that is longer than it says",
      `POST ${sessions} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      malformed,
    ],
    ["an unknown path", "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n", { status: 404, code: "not_found" }],
  ];
  test.each(cases)("%s", async (_name, bytes, expected) => {
    expectProblem(await sendRaw(app.httpUrl, bytes), expected);
  });

  test("HTTP/1.0 without Host is served", async () => {
    const response = await sendRaw(app.httpUrl, "GET /livez HTTP/1.0\r\n\r\n");
    expect(response.status).toBe(200);
  });

  test("a client that waits for 100-continue gets it", async () => {
    const { hostname, port } = new URL(app.httpUrl);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", expect: "100-continue" };
    const sent = request({ hostname, port, method: "POST", path: sessions, headers });
    sent.on("continue", () => sent.end("{}"));
    sent.flushHeaders();
    const [response] = await once(sent, "response");
    response.resume();
    expect(response.statusCode).toBe(201);
  });
});
