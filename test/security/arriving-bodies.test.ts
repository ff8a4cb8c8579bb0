// Bodies that never end, sent by hundreds of callers at once, share one bound over all transports, and a caller who sends
// little is served meanwhile. Bodies of strangers are not read.
import type { Socket } from "node:net";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { maxUnknownMessageBytes } from "../../src/kernel/calls/core.ts";
import { slowBytes } from "../../src/limits/memory.ts";
import { fetchToken } from "../support/databases/partners.ts";
import { inTurns } from "../support/extent.ts";
import { playFriend } from "../support/friend.ts";
import { sumOf } from "../support/measures/series.ts";
import { servedGatewayOfFile, servedOfFile } from "../support/of-file.ts";
import type { Gateway } from "../support/transports/served.ts";
import {
  callHeaders,
  flags,
  frame,
  frameTypes,
  openHttp2,
  openSocket,
  send,
  windowUpdate,
} from "../support/transports/wire/http2-frames.ts";
import { until } from "../support/until.ts";

const callers = 800;
const announced = 1_000_000;
const sent = 960_000;
const budgetBytes = slowBytes.authenticated + slowBytes.unauthenticated;
const sessions = "/v1/values-bridge/sessions";
const rpc = "/assessment.v1.SessionService/CreateSession";
const form = "Content-Type: application/x-www-form-urlencoded";

/** The service, as a client of another partner sees it. */
const service = await servedOfFile();
const gateway = await servedGatewayOfFile(service, await service.addInternalClient(["gateway"]));
const scopes = ["sessions:write", "sessions:read", "results:read"] as const;
const another = { ...service, token: await service.tokenOf(await service.addInternalClient(scopes)) };
await playFriend(another);

const arrivingBytes = (url = service.httpUrl) => sumOf(url, "pas_arriving_bytes");
// What a gateway asked its core for may end a moment later.
beforeEach(() => until(async () => (await arrivingBytes()) === 0));

/** Begins a request on a connection of its own and sends most of its body, as far as the service takes it. */
async function begin(
  url: string,
  line: string,
  headers: readonly string[],
  bytes: Buffer,
  length: number,
): Promise<Socket> {
  const socket = await openSocket(new URL(url).host);
  socket.resume();
  const head = [`${line} HTTP/1.1`, "Host: a", ...headers, `Content-Length: ${length}`];
  await send(socket, Buffer.concat([Buffer.from(head.join("\r\n").concat("\r\n\r\n")), bytes]));
  return socket;
}

const overHttp =
  (line: string, headers: readonly string[], { length = announced, to = () => service.httpUrl } = {}) =>
  () => {
    const bytes = Buffer.alloc(Math.min(sent, length - 1), " ");
    return Promise.all(Array.from({ length: callers }, () => begin(to(), line, headers, bytes, length)));
  };

const perConnection = 200;

/** Begins so many calls, 200 on each connection. */
async function overGrpc(authorization: string): Promise<Socket[]> {
  const start = Buffer.alloc(5);
  start.writeUInt32BE(announced, 1);
  const part = Buffer.alloc(16_000, 1);
  const sockets: Socket[] = [];
  for (let index = 0; index < callers / perConnection; index += 1) {
    const socket = await openHttp2(service.grpcAddress);
    sockets.push(socket);
    await send(socket, windowUpdate(0, 0x7fff0000 - 65_535));
    const streams = Array.from({ length: perConnection }, (_, number) => 2 * number + 1);
    const block = callHeaders(rpc, [["authorization", authorization]]);
    for (const stream of streams) {
      const call = [
        frame(frameTypes.headers, flags.endHeaders, stream, block),
        frame(frameTypes.data, 0, stream, start),
      ];
      await send(socket, Buffer.concat(call));
    }
    for (let piece = 0; piece < sent / part.length; piece += 1) {
      // Streams are allowed 64 kB ahead of what the service has read.
      for (const stream of streams) await send(socket, frame(frameTypes.data, 0, stream, part));
    }
  }
  return sockets;
}

const bearer = () => `Bearer ${service.token}`;
const listHeaders = () => [`Authorization: ${bearer()}`, "Content-Type: application/json"];
const unknown = ["Content-Type: application/json"];

const toGateway = { to: () => gateway.httpUrl };

interface Attack {
  readonly name: string;
  readonly attack: () => Promise<Socket[]>;
  /** Whether the service holds what was sent until it is full, or some of it: over gRPC it counts before it reads. */
  readonly isHeld: boolean | "in part";
  /** Which process is attacked, if not the service. */
  readonly process?: () => Gateway;
}

const attacks: readonly Attack[] = [
  { name: "over REST", attack: () => overHttp(`POST ${sessions}`, listHeaders())(), isHeld: true },
  {
    name: "over REST through a gateway of its own",
    attack: () => overHttp(`POST ${sessions}`, listHeaders(), toGateway)(),
    isHeld: true,
    process: () => gateway,
  },
  {
    name: "over REST through a gateway of its own, of nobody known",
    attack: overHttp(`POST ${sessions}`, unknown, toGateway),
    isHeld: false,
    process: () => gateway,
  },
  { name: "over Connect", attack: () => overHttp(`POST ${rpc}`, listHeaders())(), isHeld: true },
  { name: "over gRPC", attack: () => overGrpc(bearer()), isHeld: "in part" },
  { name: "over REST, of nobody known", attack: overHttp(`POST ${sessions}`, unknown), isHeld: false },
  { name: "over Connect, of nobody known", attack: overHttp(`POST ${rpc}`, unknown), isHeld: false },
  { name: "over gRPC, of nobody known", attack: () => overGrpc("Bearer nonsense"), isHeld: false },
  {
    name: "to a page, of nobody known",
    attack: overHttp(`POST /hosted/sessions/${crypto.randomUUID()}/finish`, [form]),
    isHeld: false,
  },
];

// A short run has every third one: both processes and protocols, and callers known and unknown.
test.each(inTurns(attacks, 3, 1).map((each) => [each.name, each] as const))(
  "%s",
  async (_name, { attack, isHeld, ...other }) => {
    const attacked = other.process?.() ?? service;
    const before = await attacked.residentBytes();
    const unavailable = () => sumOf(attacked.httpUrl, "pas_calls_seconds_count", 'outcome="unavailable"');
    const refusedBefore = await unavailable();
    const heldNow = () => arrivingBytes(attacked.httpUrl);
    const grownNow = async () => (await attacked.residentBytes()) - before;
    let isSent = false;
    const attacking = attack().finally(() => {
      isSent = true;
    });
    let peak = 0;
    while (!isSent) peak = Math.max(peak, await grownNow());
    const sockets = await attacking;
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    // What is sent ahead, and what a process uses that nobody has called before, comes on top. Together they send 770 MB.
    const maxGrowth = (isHeld ? 5 : 3) * budgetBytes;
    const isFull = async () => (await unavailable()) - refusedBefore > callers / 2;
    const isTooMuch = async () => (await heldNow()) > budgetBytes || (await grownNow()) >= maxGrowth;
    if (isHeld === true) await until(async () => (await isFull()) || (await isTooMuch()));
    console.log(`${Math.round(peak / (1 << 20))} MiB more at most`);
    expect(peak).toBeLessThan(maxGrowth);
    const held = await heldNow();
    expect(held).toBeLessThanOrEqual(budgetBytes);
    expect(await grownNow()).toBeLessThan(maxGrowth);
    if (isHeld) {
      if (isHeld === true) expect(held).toBeGreaterThan(budgetBytes / 2);
      await playFriend({ ...another, httpUrl: attacked.httpUrl });
    } else {
      expect(held).toBe(0);
      await playFriend(service);
    }
    for (const socket of sockets) socket.destroy();
    await until(async () => (await arrivingBytes(attacked.httpUrl)) === 0);
    await playFriend(service);
  },
);

const issueToken = "/assessment.v1.TokenService/IssueToken";
/** What messages of nobody known announce: as much as may be sent. */
const formBytes = maxUnknownMessageBytes - 1;
/** What is sent of each: all but a few bytes, and then less and less, until no gap is left that a message would fit. */
const sentOfForms = [
  ...Array.from({ length: 1_100 }, () => formBytes - 7),
  ...Array.from({ length: 100 }, (_, index) => Math.ceil(formBytes / 2 ** (index / 4 + 1))),
];

async function formsOverGrpc(): Promise<Socket[]> {
  const start = Buffer.alloc(5);
  start.writeUInt32BE(formBytes, 1);
  const sockets: Socket[] = [];
  for (const [index, bytes] of sentOfForms.entries()) {
    if (index % perConnection === 0) {
      const opened = await openHttp2(service.grpcAddress);
      await send(opened, windowUpdate(0, 0x7fff0000 - 65_535));
      sockets.push(opened);
    }
    const socket = sockets.at(-1);
    if (socket === undefined) throw new Error("there is a connection for every call");
    const stream = 2 * (index % perConnection) + 1;
    const part = Buffer.alloc(Math.ceil(bytes / 4), 1);
    const pieces = [start, part, part, part, part].map((piece) => frame(frameTypes.data, 0, stream, piece));
    await send(
      socket,
      Buffer.concat([frame(frameTypes.headers, flags.endHeaders, stream, callHeaders(issueToken)), ...pieces]),
    );
  }
  return sockets;
}

async function formsOverHttp(line: string, type: string, url = service.httpUrl): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (const bytes of sentOfForms) sockets.push(await begin(url, line, [type], Buffer.alloc(bytes, "a"), formBytes));
  return sockets;
}

test.each([
  ["over HTTP", () => formsOverHttp("POST /oauth/token", form), () => service],
  ["over Connect", () => formsOverHttp(`POST ${issueToken}`, "Content-Type: application/proto"), () => service],
  ["over gRPC", formsOverGrpc, () => service],
  ["over HTTP to a gateway of its own", () => formsOverHttp("POST /oauth/token", form, gateway.httpUrl), () => gateway],
])("stalled messages of strangers, %s, stop no write of a partner, and no token request", async (_name, attack, at) => {
  const { httpUrl } = at();
  const before = await at().residentBytes();
  const sockets = await attack();
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const heldNow = () => sumOf(httpUrl, "pas_arriving_bytes", 'sender="unauthenticated"');
  // They count once they are slow.
  await until(async () => (await heldNow()) > slowBytes.unauthenticated / 2);
  expect(await heldNow()).toBeLessThanOrEqual(slowBytes.unauthenticated);
  await playFriend({ ...service, httpUrl });
  expect(await fetchToken(httpUrl, service.credentials)).not.toBe("");
  expect((await at().residentBytes()) - before).toBeLessThan(8 * slowBytes.unauthenticated);
});
