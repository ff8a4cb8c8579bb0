// Connections, and what is held of them. Anybody may open as many as it likes, and each takes memory, as does each call
// that is begun on it. Together they have a budget; where it is used up, the network or the client that holds the most
// loses its oldest connection. Once a client became known on a connection, its calls have limits of their own.
import type { Socket } from "node:net";
import { Budget, type Share } from "../limits/budget.ts";
import { type Caller, strangerAt } from "../limits/caller.ts";

/** What all connections of a process may hold together, in bytes. */
export const connectionsBytes = 160 << 20;
/** What an idle connection takes. */
const idleBytes = 32 << 10;
/** What the calls of a connection take at most, as there are no more than 256 at a time. */
const maxCallBytes = 24 << 20;

interface Connection {
  readonly socket: Socket;
  share: Share;
  isKnown: boolean;
  /** What its calls take now, and the most that they took, in bytes. */
  used: number;
  most: number;
}

/** What the connections of all ports share. */
export function connectionBudget(): Budget {
  return new Budget({ total: connectionsBytes, loses: "oldest" });
}

/** The connections of a port, by address and port of the peer. */
export class Connections {
  readonly #budget: Budget;
  readonly #isProxy: (address: string) => boolean;
  readonly #open = new Map<string, Connection>();

  /** @param isProxy whether an address is that of a trusted proxy: it has many callers on a connection, and limits them */
  constructor(budget: Budget, isProxy: (address: string) => boolean) {
    this.#budget = budget;
    this.#isProxy = isProxy;
  }

  /** A connection begins. */
  open(socket: Socket): void {
    const { remoteAddress, remotePort } = socket;
    if (remoteAddress === undefined) socket.destroy();
    if (remoteAddress === undefined || this.#isProxy(remoteAddress)) return;
    const peer = `${remoteAddress}:${remotePort}`;
    const share = this.#budget.open(strangerAt(remoteAddress), () => socket.destroy());
    const connection = { socket, share, isKnown: false, used: 0, most: 0 };
    this.#open.set(peer, connection);
    socket.once("close", () => {
      connection.share.end();
      this.#open.delete(peer);
    });
    share.take(idleBytes);
  }

  /** A call begins. @param bytes that it may take */
  begin(peer: string, bytes: number): void {
    const connection = this.#open.get(peer);
    if (connection === undefined || connection.isKnown) return;
    connection.used = Math.min(connection.used + bytes, maxCallBytes);
    const more = connection.used - connection.most;
    if (more <= 0) return;
    connection.most = connection.used;
    connection.share.take(more);
  }

  /** A call is over, and its stream closed. */
  end(peer: string, bytes: number): void {
    const connection = this.#open.get(peer);
    if (connection !== undefined) connection.used -= bytes;
  }

  /** A client became known on a connection. */
  known(peer: string, caller: Caller): void {
    const connection = this.#open.get(peer);
    if (connection === undefined || connection.isKnown) return;
    connection.isKnown = true;
    connection.share.end();
    connection.share = this.#budget.open(caller, () => connection.socket.destroy());
  }

  /** So many bytes are held until a connection is closed. */
  hold(peer: string, bytes: number): void {
    this.#open.get(peer)?.share.take(bytes);
  }

  /** Closes a connection. */
  close(peer: string): void {
    this.#open.get(peer)?.socket.destroy();
  }
}
