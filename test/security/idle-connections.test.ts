// A stranger that opens connections and says nothing, or half a header, holds so many and no more, and so does a partner. Time
// does not end them here: it is longer than the tests take.
import { once } from "node:events";
import type { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Core } from "../../src/kernel/calls/core.ts";
import { Refusal } from "../../src/kernel/errors/refusal.ts";
import { Connections } from "../../src/limits/connections.ts";
import { MemoryBudget } from "../../src/limits/memory.ts";
import { listen } from "../../src/transport/http/server.ts";
import { bareGrpcPort, barePort } from "../support/transports/bare-port.ts";
import { openHttp2, openSocket } from "../support/transports/wire/http2-frames.ts";

const receiveTimeoutMs = 300_000;
const most = 100;
const newMemory = () => new MemoryBudget({ unauthenticated: most << 15, authenticated: most << 15 });

/** Knows every caller, and refuses all. */
const core: Core = {
  async admit(_method, { context }) {
    context.caller = { partner: "one", client: "one" };
    throw new Refusal("not_found", "A test.");
  },
};

/** Opens one connection after the other, one more than there may be, and waits until the first is closed. */
async function openTooMany(open: () => Promise<Socket>): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  for (let count = 0; count <= most; count += 1) sockets.push((await open()).resume());
  const [first, ...others] = sockets;
  if (first?.closed === false) await once(first, "close");
  return others;
}

async function openHttp() {
  const http = barePort({ core, receiveTimeoutMs, connectionMemory: newMemory() });
  onTestFinished(() => http.close());
  const url = await listen(http, "127.0.0.1", 0);
  const open = async (line: string) => {
    const socket = await openSocket(new URL(url).host);
    socket.write(`${line}\r\nHost: a\r\n`);
    return socket;
  };
  return { url, open };
}

test("connections with half a header each close only the oldest over HTTP", async () => {
  const { url, open } = await openHttp();
  const others = await openTooMany(() => open("GET /livez HTTP/1.1"));
  expect(others.filter((socket) => socket.closed)).toEqual([]);
  expect((await fetch(`${url}/livez`)).status).toBe(200);
});

test("connections of a partner's clients close only the oldest of the partner over HTTP, and none of a stranger", async () => {
  const { open } = await openHttp();
  const stranger = await open("GET /livez HTTP/1.1");
  const others = await openTooMany(async () => {
    const socket = await open("GET /v1/events HTTP/1.1");
    socket.write("\r\n");
    await once(socket, "data");
    return socket;
  });
  expect([stranger, ...others].filter((socket) => socket.closed)).toEqual([]);
  stranger.destroy();
});

test("connections without a call close only the oldest over gRPC", async () => {
  const connections = new Connections(newMemory(), () => false);
  const { address } = await bareGrpcPort({ core, connections, receiveTimeoutMs });
  const others = await openTooMany(() => openHttp2(address));
  expect(others.filter((socket) => socket.closed)).toEqual([]);
});
