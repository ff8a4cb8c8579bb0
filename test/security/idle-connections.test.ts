// A stranger that opens connections and says nothing, or half a header, holds so many of each port and no more. Time
// does not end them here: it is longer than the tests take.
import { once } from "node:events";
import type { Socket } from "node:net";
import * as grpc from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { Connections } from "../../src/kernel/calls/connections.ts";
import { BodyBudget, Budget } from "../../src/kernel/limits/budget.ts";
import { startGrpcServer } from "../../src/transport/grpc/server.ts";
import { maxIdleConnections } from "../../src/transport/http/idle-connections.ts";
import { listen } from "../../src/transport/http/server.ts";
import { barePort } from "../support/transports/bare-port.ts";
import { openHttp2, openSocket } from "../support/transports/wire/http2-frames.ts";

const receiveTimeoutMs = 300_000;

/** Opens one connection after the other, one more than there may be, and waits until the first is closed. */
async function openTooMany(open: () => Promise<Socket>, most: number): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  for (let count = 0; count <= most; count += 1) sockets.push((await open()).resume());
  const [first, ...others] = sockets;
  if (first?.closed === false) await once(first, "close");
  return others;
}

test("connections with half a header each close only the oldest over HTTP", async () => {
  const http = barePort({ receiveTimeoutMs });
  onTestFinished(() => http.close());
  const url = await listen(http, "127.0.0.1", 0);
  const others = await openTooMany(async () => {
    const socket = await openSocket(new URL(url).host);
    socket.write("GET /livez HTTP/1.1\r\nHost: a\r\nX-Half: ");
    return socket;
  }, maxIdleConnections);
  expect(others.filter((socket) => socket.closed)).toEqual([]);
  expect((await fetch(`${url}/livez`)).status).toBe(200);
});

test("connections without a call close only the oldest over gRPC", async () => {
  const server = await startGrpcServer({
    core: { call: () => Promise.reject(new Error("nobody calls")) },
    budget: new BodyBudget(),
    addressOf: (peer) => peer,
    connections: new Connections(new Budget({ total: 100 * (32 << 10), evicts: "oldest" }), () => false),
    services: [SessionService],
    host: "127.0.0.1",
    port: 0,
    credentials: grpc.ServerCredentials.createInsecure(),
    receiveTimeoutMs,
  });
  onTestFinished(() => server.stop(0));
  const others = await openTooMany(() => openHttp2(`127.0.0.1:${server.port}`), 100);
  expect(others.filter((socket) => socket.closed)).toEqual([]);
});
