// Requests that are sent on without waiting for answers. HTTP/1.1 allows that, hardly anybody does it, and Node takes on as
// many as come: what they cost in memory has no bound.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

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
