// Every route of the HTTP port bounds what a stranger can cost: what is made up counts against the stranger's network, or its
// response is always the same. A new route is neither until it is one of them, and is found here by itself.

import { expect, test } from "vitest";
import { startTestApp } from "../support/app.ts";
import { appOfFile } from "../support/of-file.ts";
import { type Route, routesOf, strangersRequest } from "../support/transports/routes.ts";

const allowed = 3;

/** Routes that count nothing, and why a stranger cannot use that. */
const constant: Readonly<Record<string, string>> = {
  "/livez": "a constant",
  "/readyz": "found out once a second",
  "/metrics": "for callers on this machine, or with METRICS_TOKEN",
  "/openapi.json": "made once",
  "/embed.js": "made once",
  "/problems": "made once",
  "/problems/:code": "made once",
  "/docs": "a constant",
  "/docs/*": "made once",
  "/": "a constant",
  "/.well-known/oauth-authorization-server": "a constant",
  "/.well-known/jwks.json": "read once a minute",
  "/assessment.v1.TokenService/GetPublicKeys": "read once a minute",
  "/reports/sessions/:sessionId/step":
    "reads no more of a form than a stranger may send, and checks it before anything is asked",
  "/reports/sessions/:sessionId/card":
    "reads no more of a form than a stranger may send, and checks it before anything is asked",
};

const isConstant = ({ method, url }: Route) =>
  url in constant ||
  /^\/(hosted|join|reports)\/assets\//.test(url) ||
  // Without the cookie of the page nothing is read or asked.
  (method === "POST" && url.startsWith("/join/")) ||
  (method === "HEAD" && /^\/reports\/(?!cards\/)|^\/join\/|^\/hosted\/(:linkToken\/?|.*\/report)$/.test(url));

const environment = { ADDRESS_RATE_LIMIT_PER_MINUTE: String(allowed), TRUSTED_PROXIES: "127.0.0.0/8" };
const routes = await routesOf(() => startTestApp());
const app = await appOfFile(environment);

async function statusOf(route: Route, network: string): Promise<number> {
  const { method, path, headers, body } = strangersRequest(route, (secret) => `${secret.slice(0, -1)}_`);
  const own = { ...headers, "x-forwarded-for": network };
  const response = await fetch(app.httpUrl + path, { method, headers: own, redirect: "manual", ...(body && { body }) });
  await response.arrayBuffer();
  return response.status;
}

test("every route counts made-up secrets against the network of the stranger, or is listed as one of constant cost", async () => {
  expect(routes.length).toBeGreaterThan(100);
  const unbounded: string[] = [];
  for (const [index, route] of routes.entries()) {
    const own = `198.18.${index >> 8}.${index & 255}`;
    const statuses: number[] = [];
    for (let count = 0; count <= allowed; count += 1) statuses.push(await statusOf(route, own));
    const isCounted = statuses.at(-1) === 429 && !statuses.slice(0, -1).includes(429);
    if (isCounted === isConstant(route)) unbounded.push(`${route.method} ${route.url}: ${statuses.join(", ")}`);
  }
  expect(unbounded).toEqual([]);
});

test("every route that is listed as one of constant cost exists", () => {
  const urls = new Set(routes.map(({ url }) => url));
  expect(Object.keys(constant).filter((url) => !urls.has(url))).toEqual([]);
});
