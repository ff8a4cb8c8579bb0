// Limits the connections of each network on the HTTP port. Over the limit the oldest one without a request is closed: perhaps
// half a header has come, or nothing.
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "../../kernel/limits/caller.ts";
import type { Unanswered } from "./request-record.ts";

/** Most connections of a network that has idle ones. A proxy counts as one network; it reopens connections when it needs them. */
export const maxIdleConnections = 1_024;
/** The same of all networks; over it, the network with the most loses one. */
const maxIdleTogether = 65_536;
/** Connections that are looked at for each new one. */
const maxLooks = 64;

/** Limits the idle connections of each network. @param unanswered what connections wait for: nothing, if they are idle */
export function limitIdleConnections(server: Server, unanswered: Unanswered, max = maxIdleConnections): void {
  /** The oldest first. */
  const byNetwork = new Map<string, Set<Socket>>();
  let open = 0;
  const closeIdle = (sockets: Set<Socket>) => {
    for (const socket of [...sockets.values().take(maxLooks)]) {
      if (!unanswered.get(socket)?.size) return socket.destroy();
      // One that works counts as the youngest.
      sockets.delete(socket);
      sockets.add(socket);
    }
  };
  server.on("connection", (socket: Socket) => {
    if (socket.remoteAddress === undefined) return;
    const network = networkOf(socket.remoteAddress);
    const own = byNetwork.get(network) ?? new Set();
    byNetwork.set(network, own.add(socket));
    open += 1;
    socket.once("close", () => {
      open -= 1;
      own.delete(socket);
      if (own.size === 0) byNetwork.delete(network);
    });
    if (own.size > max) closeIdle(own);
    else if (open > maxIdleTogether) closeIdle([...byNetwork.values()].reduce((a, b) => (b.size > a.size ? b : a)));
  });
}
