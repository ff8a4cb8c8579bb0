// A pool of webhook connections: one request at a time on each; idle ones are kept for a while.
import { type buildConnector, Client } from "undici";

/** An idle connection is closed after this time, whatever keep-alive the server allows. */
const idleTimeoutMs = 5_000;
const maxIdleOfOrigin = 4;
/** Over all origins. */
const maxIdle = 4_096;
const maxHeaderSize = 16 * 1024;

export interface Connection {
  readonly origin: string;
  readonly client: Client;
  /** Whether it was used before: then the server may have closed it meanwhile. */
  isUsed: boolean;
}

export class Connections {
  readonly #connect: buildConnector.connector;
  readonly #idle = new Map<string, Connection[]>();
  #idleCount = 0;

  constructor(connect: buildConnector.connector) {
    this.#connect = connect;
  }

  /** The connection that was used last, or a new one. @param isNew whether a new one is required */
  take(origin: string, isNew: boolean): Connection {
    const kept = isNew ? undefined : this.#idle.get(origin)?.at(-1);
    if (kept !== undefined) {
      this.#forget(kept);
      return kept;
    }
    const client = new Client(origin, {
      connect: this.#connect,
      pipelining: 1,
      maxHeaderSize,
      keepAliveTimeout: idleTimeoutMs,
      keepAliveMaxTimeout: idleTimeoutMs,
      // The sender has a timeout of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const connection = { origin, client, isUsed: false };
    // A connection in use reconnects, unless its request was running: then that request fails.
    client.on("disconnect", () => {
      if (this.#forget(connection)) this.end(connection);
    });
    return connection;
  }

  /** Returns a connection after a response that was read to its end. */
  giveBack(connection: Connection): void {
    const { origin, client } = connection;
    const idle = this.#idle.get(origin) ?? [];
    if (client.destroyed || idle.length >= maxIdleOfOrigin || this.#idleCount >= maxIdle) {
      this.end(connection);
      return;
    }
    connection.isUsed = true;
    idle.push(connection);
    this.#idle.set(origin, idle);
    this.#idleCount += 1;
  }

  /** Closes it. @param reason error of a running request */
  end(connection: Connection, reason: Error | null = null): void {
    this.#forget(connection);
    if (!connection.client.destroyed) void connection.client.destroy(reason);
  }

  /** Closes idle connections. */
  endIdle(): void {
    for (const connection of [...this.#idle.values()].flat()) this.end(connection);
  }

  /** @returns whether it was idle */
  #forget(connection: Connection): boolean {
    const idle = this.#idle.get(connection.origin) ?? [];
    const index = idle.indexOf(connection);
    if (index < 0) return false;
    idle.splice(index, 1);
    this.#idleCount -= 1;
    if (idle.length === 0) this.#idle.delete(connection.origin);
    return true;
  }
}
