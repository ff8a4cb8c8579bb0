// Every rpc of the gRPC port, those of health and reflection among them, has a bound by network: on headers, on
// messages, on streams and on how long they live. Responses that nobody takes have one by client.
import { type ClientHttp2Stream, connect as connectHttp2 } from "node:http2";
import type { Socket } from "node:net";
import { create } from "@bufbuild/protobuf";
import { ServerCredentials } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { RenderReportResponseSchema, ReportService } from "../../../src/gen/assessment/v1/report_service_pb.ts";
import { TokenService } from "../../../src/gen/assessment/v1/token_service_pb.ts";
import { BodyBudget } from "../../../src/kernel/calls/body-budget.ts";
import { type Core, maxBytesOf } from "../../../src/kernel/calls/core.ts";
import { Refusal } from "../../../src/kernel/errors/refusal.ts";
import { requiredScope } from "../../../src/kernel/rpc-options/audit-rules.ts";
import { services } from "../../../src/process/core.ts";
import { type GrpcServer, startGrpcServer } from "../../../src/transport/grpc/server.ts";
import { StreamPools } from "../../../src/transport/grpc/stream-bounds.ts";
import { until } from "../../support/friend.ts";
import { newTimers, type TestTimers } from "../../support/measures/timers.ts";
import {
  answerToPing,
  callHeaders,
  endedStreams,
  flags,
  frame,
  frameTypes,
  openHttp2,
  repeatingHeaders,
  send,
  windowSettings,
} from "../../support/transports/wire/http2-frames.ts";

const { data, headers } = frameTypes;
const mib = 1 << 20;
/** Of calls, watches and reflection: what a network may hold, and all of them together. */
const networkBytes = 8 * mib;
const allBytes = 64 * mib;
const clientBytes = 16 * mib;
const emptyMessage = Buffer.alloc(5);
/** A message of 1 MiB that has not come further than one of an unknown caller may. */
const longMessage = (() => {
  const start = Buffer.alloc(5);
  start.writeUInt32BE(mib, 1);
  return Buffer.concat([start, Buffer.alloc(11_000)]);
})();
const report = create(RenderReportResponseSchema, { body: new Uint8Array(mib) });

/**
 * A core that finds nobody out: calls that need a token go no further, unless it is one of somebody refused or known.
 * Reports it answers with a mebibyte.
 */
const core: Core = {
  async call(incoming) {
    const token = incoming.header("authorization");
    if (token === "refused") throw new Refusal("unauthenticated", "This is a test.");
    if (token === undefined && requiredScope(incoming.method) !== "none") await new Promise(() => undefined);
    const sender = { knownAs: undefined, address: incoming.origin.address };
    await incoming.read({ maxBytes: maxBytesOf("none"), sender });
    if (token === undefined) throw new Refusal("unavailable", "This is a test.");
    incoming.onCaller?.({ partner: token, client: token });
    return report as never;
  },
};

let timers: TestTimers;
let pools: StreamPools;
let server: GrpcServer;
const cuts: string[] = [];

beforeAll(async () => {
  timers = newTimers();
  pools = new StreamPools(timers.after, (pool, reason) => void cuts.push(`${pool} ${reason}`));
  server = await startGrpcServer({
    core,
    pools,
    services,
    budget: new BodyBudget(),
    host: "127.0.0.1",
    port: 0,
    credentials: ServerCredentials.createInsecure(),
    receiveTimeoutMs: 600_000,
    addressOf: (peer, forwardedFor) => forwardedFor ?? peer,
  });
  server.setServing(true);
});
afterAll(() => server.stop(0));

/** A connection that has not said that it follows the settings, and the streams of it that ended. */
async function open(more?: Buffer): Promise<{ socket: Socket; ended: ReadonlySet<number> }> {
  const socket = await openHttp2(`127.0.0.1:${server.port}`, more);
  onTestFinished(() => void socket.destroy());
  return { socket, ended: endedStreams(socket) };
}

/** Numbers of streams that a client may open. */
function streams(count: number): number[] {
  return Array.from({ length: count }, (_, index) => 2 * index + 1);
}

function begin(stream: number, block: Buffer): Buffer {
  return frame(headers, flags.endHeaders, stream, block);
}

const from = (path: string, network: string) => callHeaders(path, [["x-forwarded-for", network]]);
/** Headers of that many bytes and some hundred more, from a few bytes. */
const large = (path: string, bytes: number, network = "192.0.2.1") =>
  repeatingHeaders(path, "x-large-bin", "A".repeat(bytes / 16 - 43), 16, from(path, network));
const bufferedBytes = () => Object.values(pools.bufferedBytes()).reduce((sum, bytes) => sum + bytes, 0);
/** Whatever is done next finds the port at rest. */
const atRest = (socket: Socket) => {
  socket.destroy();
  return until(() => bufferedBytes() === 0);
};

test("every rpc of every service is served, with health and reflection, and nothing else", () => {
  const reflection = ["v1", "v1alpha"].map((each) => `/grpc.reflection.${each}.ServerReflection/ServerReflectionInfo`);
  const health = ["Check", "List", "Watch"].map((each) => `/grpc.health.v1.Health/${each}`);
  const own = services.flatMap(({ typeName, methods }) => methods.map(({ name }) => `/${typeName}/${name}`));
  expect(server.paths.toSorted()).toEqual([...own, ...health, ...reflection].toSorted());
});

describe("whichever rpc is called", () => {
  /** Goes through all rpcs, each on a connection of its own. */
  async function each(look: (path: string, socket: Socket, ended: ReadonlySet<number>) => Promise<void>) {
    for (const path of [...server.paths, "/assessment.v1.SessionService/Nothing", "/"]) {
      const { socket, ended } = await open();
      await look(path, socket, ended);
      await atRest(socket);
    }
  }

  test("headers beyond 20 KiB are refused, though the client has not agreed to that", async () => {
    const refused: string[] = [];
    await each(async (path, socket, ended) => {
      await send(socket, Buffer.concat([begin(1, large(path, 19_000)), begin(3, large(path, 21_000))]));
      await answerToPing(socket);
      if (!ended.has(1) && ended.has(3)) refused.push(path);
    });
    expect(refused).toEqual(server.paths);
  });

  test("headers that are sent often hold no more than 8 MiB for a network, and another one has room", async () => {
    await each(async (path, socket, ended) => {
      const block = large(path, 19_000);
      await send(socket, Buffer.concat(streams(200).map((stream) => begin(stream, block))));
      await answerToPing(socket);
      expect([path, bufferedBytes() <= networkBytes, ended.size >= 10]).toEqual([path, true, true]);
      const before = ended.size;
      await send(socket, begin(501, from(path, "198.51.100.1")));
      await answerToPing(socket);
      const isServed = server.paths.includes(path);
      expect([path, ended.size - before]).toEqual([path, isServed ? 0 : 1]);
    });
  });

  test("a message that is longer than one of somebody unknown may be is refused before its end", async () => {
    const refused: string[] = [];
    await each(async (path, socket, ended) => {
      const call = callHeaders(path, [["authorization", "refused"]]);
      await send(socket, Buffer.concat([begin(1, call), frame(data, 0, 1, longMessage)]));
      for (let piece = 0; piece < 5; piece += 1) await send(socket, frame(data, 0, 1, Buffer.alloc(10_000)));
      await until(() => ended.has(1));
      refused.push(path);
    });
    expect(refused).toEqual(expect.arrayContaining([...server.paths]));
  });

  test("a stream on which nothing more comes ends", async () => {
    await each(async (path, socket, ended) => {
      await send(socket, begin(1, from(path, "192.0.2.1")));
      await answerToPing(socket);
      expect([path, bufferedBytes() > 0]).toEqual([path, true]);
      await timers.pass(600_000);
      await until(() => ended.has(1));
      expect([path, bufferedBytes()]).toEqual([path, 0]);
    });
  });
});

test("30 connections, each with 250 streams that name one header of 4 kB 15 times, hold as much as one network may", async () => {
  const path = `/${TokenService.typeName}/${TokenService.method.issueToken.name}`;
  const connections = await Promise.all(Array.from({ length: 30 }, () => open()));
  for (const { socket } of connections) {
    const block = repeatingHeaders(path, "x-bin", "A".repeat(4_000), 15);
    await send(socket, Buffer.concat(streams(250).map((stream) => begin(stream, block))));
  }
  await Promise.all(connections.map(({ socket }) => answerToPing(socket)));
  expect(bufferedBytes()).toBeGreaterThan(0);
  expect(bufferedBytes()).toBeLessThanOrEqual(networkBytes);
  expect(connections.every(({ ended }) => ended.size === 250)).toBe(true);
  for (const { socket } of connections) socket.destroy();
  await until(() => bufferedBytes() === 0);
});

test("streams of many networks hold no more than all may, and those of the network that holds most give way", async () => {
  const path = `/${TokenService.typeName}/${TokenService.method.issueToken.name}`;
  const quiet = await open();
  await send(quiet.socket, begin(1, from(path, "192.0.2.1")));
  await answerToPing(quiet.socket);
  const loud = await Promise.all(Array.from({ length: 8 }, () => open()));
  for (const [index, { socket }] of loud.entries()) {
    const block = large(path, 19_000, `198.51.100.${index}`);
    await send(socket, Buffer.concat(streams(170).map((stream) => begin(stream, block))));
    await answerToPing(socket);
  }
  expect(bufferedBytes()).toBeLessThanOrEqual(allBytes);
  expect(cuts).toContain("calls total");
  expect(quiet.ended.size).toBe(0);
  for (const { socket } of [quiet, ...loud]) socket.destroy();
  await until(() => bufferedBytes() === 0);
});

describe("watches of health", () => {
  const watch = "/grpc.health.v1.Health/Watch";

  test("are as many as 128 for a network, and leave calls of health their room", async () => {
    const connections = await Promise.all(Array.from({ length: 5 }, () => open()));
    const call = (stream: number, path: string) =>
      Buffer.concat([begin(stream, callHeaders(path)), frame(data, flags.endStream, stream, emptyMessage)]);
    for (const { socket } of connections) {
      await send(socket, Buffer.concat(streams(200).map((stream) => call(stream, watch))));
      await answerToPing(socket);
    }
    const left = () => connections.reduce((sum, { ended }) => sum - ended.size, 1_000);
    await until(() => left() <= 128);
    expect(left()).toBeGreaterThan(100);
    const answer = connectHttp2(`http://127.0.0.1:${server.port}`);
    onTestFinished(() => answer.destroy());
    expect(await statusOf(begun(answer, "/grpc.health.v1.Health/Check"))).toBe("0");
    answer.destroy();
    for (const { socket } of connections) socket.destroy();
    await until(() => bufferedBytes() === 0);
  });

  test("end after ten minutes with a status that has clients watch again", async () => {
    const session = connectHttp2(`http://127.0.0.1:${server.port}`);
    onTestFinished(() => session.destroy());
    const stream = begun(session, watch);
    const told = new Promise((resolve) => stream.once("data", resolve));
    await told;
    const status = statusOf(stream);
    await timers.pass(599_000);
    expect(pools.watches.bufferedBytes).toBeGreaterThan(0);
    await timers.pass(1_000);
    expect(await status).toBe("14");
    expect(bufferedBytes()).toBe(0);
  });
});

describe("responses that nobody takes", () => {
  const path = `/${ReportService.typeName}/${ReportService.method.renderReport.name}`;
  const ask = (stream: number, client: string) =>
    Buffer.concat([
      begin(stream, callHeaders(path, [["authorization", client]])),
      frame(data, flags.endStream, stream, emptyMessage),
    ]);

  test("are held up to 16 MiB of a client, the newest of them, and none after a minute", async () => {
    const { socket, ended } = await open(windowSettings(0));
    await send(socket, ask(1, "another"));
    await until(() => pools.responses.bufferedBytes > mib);
    for (const stream of streams(40)) await send(socket, ask(stream + 2, "one"));
    await until(() => ended.size >= 25);
    await answerToPing(socket);
    expect(pools.responses.bufferedBytes).toBeLessThanOrEqual(clientBytes + 2 * mib);
    expect([ended.has(1), ended.has(3), ended.has(81)]).toEqual([false, true, false]);
    await timers.pass(60_000);
    await until(() => ended.size === 41);
    expect(bufferedBytes()).toBe(0);
    await atRest(socket);
  });

  test("are given to a client that takes twelve of them at once, and then held no longer", async () => {
    const session = connectHttp2(`http://127.0.0.1:${server.port}`);
    onTestFinished(() => session.destroy());
    const taken = await Promise.all(
      streams(12).map(async () => {
        const stream = begun(session, path);
        let bytes = 0;
        stream.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
        });
        return [await statusOf(stream), bytes > mib];
      }),
    );
    expect(new Set(taken.map(String))).toEqual(new Set(["0,true"]));
    await until(() => bufferedBytes() === 0);
  });

  test("are let go of where a caller takes a part and no more", async () => {
    const { socket, ended } = await open();
    await send(socket, ask(1, "one"));
    await until(() => pools.responses.bufferedBytes > 0);
    await timers.pass(60_000);
    await until(() => ended.has(1));
    await atRest(socket);
  });
});

function begun(session: ReturnType<typeof connectHttp2>, path: string): ClientHttp2Stream {
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
    authorization: "one",
  });
  stream.on("error", () => undefined).resume();
  stream.end(emptyMessage);
  return stream;
}

/** The status of a call, when it is over. */
function statusOf(stream: ClientHttp2Stream): Promise<string | undefined> {
  return new Promise((resolve) => {
    let status: string | undefined;
    for (const event of ["response", "trailers"] as const) {
      stream.on(event, (received: Record<string, unknown>) => {
        if (received["grpc-status"] !== undefined) status = String(received["grpc-status"]);
      });
    }
    stream.once("close", () => resolve(status));
  });
}
