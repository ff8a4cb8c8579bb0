// What strangers cost, at every route of the HTTP port: a request of nobody known takes little processor time, with secrets that
// must be looked up too, and a response that nobody reads little memory. Routes are those that
// the service says it has, so a new one is held to this as well.
import { Agent, request as httpRequest } from "node:http";
import type { Socket } from "node:net";
import { afterAll, expect, test } from "vitest";
import { startTestApp } from "../support/app.ts";
import { howMany, inExtent, inTurns } from "../support/extent.ts";
import { playFriend } from "../support/friend.ts";
import { LoopHolds, slowness } from "../support/measures/loop-holds.ts";
import { servedGatewayOfFile, servedOfFile } from "../support/of-file.ts";
import { type Route, routesOf, type StrangersRequest, strangersRequest } from "../support/transports/routes.ts";
import { openSocket, send } from "../support/transports/wire/http2-frames.ts";

/** Refused tokens, links and credentials of a network, of which so many are sent before anything is measured. */
const allowed = 10;
const warmUps = 3 * allowed;
const measured = howMany(100, 40);
/** Most milliseconds of processor time that a request takes in all processes, on a machine that is not busy. */
const maxMs = 2;
const unreadConnections = 10;
const unreadRequests = 60;
const maxUnreadBytes = 64 << 20;

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

function sendOnce(url: string, network: string, { method, path, headers, body }: StrangersRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const own = { ...headers, "accept-encoding": "br, gzip", "x-forwarded-for": network };
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
      await sendOnce(url, network, strangersRequest(route));
    }
  };
  await Promise.all(Array.from({ length: 4 }, one));
}

let networks = 0;
const newNetwork = () => {
  networks += 1;
  return `198.18.${networks >> 8}.${networks & 255}`;
};

/** Milliseconds of processor time for a request, in both processes, once a network has had its tokens refused. */
async function costOf(url: string, route: Route): Promise<number> {
  const network = newNetwork();
  await sendMany(url, network, route, warmUps);
  const before = await holds.usedMs();
  await sendMany(url, network, route, measured);
  return ((await holds.usedMs()) - before) / measured;
}

/** Operations and rpcs are refused alike before they differ: a few of them stand for all. */
const isOfItsOwnKind = ({ url }: Route) =>
  !/^\/(v1\/|assessment\.v1\.)/.test(url) || /sessions$|Token|Hosted/.test(url);
const nameOf = ({ method, url }: Route) => `${method} ${url}`;
const livez = { method: "GET", url: "/livez" };

const routes = await routesOf(() => startTestApp());
const environment = { ADDRESS_RATE_LIMIT_PER_MINUTE: String(allowed), TRUSTED_PROXIES: "127.0.0.0/8" };
const holds = await LoopHolds.prepare();
afterAll(async () => {
  agent.destroy();
  await holds.end();
});
const service = await servedOfFile({ ...environment, ...holds.watchAnother() });
const client = await service.addInternalClient(["gateway"]);
const gateway = await servedGatewayOfFile(service, client, { ...environment, ...holds.watchAnother() });
await playFriend(service);
for (const { httpUrl } of [service, gateway]) await sendMany(httpUrl, newNetwork(), livez, 1_000);

/** Routes that cost too much three times in a row: what is dear once may have been interrupted. */
async function dear(url: string, candidates: readonly Route[]): Promise<string[]> {
  const found: string[] = [];
  for (const route of candidates) {
    // Twice, since who shares caches and memory with others takes longer for the same.
    const limit = () => 2 * maxMs * Math.max(1, slowness());
    const tooMuch: number[] = [];
    while (tooMuch.length < 3) {
      const cost = await costOf(url, route);
      if (cost <= limit()) break;
      tooMuch.push(cost);
    }
    if (tooMuch.length === 3) found.push(`${Math.min(...tooMuch).toFixed(1)} ms: ${nameOf(route)}`);
  }
  return found;
}

// A short run has each route at one of the two.
test.each([
  ["the service", () => service.httpUrl, () => true, 0],
  ["a gateway of its own", () => gateway.httpUrl, ({ url }: Route) => !url.startsWith("/assessment.v1"), 1],
])("%s spends little processor time on any request of a stranger", async (_name, urlOf, isThere, turn) => {
  const own = routes.filter(isThere);
  expect(own.length).toBeGreaterThan(60);
  expect(await dear(urlOf(), inTurns(inExtent(own, own.filter(isOfItsOwnKind)), 2, turn))).toEqual([]);
});

test("responses that strangers request and never read take little memory, at every route", async () => {
  const found: string[] = [];
  for (const route of inTurns(inExtent(routes, routes.filter(isOfItsOwnKind)), 3, 0)) {
    const before = await service.residentBytes();
    const sockets = await askAndNeverRead(route);
    const grown = (await service.residentBytes()) - before;
    for (const socket of sockets) socket.destroy();
    if (grown > maxUnreadBytes) found.push(`${Math.round(grown / (1 << 20))} MiB: ${nameOf(route)}`);
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
      const { method, path, headers, body } = strangersRequest(route);
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
