// Requests that are sent on without waiting for answers. HTTP/1.1 allows that, hardly anybody does it, and Node takes on as
// many as come: what they cost in memory has no bound.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

const maxUnanswered = 64;

/** Ends connections with more unanswered requests than any client needs. */
export function limitPipelines(server: Server): void {
  const unanswered = new WeakMap<Socket, number>();
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    response.once("close", () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    if (count > maxUnanswered) socket.destroy();
  });
}
