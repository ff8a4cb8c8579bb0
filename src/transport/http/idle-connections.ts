// Limits connections of the HTTP port that have no request, for each network: perhaps half a header has come, or nothing. Over
// the limit, the one that has been idle the longest is closed.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Budget, type Share } from "../../kernel/limits/budget.ts";
import { strangerAt } from "../../kernel/limits/caller.ts";

/** Most idle connections of a network. A proxy counts as one network; it reopens connections when it needs them. */
export const maxIdleConnections = 1_024;
/** Most idle connections of all networks; over it, the network with the most loses one. */
const maxIdleTogether = 65_536;

/** Limits the idle connections of each network. */
export function limitIdleConnections(server: Server, max = maxIdleConnections): void {
  const idle = new Budget({ total: maxIdleTogether, ofPartner: max, loses: "oldest" });
  const states = new WeakMap<Socket, { share: Share; requests: number; readonly rest: () => Share }>();
  server.on("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return;
    const caller = strangerAt(remoteAddress);
    const rest = () => {
      const share = idle.open(caller, () => socket.destroy());
      share.take(1);
      return share;
    };
    const state = { share: rest(), requests: 0, rest };
    states.set(socket, state);
    socket.once("close", () => state.share.end());
  });
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const state = states.get(socket);
    if (state === undefined) return;
    state.requests += 1;
    state.share.end();
    response.once("close", () => {
      state.requests -= 1;
      if (state.requests === 0 && !socket.destroyed) state.share = state.rest();
    });
  });
}

const maxQueued = 63;

/** Closes connections with more unanswered requests than any client needs. */
export function limitPipelines(server: Server): void {
  const queued = new WeakMap<Socket, number>();
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    // A response has no socket while it waits for those before it on the connection.
    if (response.socket !== null) return;
    const count = (queued.get(socket) ?? 0) + 1;
    queued.set(socket, count);
    response.once("close", () => queued.set(socket, (queued.get(socket) ?? 1) - 1));
    if (count > maxQueued) socket.destroy();
  });
}
