// Connections of the HTTP port that have no request: half a header, or nothing at all, may be all that ever comes.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { IdleConnections } from "../../kernel/calls/idle-connections.ts";

/** Bounds the idle connections of each network. */
export function limitIdleConnections(server: Server): void {
  const connections = new IdleConnections<Socket>((socket) => socket.destroy());
  const requests = new WeakMap<Socket, number>();
  server.on("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return;
    connections.open(socket, remoteAddress);
    socket.once("close", () => connections.end(socket));
  });
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    connections.work(socket);
    response.once("close", () => {
      const left = (requests.get(socket) ?? 1) - 1;
      requests.set(socket, left);
      if (left === 0 && !socket.destroyed) connections.rest(socket);
    });
  });
}

const maxQueued = 63;

/** Ends connections with more unanswered requests than any client needs. */
export function limitPipelines(server: Server): void {
  const queued = new WeakMap<Socket, number>();
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    // A response has its socket at once, unless it has to wait for those before it.
    if (response.socket !== null) return;
    const count = (queued.get(socket) ?? 0) + 1;
    queued.set(socket, count);
    response.once("close", () => queued.set(socket, (queued.get(socket) ?? 1) - 1));
    if (count > maxQueued) socket.destroy();
  });
}
