// What calls and connections of the gRPC port may hold, whichever rpc is called: their headers, their messages, their
// streams and the responses that nobody takes.
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { create } from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import { describe, expect, onTestFinished, test } from "vitest";
import { RenderReportResponseSchema, ReportService } from "../../../src/gen/assessment/v1/report_service_pb.ts";
import { SessionService } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { TokenService } from "../../../src/gen/assessment/v1/token_service_pb.ts";
import type { Core } from "../../../src/kernel/calls/core.ts";
import { Refusal } from "../../../src/kernel/errors/refusal.ts";
import { Connections } from "../../../src/limits/connections.ts";
import { ArrivingMessages, MemoryBudget } from "../../../src/limits/memory.ts";
import { bareGrpcPort } from "../../support/transports/bare-port.ts";
import { admittedCall } from "../../support/transports/core-call.ts";
import {
  answerToPing,
  callHeaders,
  endedStreams,
  flags,
  frame,
  frameTypes,
  repeatingHeaders,
  send,
  streams,
  windowSettings,
} from "../../support/transports/wire/http2-frames.ts";
import { until } from "../../support/until.ts";

const { data, headers } = frameTypes;
const mib = 1 << 20;
const emptyMessage = Buffer.alloc(5);
const paths = {
  "an rpc": `/${TokenService.typeName}/${TokenService.method.issueToken.name}`,
  "an rpc that needs a token": `/${SessionService.typeName}/${SessionService.method.createSession.name}`,
  "a check of health": "/grpc.health.v1.Health/Check",
  "a watch of health": "/grpc.health.v1.Health/Watch",
  reflection: "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
};
const renderReport = `/${ReportService.typeName}/${ReportService.method.renderReport.name}`;
/**
 * Refuses who has no token, and else reads the message and responds.
 * @param handle resolves when a call has its response. @param responseBytes length of responses
 */
const coreOf = (handle: () => Promise<void>, responseBytes: number): Core => ({
  async admit(method, head) {
    const { context, origin } = head;
    const token = head.header("authorization");
    if (token === undefined && method.name !== "IssueToken") throw new Refusal("unauthenticated", "A test.");
    context.caller = token === undefined ? undefined : { partner: token, client: token };
    return admittedCall({
      caller: context.caller,
      address: origin.address,
      run: async () => {
        await handle();
        return create(RenderReportResponseSchema, { body: new Uint8Array(responseBytes) }) as never;
      },
    });
  },
});

/** @param places idle connections that unauthenticated callers may have: 32 KiB each */
async function start({
  places = 128,
  receiveTimeoutMs = 600_000,
  handle = async () => {},
  responseBytes = mib,
}: {
  places?: number;
  receiveTimeoutMs?: number;
  handle?: () => Promise<void>;
  responseBytes?: number;
} = {}) {
  const memory = new MemoryBudget({ unauthenticated: places << 15, authenticated: 64 * mib });
  const connections = new Connections(memory, () => false);
  const services = [ReportService, SessionService, TokenService];
  const { port } = await bareGrpcPort({ core: coreOf(handle, responseBytes), connections, services, receiveTimeoutMs });
  /** A connection of another network for each address that is given. */
  const open = (localAddress = "127.0.0.1", settings = frame(frameTypes.settings, 0, 0)): Socket => {
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    socket.on("error", () => undefined).resume();
    socket.write(Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), settings]));
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  return { open, port, memory };
}

/** Calls of one client with an empty message. */
function clientOf(address: string) {
  const client = new grpc.Client(address, grpc.credentials.createInsecure());
  onTestFinished(() => client.close());
  const metadata = new grpc.Metadata();
  metadata.set("authorization", "one");
  const same = (bytes: Buffer) => bytes;
  return (path: string, done: (error: grpc.ServiceError | null) => void) =>
    client.makeUnaryRequest(path, same, same, Buffer.alloc(0), metadata, done);
}

function begin(stream: number, block: Buffer): Buffer {
  return frame(headers, flags.endHeaders, stream, block);
}

describe.each(Object.entries(paths))("bounds of connections at %s", (_name, path) => {
  test("a call with headers beyond 20 KiB is refused, though the client has not agreed to that limit", async () => {
    const { port } = await start({ places: 5_120 });
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    onTestFinished(() => session.destroy());
    const statusWith = (bytes: number) =>
      new Promise((resolve) => {
        const names = { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" };
        const stream = session.request({ ...names, "x-large": "x".repeat(bytes) });
        for (const event of ["response", "trailers"]) {
          stream.on(event, (received: Record<string, unknown>) => {
            if (received["grpc-status"] !== undefined) resolve(Number(received["grpc-status"]));
          });
        }
        stream.resume().end();
      });
    expect(await statusWith(21_000)).toBe(8);
    if (path !== paths["a watch of health"]) expect(await statusWith(19_000)).not.toBe(8);
  });

  test("many calls without a message close connections of their own network, and no others", async () => {
    const { open } = await start();
    const other = open("127.0.0.2");
    await send(other, begin(1, callHeaders(path)));
    const partner = open();
    await send(partner, begin(1, callHeaders(renderReport, [["authorization", "one"]])));
    await Promise.all([other, partner].map(answerToPing));
    const loud: Socket[] = [];
    for (let count = 0; count < 8; count += 1) {
      const socket = open();
      loud.push(socket);
      await send(socket, Buffer.concat(streams(40).map((stream) => begin(stream, callHeaders(path)))));
      await Promise.race([answerToPing(socket), new Promise((resolve) => socket.once("close", resolve))]);
    }
    await until(() => loud[0]?.closed === true);
    await Promise.all([other, partner].map(answerToPing));
  });

  test("a connection may carry any number of calls, served or refused", async () => {
    const { open } = await start({ places: 800 });
    const socket = open();
    const ended = endedStreams(socket);
    const block = callHeaders(path);
    const isWatch = path === paths["a watch of health"];
    for (const stream of streams(400)) {
      await send(socket, Buffer.concat([begin(stream, block), frame(data, flags.endStream, stream, emptyMessage)]));
      if (isWatch) await send(socket, frame(frameTypes.reset, 0, stream, Buffer.alloc(4)));
      // A few at the same time, as clients have them.
      else if (stream % 20 === 19) await until(() => ended.size === (stream + 1) / 2);
    }
    await answerToPing(socket);
  });
});

test.each([
  [
    "a header that is sent once and referenced often",
    repeatingHeaders(paths["an rpc"], "x-bin", "A".repeat(4_000), 15),
  ],
  ["a header of many short values", repeatingHeaders(paths["an rpc"], "x-bin", "AAAA,".repeat(80), 1)],
  [
    "one short header many times",
    callHeaders(
      paths["an rpc"],
      Array.from({ length: 80 }, () => ["x-again", "short"] as const),
    ),
  ],
])("a call with %s is refused, and the connection that goes on so ends", async (_name, block) => {
  const { open } = await start({ places: 5_120 });
  const socket = open();
  await send(socket, Buffer.concat(streams(20).map((stream) => begin(stream, block))));
  await until(() => socket.closed);
});

test.each([
  ["a deadline", { receiveTimeoutMs: 600_000 }, [["grpc-timeout", "500m"]] as const],
  ["the time of a message", { receiveTimeoutMs: 50 }, []],
])("the parts of messages received before %s ends are released with their connection", async (_name, options, more) => {
  const { open } = await start(options);
  const socket = open();
  const half = Buffer.alloc(20_000);
  half.writeUInt32BE(mib - 1, 1);
  const calls = streams(6).map((stream) =>
    Buffer.concat([begin(stream, callHeaders(paths["an rpc"], more)), frame(data, 0, stream, half.subarray(0, 9_000))]),
  );
  await send(socket, Buffer.concat(calls));
  await until(() => socket.closed);
});

describe("unread responses", () => {
  const ask = (stream: number, client: string) =>
    Buffer.concat([
      begin(stream, callHeaders(renderReport, [["authorization", client]])),
      frame(data, flags.endStream, stream, emptyMessage),
    ]);

  test("a client with 64 MiB of unread responses, each byte counted twice, loses its connection, and no other client does", async () => {
    const { open } = await start();
    const other = open("127.0.0.1", windowSettings(0));
    await send(other, ask(1, "another"));
    const socket = open("127.0.0.1", windowSettings(0));
    for (const stream of streams(40)) await send(socket, ask(stream, "one"));
    await until(() => socket.closed);
    await answerToPing(other);
  });

  test("an unread response counts at least as much as an idle connection", async () => {
    const { open, memory } = await start({ responseBytes: 1 });
    const socket = open("127.0.0.1", windowSettings(0));
    for (const stream of streams(100)) await send(socket, ask(stream, "one"));
    await until(() => memory.reservedBytes.authenticated === 101 << 15);
  });

  test("the response to a call that its client has cancelled meanwhile counts nothing", async () => {
    const calls = 20;
    const released = Promise.withResolvers<void>();
    let running = 0;
    const { port, memory } = await start({
      handle: async () => {
        running += 1;
        await released.promise;
      },
    });
    const call = clientOf(`127.0.0.1:${port}`);
    const finish = (path: string) =>
      new Promise<void>((resolve, reject) => call(path, (error) => (error === null ? resolve() : reject(error))));
    const cancelledCodes = Array.from({ length: calls }, () => {
      const { promise, resolve } = Promise.withResolvers<number | undefined>();
      return { promise, request: call(renderReport, (error) => resolve(error?.code)) };
    });
    await until(() => running === calls);
    const before = memory.reservedBytes;
    for (const { request } of cancelledCodes) request.cancel();
    const codes = await Promise.all(cancelledCodes.map(({ promise }) => promise));
    expect(new Set(codes)).toEqual(new Set([grpc.status.CANCELLED]));
    // On the same connection, so that the server has read of every cancelled call before.
    await finish(paths["a check of health"]);
    released.resolve();
    await finish(renderReport);
    expect(memory.reservedBytes).toEqual(before);
  });

  test("a client gets twelve large responses at once if it reads them", async () => {
    const { port } = await start();
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    onTestFinished(() => session.destroy());
    const names = { ":method": "POST", ":path": renderReport, "content-type": "application/grpc", te: "trailers" };
    const outcomes = await Promise.all(
      streams(12).map(async () => {
        const stream = session.request({ ...names, authorization: "one" });
        stream.end(emptyMessage);
        let bytes = 0;
        for await (const chunk of stream) bytes += (chunk as Buffer).length;
        return bytes > mib;
      }),
    );
    expect(new Set(outcomes)).toEqual(new Set([true]));
  });
});

test.each([paths["an rpc"], paths["a check of health"]])(
  "while as many messages arrive and wait as may, a call of %s is refused, and the server lives",
  async (path) => {
    const bodies = new ArrivingMessages();
    const waiting = new AbortController();
    let isFull = false;
    for (let index = 0; !isFull; index += 1) {
      try {
        const slot = bodies.unmeasuredSlots.acquire({ partner: `${index}`, client: `${index}` }, waiting.signal);
        if (slot instanceof Promise) slot.catch(() => undefined);
      } catch {
        isFull = true;
      }
    }
    onTestFinished(() => waiting.abort());
    const { address } = await bareGrpcPort({
      core: coreOf(async () => {}, 1),
      bodies,
      services: [TokenService],
      receiveTimeoutMs: 600_000,
    });
    const call = clientOf(address);
    const code = () => new Promise((resolve) => call(path, (error) => resolve(error?.code)));
    expect([await code(), await code()]).toEqual([grpc.status.UNAVAILABLE, grpc.status.UNAVAILABLE]);
  },
);
