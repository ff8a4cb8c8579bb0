// No stranger fills the memory over gRPC: whichever rpc is called without a token, and however many connections and
// networks the calls come from, the process stays below what its manifest grants it.
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { services } from "../../src/kernel/services.ts";
import { inExtent, inTurns } from "../support/extent.ts";
import { playFriend, untilServed } from "../support/friend.ts";
import { servedOfFile } from "../support/of-file.ts";
import {
  answerToPing,
  callHeaders,
  flags,
  frame,
  frameTypes,
  openHttp2,
  repeatingHeaders,
  send,
  windowSettings,
} from "../support/transports/wire/http2-frames.ts";

const { data, headers } = frameTypes;
const connections = 30;
const streamsOfConnection = 250;
const emptyMessage = Buffer.alloc(5);
const manifest = parse(readFileSync("deploy/kubernetes/deployment.yaml", "utf8"));
const grantedBytes = Number.parseInt(manifest.spec.template.spec.containers[0].resources.limits.memory, 10) << 20;

const rpcs = [
  ...services.flatMap(({ typeName, methods }) => methods.map(({ name }) => `/${typeName}/${name}`)),
  ...["Check", "List", "Watch"].map((name) => `/grpc.health.v1.Health/${name}`),
  ...["v1", "v1alpha"].map((version) => `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`),
];
/** One of each kind: the pipeline's with and without a token, health's, reflection's. A short run takes two in turn. */
const kinds = [
  "TokenService/IssueToken",
  "SessionService/CreateSession",
  "Health/Check",
  "Health/Watch",
  "v1.ServerRe",
];

type Frames = (path: string, stream: number, network: string) => Buffer;

const begin = (stream: number, block: Buffer) => frame(headers, flags.endHeaders, stream, block);
const from = (path: string, network: string) => callHeaders(path, [["x-forwarded-for", network]]);
/** A message whose only field is a text that no other message has. */
function textFor(stream: number, network: string): Buffer {
  const text = Buffer.from(`${network} ${stream} `.padEnd(12_000, "x"));
  const field = Buffer.concat([Buffer.of(0x0a, (text.length & 127) | 128, text.length >> 7), text]);
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(field.length, 1);
  return Buffer.concat([prefix, field]);
}

const attacks: Readonly<Record<string, Frames>> = {
  "one header named 15 times, and no message": (path, stream, network) =>
    begin(stream, repeatingHeaders(path, "x-bin", "A".repeat(4_000), 15, from(path, network))),
  "as many headers as it takes, and no message": (path, stream, network) =>
    begin(stream, repeatingHeaders(path, "x-bin", "A".repeat(1_100), 16, from(path, network))),
  "a message that stops before its end": (path, stream, network) =>
    Buffer.concat([begin(stream, from(path, network)), frame(data, 0, stream, Buffer.of(0, 0, 0, 255, 255, 1, 2, 3))]),
  "an answer that is not taken": (path, stream, network) =>
    Buffer.concat([begin(stream, from(path, network)), frame(data, flags.endStream, stream, emptyMessage)]),
  "a name that nothing else has": (path, stream, network) =>
    Buffer.concat([begin(stream, from(path, network)), frame(data, flags.endStream, stream, textFor(stream, network))]),
};

const service = await servedOfFile({ TRUSTED_PROXIES: "127.0.0.0/8" });
await playFriend(service);

/** Makes the calls over many connections, each of another network or all of one. @returns the memory when all stand */
async function attackWith(frames: Frames, path: string, areManyNetworks: boolean): Promise<number> {
  const sockets: Socket[] = [];
  for (let index = 0; index < connections; index += 1) {
    const network = areManyNetworks ? `203.0.113.${index}` : "203.0.113.0";
    const socket = await openHttp2(service.grpcAddress, windowSettings(0));
    sockets.push(socket);
    for (let stream = 1; stream < 2 * streamsOfConnection; stream += 2) {
      if (!(await send(socket, frames(path, stream, network)))) break;
    }
  }
  await Promise.all(sockets.filter((socket) => !socket.closed).map((socket) => untilAnswered(socket)));
  const bytes = await service.residentBytes();
  for (const socket of sockets) socket.destroy();
  return bytes;
}

/** Resolves when the other side has taken in all that was sent, or has cut the connection. */
function untilAnswered(socket: Socket): Promise<unknown> {
  return Promise.race([answerToPing(socket), new Promise((resolve) => socket.once("close", resolve))]);
}

const cases = Object.entries(attacks).flatMap(([name, frames], turn) =>
  inTurns(["many networks", "one network"], 2, turn).map((networks) => [name, networks, frames, turn] as const),
);

test.each(cases)("calls with %s, from %s, keep the process below its limit", async (name, networks, frames, turn) => {
  const ofKinds = kinds.flatMap((kind) => rpcs.find((path) => path.includes(kind)) ?? []);
  expect(ofKinds).toHaveLength(kinds.length);
  const paths = inExtent(
    rpcs,
    ofKinds.filter((_, index) => (index + turn) % kinds.length < 2),
  );
  const most: [string, number] = ["", 0];
  for (const path of paths) {
    const bytes = await attackWith(frames, path, networks === "many networks");
    if (bytes > most[1]) most.splice(0, 2, path, bytes);
  }
  console.log(`${name}: ${Math.round(most[1] / (1 << 20))} MiB at most, by ${most[0]}`);
  expect(most[1]).toBeLessThan(grantedBytes);
  await untilServed(service);
});
