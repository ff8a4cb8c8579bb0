// Clients that take their time: whoever has not sent a whole request when the time is over is sent away, on both ports,
// and neither a byte now and then nor many of them change that.
import { type ClientHttp2Stream, connect as connectHttp2 } from "node:http2";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import * as grpc from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import type { Core } from "../../src/kernel/calls/core.ts";
import { ArrivingMessages } from "../../src/limits/memory.ts";
import { listen } from "../../src/transport/http/server.ts";
import { createRemoteCore } from "../../src/transport/remote-core/remote-core.ts";
import { addCaller } from "../support/app.ts";
import { appOfTest } from "../support/of-test.ts";
import { bareGrpcPort, barePort } from "../support/transports/bare-port.ts";
import { admittedCall } from "../support/transports/core-call.ts";
import { openHttp2, openSocket } from "../support/transports/wire/http2-frames.ts";
import { until } from "../support/until.ts";

const receiveTimeoutMs = 300;

/** Far more than arrive in the time that is granted. */
const patience = 100;

/** Writes a little now and then until it is over, or for so long that it will never be. @returns whether it is over */
async function trickle(to: Socket | ClientHttp2Stream, little: string, isOver = () => to.closed): Promise<boolean> {
  for (let count = 0; count < patience && !isOver(); count += 1) {
    if (to.writable) to.write(little);
    await pause(receiveTimeoutMs / 6);
  }
  return isOver();
}

async function startHttp(core?: Core, bodies = new ArrivingMessages()): Promise<string> {
  const http = barePort({ core, bodies, receiveTimeoutMs });
  onTestFinished(() => http.close());
  return new URL(await listen(http, "127.0.0.1", 0)).host;
}

async function startGrpc(): Promise<string> {
  const run = () => Promise.reject(new Error("a whole request was sent"));
  return (await bareGrpcPort({ core: { admit: async () => admittedCall({ run }) }, receiveTimeoutMs })).address;
}

test.each([
  ["nothing", "", ""],
  ["an empty line", "\r\n", "\r\n"],
  ["part of a header", "GET /livez HTTP/1.1\r\nHost: a\r\nX-Slow: ", "a"],
  ["part of a body", "POST /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{", "a"],
  ["part of a chunk", "POST /livez HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n{", "a"],
])("HTTP: a connection on which %s arrives, and little after it, is closed", async (_name, start, little) => {
  const socket = await openSocket(await startHttp());
  onTestFinished(() => void socket.destroy());
  socket.resume().write(start);
  expect(await trickle(socket, little)).toBe(true);
});

test("HTTP: a known caller that sends its body byte by byte to a separate gateway gets 408, and its share of the bodies is freed", async () => {
  const app = await appOfTest();
  const { token } = await addCaller(app);
  const client = await app.addClient(await app.addPartner({ internal: true }), ["gateway"]);
  const outcomes: string[] = [];
  const observer = ({ outcome }: { readonly outcome: string }) => void outcomes.push(outcome);
  const url = `http://${app.grpcAddress}`;
  const observers = { observer, isInternalScope: () => false };
  const core = createRemoteCore({ url, ...client, ...observers, tls: {} });
  const bodies = new ArrivingMessages();
  const host = await startHttp(core, bodies);
  // The gateway knows the caller, so that finding out who it is takes nothing of the body's time.
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`http://${host}/v1/values-bridge/assessment`, { headers })).status).toBe(200);
  const socket = await openSocket(host);
  onTestFinished(() => void socket.destroy());
  let received = "";
  socket.on("data", (bytes: Buffer) => {
    received += bytes.toString("latin1");
  });
  const head = `POST /v1/values-bridge/sessions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}`;
  socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`);
  await until(() => bodies.memory.reservedBytes.authenticated > 0 || socket.closed);
  expect(await trickle(socket, " ")).toBe(true);
  expect(received).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
  await until(() => outcomes.length > 1);
  expect(outcomes).toEqual(["ok", "caller_gone"]);
  expect(bodies.memory.reservedBytes).toEqual({ authenticated: 0, unauthenticated: 0 });
});

test.each([
  ["nothing", ""],
  ["part of the preface", "PRI * HTT"],
])("gRPC: a connection on which only %s arrives is closed", async (_name, start) => {
  const socket = await openSocket(await startGrpc());
  socket.resume().write(start);
  await until(() => socket.closed);
});

test("gRPC: a connection that does not answer pings is closed", async () => {
  const socket = await openHttp2(await startGrpc());
  await until(() => socket.closed);
});

test.each([
  ["comes byte by byte", 255],
  ["is whole, and followed by no end of its stream,", 0],
])("gRPC: a message that %s is refused in time, and its connection stays", async (_name, length) => {
  const session = connectHttp2(`http://${await startGrpc()}`);
  onTestFinished(() => session.destroy());
  const path = `/${SessionService.typeName}/CreateSession`;
  const call = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
  });
  let status: unknown;
  call.on("response", (headers) => {
    status = headers["grpc-status"];
  });
  call.resume().write(Buffer.of(0, 0, 0, length, length));
  await trickle(call, length === 0 ? "" : "a", () => status !== undefined);
  expect(status).toBe(String(grpc.status.DEADLINE_EXCEEDED));
  expect(session.closed).toBe(false);
});
