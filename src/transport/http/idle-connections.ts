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
