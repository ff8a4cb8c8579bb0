// Connections on which nobody asks for anything: a stranger can hold as many as it likes, and each takes memory. So many
// of a network may be idle; where there are more, the one that has been idle the longest is closed.
import { networkOf } from "./network.ts";

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
