// Hostile clients of the gRPC port, none of them known: the process lives, a friendly client is served in the meantime,
// memory has a bound, and nothing is stored.
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { playFriend, sessionsOfFriend } from "../support/friend.ts";
import { servedOfFile } from "../support/of-file.ts";
import {
  callHeaders,
  flags,
  frame,
  frameTypes,
  openHttp2,
  openSocket,
  send,
  streams,
  windowSettings,
} from "../support/transports/wire/http2-frames.ts";
import { until } from "../support/until.ts";

const { data, headers, reset, settings, ping, continuation } = frameTypes;
const path = "/assessment.v1.SessionService/CreateSession";
const callFrame = (stream: number, block = callHeaders(path)) => frame(headers, flags.endHeaders, stream, block);
const emptyMessage = Buffer.alloc(5);
const reflection = callHeaders("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo");
/** What any of these attacks may cost, with room for what the process would have used anyway. */
const maxGrownBytes = 224 << 20;

const service = await servedOfFile();
await playFriend(service);

/** The same frames again and again until the service has enough of them. */
async function flood(first: Uint8Array, bytes: Uint8Array): Promise<Socket[]> {
  const socket = await openHttp2(service.grpcAddress);
  await send(socket, first);
  for (let round = 0; round < 2_000 && (await send(socket, bytes)); round += 1);
  return [socket];
}

function times(count: number, bytes: Uint8Array): Buffer {
  return Buffer.concat(Array.from({ length: count }, () => bytes));
}

/** Messages that ask reflection for the file of a service. */
function questions(count: number): Buffer {
  const symbol = Buffer.from("assessment.v1.SessionService");
  const fileContainingSymbol = Buffer.concat([Buffer.of(0x22, symbol.length), symbol]);
  return times(count, Buffer.concat([Buffer.of(0, 0, 0, 0, fileContainingSymbol.length), fileContainingSymbol]));
}

/** A header block that takes many frames. */
function headerFrames(stream: number, block: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let start = 0; start < block.length; start += 16_000) {
    const flag = start + 16_000 >= block.length ? flags.endHeaders : 0;
    parts.push(frame(start === 0 ? headers : continuation, flag, stream, block.subarray(start, start + 16_000)));
  }
  return Buffer.concat(parts);
}

const attacks: readonly { name: string; attack: () => Promise<Socket[]>; isCutOff: boolean }[] = [
  {
    name: "connections that say nothing",
    attack: () => Promise.all(Array.from({ length: 300 }, () => openSocket(service.grpcAddress))),
    isCutOff: false,
  },
  {
    name: "calls that are begun and reset at once",
    async attack() {
      const socket = await openHttp2(service.grpcAddress);
      const cancel = Buffer.of(0, 0, 0, 8);
      for (const stream of streams(100_000)) {
        const call = [callFrame(stream), frame(data, flags.endStream, stream, emptyMessage)];
        if (!(await send(socket, Buffer.concat([...call, frame(reset, 0, stream, cancel)])))) break;
      }
      return [socket];
    },
    isCutOff: true,
  },
  {
    name: "a flood of pings whose answers are not read",
    async attack() {
      const socket = await openHttp2(service.grpcAddress);
      socket.pause();
      const pings = times(1000, frame(ping, 0, 0, Buffer.alloc(8)));
      for (let round = 0; round < 2_000 && (await send(socket, pings)); round += 1);
      return [socket];
    },
    isCutOff: true,
  },
  {
    name: "a flood of settings",
    attack: () => flood(Buffer.alloc(0), times(1000, frame(settings, 0, 0))),
    isCutOff: true,
  },
  { name: "a flood of empty data", attack: () => flood(callFrame(1), times(1000, frame(data, 0, 1))), isCutOff: true },
  {
    name: "a flood of empty continuations",
    attack: () => flood(frame(headers, 0, 1, callHeaders(path)), times(1000, frame(continuation, 0, 1))),
    isCutOff: true,
  },
  {
    name: "questions by reflection whose answers may not be sent",
    attack: () => flood(Buffer.concat([windowSettings(0), callFrame(1, reflection)]), frame(data, 0, 1, questions(20))),
    isCutOff: true,
  },
  {
    name: "headers of 200 kB",
    async attack() {
      const socket = await openHttp2(service.grpcAddress);
      const block = callHeaders(path, [["x-long", "x".repeat(200_000)]]);
      for (const stream of streams(500)) if (!(await send(socket, headerFrames(stream, block)))) break;
      return [socket];
    },
    isCutOff: true,
  },
  {
    name: "thousands of calls with more headers than anybody needs",
    async attack() {
      const socket = await openHttp2(service.grpcAddress);
      const block = callHeaders(
        path,
        Array.from({ length: 200 }, (_, index) => [`x-${index}`, "x"]),
      );
      for (const stream of streams(2_000)) await send(socket, callFrame(stream, block));
      return [socket];
    },
    isCutOff: false,
  },
];

// Names given in any other way are cut short.
test.each(attacks.map((each) => [each.name, each] as const))("%s", async (_name, { attack, isCutOff }) => {
  const [before, stored] = [await service.residentBytes(), await service.storedSessions()];
  const [sockets] = await Promise.all([attack(), playFriend(service)]);
  await playFriend(service);
  if (isCutOff) {
    for (const socket of sockets) socket.resume();
    await until(() => sockets.every((socket) => socket.closed));
  }
  const grown = (await service.residentBytes()) - before;
  console.log(`${Math.round(grown / (1 << 20))} MiB more`);
  for (const socket of sockets) socket.destroy();
  await playFriend(service);
  expect(grown).toBeLessThan(maxGrownBytes);
  expect(await service.storedSessions()).toBe(stored + 3 * sessionsOfFriend);
});

test.each([
  ["of nobody known are not unpacked at all", false, "16"],
  ["are unpacked no further than messages may be", true, "8"],
])("small messages that unpack to huge ones %s", async (_name, isKnown, expected) => {
  const { token } = service;
  const packed = gzipSync(Buffer.alloc(256 << 20));
  const head = Buffer.alloc(5);
  head.writeUInt8(1);
  head.writeUInt32BE(packed.length, 1);
  const before = await service.residentBytes();
  const session = connectHttp2(`http://${service.grpcAddress}`);
  const statuses = await Promise.all(
    streams(10).map(async () => {
      const names = { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" };
      const authorization = isKnown ? { authorization: `Bearer ${token}` } : {};
      const call = session.request({ ...names, ...authorization, "grpc-encoding": "gzip" });
      call.end(Buffer.concat([head, packed]));
      const [answered] = await once(call, "response");
      return answered["grpc-status"];
    }),
  );
  const grown = (await service.residentBytes()) - before;
  session.destroy();
  expect(new Set(statuses)).toEqual(new Set([expected]));
  expect(grown).toBeLessThan(maxGrownBytes);
  await playFriend(service);
});

test("unreadable metadata, tokens included, is written neither to the log nor to stderr", async () => {
  const socket = await openHttp2(service.grpcAddress);
  const planted = "Bearer pas_at_planted";
  const odd = callHeaders(path, [
    ["authorization", `${planted}\u00e9`],
    ["x-request-id", `${planted}\u00e9`],
    ["planted-bin", "\u00e9"],
  ]);
  await send(socket, Buffer.concat([callFrame(1, odd), frame(data, flags.endStream, 1, emptyMessage)]));
  await until(() => service.output().includes("unauthenticated"));
  await playFriend(service);
  socket.destroy();
  expect(service.output()).not.toContain("planted");
  for (const line of service.output().split("\n").slice(0, -1)) expect(() => JSON.parse(line)).not.toThrow();
});

test.each([
  ["that is not ASCII", "/\u00e9"],
  ["of dots", "/.."],
  ["of slashes", "//"],
  ["for all", "*"],
  ["of a call and more", `${path}\u00ff`],
  ["of a call and NUL", `${path}%00`],
  ["of 60 kB", `/${"x".repeat(60_000)}`],
])("a path %s does not end the service", async (_name, odd) => {
  const socket = await openHttp2(service.grpcAddress);
  await send(socket, headerFrames(1, callHeaders(odd)));
  await expect(playFriend(service)).resolves.toBeUndefined();
  socket.destroy();
});
