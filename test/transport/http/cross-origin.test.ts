// Pages of other origins (CORS): those of origins that the operator names may call REST and the rpcs, and no others.

import { describe, expect, test } from "vitest";
import { addCaller } from "../../support/app.ts";
import { appOfFile, gatewayOfFile } from "../../support/of-file.ts";

const origin = "https://app.example.com";
const other = "https://app.example.com.attacker.example";
const rest = "/v1/values-bridge/assessment";
const rpc = "/assessment.v1.SessionService/GetSession";

const environment = { CORS_ORIGINS: `${origin}, http://localhost:3000` };
const app = await appOfFile(environment);
const closed = await appOfFile();
const gateway = await gatewayOfFile(app, { environment });
const { token } = await addCaller(app);

/** What Connect, REST and the libraries that trace calls send. */
const sentByPages = [
  ...["authorization", "connect-protocol-version", "content-type", "x-grpc-web", "idempotency-key", "if-none-match"],
  ...["traceparent", "tracestate", "baggage"],
];

function preflight(url: string, from: string, method = "POST"): Promise<Response> {
  const headers = {
    origin: from,
    "access-control-request-method": method,
    "access-control-request-headers": sentByPages.join(","),
  };
  return fetch(url, { method: "OPTIONS", headers });
}

const allowOrigin = ({ headers }: Response) => headers.get("access-control-allow-origin");
const listIn = ({ headers }: Response, name: string) => (headers.get(name) ?? "").toLowerCase().split(/, ?/);

describe.each([
  ["the service, REST", () => app.httpUrl + rest],
  ["the service, Connect", () => app.httpUrl + rpc],
  ["a gateway of its own", () => gateway.httpUrl + rest],
] as const)("at %s", (_name, urlOf) => {
  test("a preflight of a named origin allows the headers that Connect and REST send", async () => {
    for (const from of [origin, "http://localhost:3000"]) {
      const response = await preflight(urlOf(), from);
      expect([response.status, allowOrigin(response)]).toEqual([204, from]);
      expect(listIn(response, "access-control-allow-headers")).toEqual(expect.arrayContaining(sentByPages));
      expect(listIn(response, "access-control-allow-methods")).toEqual(expect.arrayContaining(["get", "post"]));
      expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    }
  });

  test("a preflight of any other origin allows nothing", async () => {
    for (const from of [other, "null", "http://app.example.com"]) {
      const response = await preflight(urlOf(), from);
      expect([response.status, allowOrigin(response)]).toEqual([405, null]);
    }
  });

  test("a call of a named origin may be read, refused or not, and others may not", async () => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const call = (from: string, as = headers) =>
      fetch(
        urlOf(),
        urlOf().includes("/v1/") && !urlOf().includes("/assessment.v1")
          ? { headers: { ...as, origin: from } }
          : { method: "POST", headers: { ...as, origin: from }, body: "{}" },
      );
    for (const response of [await call(origin), await call(origin, { ...headers, authorization: "Bearer nonsense" })]) {
      expect(allowOrigin(response)).toBe(origin);
      expect(listIn(response, "vary")).toContain("origin");
      expect(listIn(response, "access-control-expose-headers")).toEqual(["*"]);
    }
    expect(allowOrigin(await call(other))).toBeNull();
  });
});

test("no origin is allowed unless one is named", async () => {
  for (const path of [rest, rpc]) {
    const response = await preflight(closed.httpUrl + path, origin);
    expect([response.status, allowOrigin(response)]).toEqual([405, null]);
  }
});

test("pages, documents, tokens and missing paths allow no other origin", async () => {
  for (const path of ["/hosted/nonsense", "/docs/", "/oauth/token", "/livez", "/nowhere"]) {
    expect([path, allowOrigin(await preflight(app.httpUrl + path, origin))]).toEqual([path, null]);
    expect([path, allowOrigin(await fetch(app.httpUrl + path, { headers: { origin } }))]).toEqual([path, null]);
  }
  expect((await fetch(`${app.httpUrl}/v1/nowhere/at/all`)).status).toBe(404);
});
