// A stranger that opens connections and says nothing, or half a header, holds so many of each port and no more.
import { once } from "node:events";
import type { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { maxIdleConnections } from "../../src/kernel/calls/idle-connections.ts";
import { startTestApp } from "../support/app.ts";
import { openHttp2, openSocket } from "../support/doors/wire/http2-frames.ts";

/** Opens one connection after the other, one more than there may be. @returns the first, once it was closed */
async function openTooMany(open: () => Promise<Socket>): Promise<Socket> {
  const sockets: Socket[] = [];
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  for (let count = 0; count <= maxIdleConnections; count += 1) sockets.push((await open()).resume());
  const [first] = sockets;
  if (first === undefined) throw new Error("no connection was opened");
  if (!first.closed) await once(first, "close");
  expect(sockets.at(-1)?.closed).toBe(false);
  return first;
}

test("over HTTP, with half a header each", async () => {
  const app = await startTestApp();
  const { host } = new URL(app.httpUrl);
  const open = async () => {
    const socket = await openSocket(host);
    socket.write("GET /livez HTTP/1.1\r\nHost: a\r\nX-Half: ");
    return socket;
  };
  await openTooMany(open);
  expect((await fetch(`${app.httpUrl}/livez`)).status).toBe(200);
});

test("over gRPC, with a connection that has no call", async () => {
  const app = await startTestApp();
  await openTooMany(() => openHttp2(app.grpcAddress));
});
