// Connections of the HTTP port that have no request: half a header, or nothing at all, may be all that ever comes. So many of a
// network may be idle; where there are more, the one that has been idle the longest is closed.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "../../kernel/limits/caller.ts";

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

/** Most idle connections of a network. A proxy counts as one network: it keeps fewer, or opens another one when it needs it. */
export const maxIdleConnections = 1_024;

export class IdleConnections<C extends object> {
  readonly #max: number;
  readonly #close: (connection: C) => void;
  readonly #networks = new WeakMap<C, string>();
  /** By network, the one that has been idle the longest first. */
  readonly #idle = new Map<string, Set<C>>();

  /** @param close closes a connection that was idle */
  constructor(close: (connection: C) => void, max = maxIdleConnections) {
    this.#close = close;
    this.#max = max;
  }

  /** A connection begins, and is idle. @param address of the peer */
  open(connection: C, address: string): void {
    this.#networks.set(connection, networkOf(address));
    this.rest(connection);
  }

  /** Nothing is asked for on the connection any more. */
  rest(connection: C): void {
    const network = this.#networks.get(connection);
    if (network === undefined) return;
    const idle = this.#idle.get(network) ?? new Set();
    this.#idle.set(network, idle);
    idle.add(connection);
    if (idle.size <= this.#max) return;
    const [oldest] = idle;
    if (oldest === undefined) return;
    this.end(oldest);
    this.#close(oldest);
  }

  /** Something is asked for on the connection. */
  work(connection: C): void {
    const network = this.#networks.get(connection);
    const idle = network === undefined ? undefined : this.#idle.get(network);
    if (network === undefined || idle === undefined) return;
    idle.delete(connection);
    if (idle.size === 0) this.#idle.delete(network);
  }

  /** The connection is closed. */
  end(connection: C): void {
    this.work(connection);
    this.#networks.delete(connection);
  }
}
