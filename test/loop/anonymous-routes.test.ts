// What strangers cost: a request of nobody known takes hardly more than the cheapest one there is, at every route of the
// HTTP port, or it counts against its network and soon takes no more. The same for the memory of what they never read.
// Routes are those that the service says it has, so a new one is held to this as well.
import { Agent, request as httpRequest } from "node:http";
import type { Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSecret } from "../../src/domain/identity/secrets.ts";
import { pooledRandomBytes } from "../../src/domain/random-pool.ts";
import { startTestApp } from "../support/app.ts";
import { type Route, routesOf } from "../support/doors/routes.ts";
import { type Gateway, type Served, startServed, startServedGateway } from "../support/doors/served.ts";
import { openSocket, send } from "../support/doors/wire/http2-frames.ts";
import { playFriend } from "../support/friend.ts";
import { sumOf } from "../support/measures/series.ts";

/** Refused tokens, links and credentials of a network, of which so many are sent before anything is measured. */
const allowed = 10;
const warmUps = 3 * allowed;
const measured = 60;
/** Most that a request may take, in requests for /livez: processor time is compared, so a slow machine slows both. */
const mostCost = 6;
const unreadConnections = 10;
const unreadRequests = 60;
const mostUnreadBytes = 64 << 20;

const random = pooledRandomBytes();
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
let service: Served;
let gateway: Gateway;
let routes: readonly Route[];

beforeAll(async () => {
  routes = await routesOf(() => startTestApp());
  const environment = { ADDRESS_RATE_LIMIT_PER_MINUTE: String(allowed), TRUSTED_PROXIES: "127.0.0.0/8" };
  service = await startServed(environment);
  gateway = await startServedGateway(service, await service.addInternalClient(["gateway"]), environment);
  await playFriend(service);
});
afterAll(async () => {
  agent.destroy();
  await gateway.stop();
  await service.stop();
});

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request that could be right: what it names is well formed, new each time, and must be looked up to be refused. */
function requestOf({ method, url }: Route): Sent {
  const id = crypto.randomUUID();
  const isReport = url.startsWith("/reports");
  const values: Readonly<Record<string, string>> = {
    product: "values-bridge",
    linkToken: newSecret(isReport ? "reportLink" : "hostedLink", random),
    code: "not_found",
    page: "1",
    "*": "",
  };
  const path = url.replace(/:(\w+)|\*/g, (parameter, name?: string) => values[name ?? parameter] ?? id);
  const visit = newSecret(isReport ? "reportVisit" : "hostedVisit", random);
  const credentials = { clientId: id, clientSecret: newSecret("clientSecret", random) };
  const form = { grant_type: "client_credentials", client_id: id, client_secret: credentials.clientSecret, token: "a" };
  const isForm = url.startsWith("/oauth") || url.startsWith("/hosted");
  const headers: Record<string, string> = { cookie: `pas-visit-${id}=${visit}; pas-report-${id}=${visit}` };
  const bearer = /HostedService/.test(url) ? visit : newSecret("accessToken", random);
  if (url.startsWith("/v1") || url.startsWith("/assessment.v1")) headers.authorization = `Bearer ${bearer}`;
  if (["GET", "HEAD"].includes(method)) return { method, path, headers, body: "" };
  headers["content-type"] = isForm ? "application/x-www-form-urlencoded" : "application/json";
  const message = /(Issue|Revoke)Token$/.test(url)
    ? credentials
    : /Exchange/.test(url)
      ? { linkToken: values.linkToken }
      : {};
  return { method, path, headers, body: isForm ? new URLSearchParams(form).toString() : JSON.stringify(message) };
}

function sendOnce(url: string, network: string, { method, path, headers, body }: Sent): Promise<void> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const own = { ...headers, "x-forwarded-for": network };
    const sent = httpRequest({ hostname, port, method, path, headers: own, agent });
    sent.on("error", reject);
    sent.on("response", (response) => response.resume().once("end", resolve));
    sent.end(body);
  });
}

async function sendMany(url: string, network: string, route: Route, count: number): Promise<void> {
  let left = count;
  const one = async () => {
    for (; left > 0; ) {
      left -= 1;
      await sendOnce(url, network, requestOf(route));
    }
  };
  await Promise.all(Array.from({ length: 4 }, one));
}

let networks = 0;
const newNetwork = () => {
  networks += 1;
  return `198.18.${networks >> 8}.${networks & 255}`;
};

/** Seconds of processor time for a request, in both processes, once a network has had its tokens refused. */
async function costOf(url: string, route: Route): Promise<number> {
  const network = newNetwork();
  await sendMany(url, network, route, warmUps);
  const used = async () => {
    const each = [service.httpUrl, gateway.httpUrl].map((process) => sumOf(process, "process_cpu_seconds_total"));
    return (await Promise.all(each)).reduce((sum, seconds) => sum + seconds, 0);
  };
  const before = await used();
  const between = await used();
  await sendMany(url, network, route, measured);
  // Reading the metrics takes some as well.
  return Math.max(0, (await used()) - between - (between - before)) / measured;
}

const nameOf = ({ method, url }: Route) => `${method} ${url}`;
const livez = { method: "GET", url: "/livez" };

async function dear(url: string, candidates: readonly Route[]): Promise<string[]> {
  const found: string[] = [];
  for (const route of candidates) {
    const ratios: number[] = [];
    // What is dear once may have been interrupted.
    for (let look = 0; look < 3 && ratios.length === look; look += 1) {
      const cheapest = await costOf(url, livez);
      const ratio = (await costOf(url, route)) / cheapest;
      console.log(nameOf(route), ratio.toFixed(1), cheapest * 1e6);
      if (ratio > mostCost) ratios.push(ratio);
    }
    if (ratios.length === 3) found.push(`${Math.min(...ratios).toFixed(1)} × /livez: ${nameOf(route)}`);
  }
  return found;
}

test.each([
  ["the service", () => service.httpUrl, () => true],
  ["a gateway of its own", () => gateway.httpUrl, ({ url }: Route) => !url.startsWith("/assessment.v1")],
])("at %s, no request of a stranger takes much processor time", async (_name, urlOf, isThere) => {
  const own = routes.filter(isThere);
  expect(own.length).toBeGreaterThan(60);
  expect(await dear(urlOf(), own)).toEqual([]);
});

test("what strangers ask for and never read takes little memory, at every route", async () => {
  const found: string[] = [];
  for (const route of routes) {
    const before = await service.residentBytes();
    const sockets = await askAndNeverRead(route);
    const grown = (await service.residentBytes()) - before;
    for (const socket of sockets) socket.destroy();
    if (grown > mostUnreadBytes) found.push(`${Math.round(grown / (1 << 20))} MiB: ${nameOf(route)}`);
  }
  expect(found).toEqual([]);
  await playFriend(service);
});

async function askAndNeverRead(route: Route): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let index = 0; index < unreadConnections; index += 1) {
    const socket = await openSocket(new URL(service.httpUrl).host);
    sockets.push(socket.pause());
    const network = newNetwork();
    const requests = Array.from({ length: unreadRequests }, () => {
      const { method, path, headers, body } = requestOf(route);
      const fields = { host: "a", ...headers, "x-forwarded-for": network, "content-length": String(body.length) };
      const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
      return `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
    });
    await send(socket, Buffer.from(requests.join("")));
  }
  // All have been looked at when those that came later are answered.
  await sendMany(service.httpUrl, newNetwork(), livez, warmUps);
  return sockets;
}
