// Connections are bounded by network: the oldest idle one makes room, and none that works.
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { limitIdleConnections } from "../../../src/transport/http/idle-connections.ts";
import { observeRequests, type Unanswered } from "../../../src/transport/http/request-record.ts";

/** A server that answers when it is told to, with so many idle connections of a network. */
async function bounded(max: number) {
  const responses: ServerResponse[] = [];
  const server = createServer((_request, response) => void responses.push(response));
  const unanswered: Unanswered = new WeakMap();
  observeRequests(
    server,
    () => undefined,
    unanswered,
    () => 0,
  );
  limitIdleConnections(server, unanswered, max);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const open = async (localAddress = "127.0.0.1") => {
    const accepted = once(server, "connection");
    const socket = connect({ host: "127.0.0.1", port, localAddress }).resume();
    await Promise.all([accepted, once(socket, "connect")]);
    return socket;
  };
  const begin = async (socket: Socket) => {
    const requested = once(server, "request");
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await requested;
  };
  const answer = async () => {
    const response = responses.shift();
    response?.end();
    if (response !== undefined) await once(response, "close");
  };
  return { open, begin, answer };
}

async function untilClosed(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, "close");
}

test("a connection with a request is never closed", async () => {
  const { open, begin, answer } = await bounded(2);
  const [first, second] = [await open(), await open()];
  await begin(first);
  const third = await open();
  await answer();
  await untilClosed(second);
  expect([first.closed, third.closed]).toEqual([false, false]);
});

test("one network does not close idle connections of another", async () => {
  const { open } = await bounded(1);
  const first = await open();
  const other = await open("127.0.0.2");
  await open();
  await untilClosed(first);
  expect(other.closed).toBe(false);
});
