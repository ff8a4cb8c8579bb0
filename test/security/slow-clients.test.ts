// Clients that take their time: whoever has not sent a whole request when the time is over is sent away, on both ports,
// and neither a byte now and then nor many of them change that.
import type { Socket } from "node:net";
import * as grpc from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { BodyBudget } from "../../src/contract/body-budget.ts";
import { createGateway } from "../../src/gateway/gateway.ts";
import { SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { listen } from "../../src/http/server.ts";
import { startGrpcServer } from "../../src/rpc/grpc/server.ts";
import { playFriend, until } from "../support/friend.ts";
import { callHeaders, flags, frame, frameTypes, openHttp2, openSocket, send } from "../support/http2-frames.ts";
import { startServed } from "../support/served.ts";

const receiveTimeoutMs = 300;

/** Writes a little now and then until the other side has closed. */
async function trickle(socket: Socket, little: string): Promise<void> {
  const timer = setInterval(() => socket.writable && socket.write(little), receiveTimeoutMs / 6);
  socket.resume();
  await until(() => socket.closed);
  clearInterval(timer);
}

async function startHttp(): Promise<string> {
  const http = createGateway({
    core: undefined,
    budget: new BodyBudget(),
    publicUrl: () => "http://service.example",
    receiveTimeoutMs,
    trustedProxies: [],
    requestObserver: () => undefined,
    reportDefect: () => undefined,
    isStopping: () => false,
    scopes: {},
    readiness: async () => ({ isReady: true }),
    metrics: async () => "",
    metricsToken: undefined,
  });
  onTestFinished(() => http.close());
  return new URL(await listen(http, "127.0.0.1", 0)).host;
}

async function startGrpc(): Promise<string> {
  const unreached = () => Promise.reject(new Error("no whole request was sent"));
  const server = await startGrpcServer({
    core: { call: ({ read }) => Promise.resolve(read({ maxBytes: 1 << 20 })).then(unreached) },
    budget: new BodyBudget(),
    addressOf: (peer) => peer,
    services: [SessionService],
    host: "127.0.0.1",
    port: 0,
    credentials: grpc.ServerCredentials.createInsecure(),
    receiveTimeoutMs,
  });
  onTestFinished(() => server.stop(0));
  return `127.0.0.1:${server.port}`;
}

test.each([
  ["nothing", "", ""],
  ["an empty line", "\r\n", "\r\n"],
  ["part of a header", "GET /livez HTTP/1.1\r\nHost: a\r\nX-Slow: ", "a"],
  ["part of a body", "POST /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{", "a"],
  ["part of a chunk", "POST /livez HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n{", "a"],
])("HTTP: a connection on which comes %s, and then as little now and then, is closed", async (_name, start, little) => {
  const socket = await openSocket(await startHttp());
  socket.write(start);
  await trickle(socket, little);
});

test.each([
  ["nothing", ""],
  ["part of the preface", "PRI * HTT"],
])("gRPC: a connection on which comes %s is closed", async (_name, start) => {
  const socket = await openSocket(await startGrpc());
  socket.resume().write(start);
  await until(() => socket.closed);
});

test("gRPC: a connection that does not answer when it is asked for a sign of life is closed", async () => {
  const socket = await openHttp2(await startGrpc());
  await until(() => socket.closed);
});

test("gRPC: a message that comes byte by byte is cut off, and its stream with it", async () => {
  const socket = await openHttp2(await startGrpc());
  const { data, headers, ping, reset } = frameTypes;
  const isReset = new Promise<void>((resolve) => {
    let received = Buffer.alloc(0);
    socket.on("data", (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      while (received.length >= 9 && received.length >= 9 + received.readUIntBE(0, 3)) {
        const [type, length] = [received[3], received.readUIntBE(0, 3)];
        if (type === ping) socket.write(frame(ping, 1, 0, received.subarray(9, 17)));
        if (type === reset) resolve();
        received = received.subarray(9 + length);
      }
    });
  });
  const path = `/${SessionService.typeName}/CreateSession`;
  await send(socket, frame(headers, flags.endHeaders, 1, callHeaders(path)));
  await send(socket, frame(data, 0, 1, Buffer.of(0, 0, 0, 255, 255)));
  const timer = setInterval(() => socket.write(frame(data, 0, 1, Buffer.of(1))), receiveTimeoutMs / 6);
  await isReset;
  clearInterval(timer);
  expect(socket.closed).toBe(false);
  socket.destroy();
});

test("HTTP: a friendly client is served while hundreds send slowly, known ones among them", async () => {
  const service = await startServed();
  onTestFinished(() => service.stop());
  const { host } = new URL(service.httpUrl);
  const before = await service.residentBytes();
  const known = `POST /v1/values-bridge/sessions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.token}\r\n`;
  const starts = [
    "GET /livez HTTP/1.1\r\nHost: a\r\nX-Slow: ",
    "POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\na",
    `${known}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{`,
  ];
  const sockets: Socket[] = [];
  for (const start of Array.from({ length: 300 }, (_, index) => starts[index % starts.length] ?? "")) {
    const socket = await openSocket(host);
    socket.write(start);
    sockets.push(socket.resume());
  }
  await playFriend(service);
  for (const socket of sockets) socket.write(Buffer.alloc(30_000, "a"));
  await playFriend(service);
  const grown = (await service.residentBytes()) - before;
  console.log(`${Math.round(grown / (1 << 20))} MiB more`);
  for (const socket of sockets) socket.destroy();
  expect(grown).toBeLessThan(128 << 20);
});
