// A byte budget for connections and the calls on them, which anybody can open. When it is used up, the network or client
// that holds the most loses its oldest connection. The calls of a connection on which a client was authenticated are
// bounded by limits of that client instead.
import type { Socket } from "node:net";
import { Budget, type Share } from "../limits/budget.ts";
import { type Caller, strangerAt } from "../limits/caller.ts";

/** Most bytes for all connections of a process. */
export const connectionsBytes = 160 << 20;
/** Bytes of an idle connection. */
const idleBytes = 32 << 10;
/** Most bytes for the calls of a connection, which are at most 256 at a time. */
const maxCallBytes = 24 << 20;

interface Connection {
  readonly socket: Socket;
  share: Share;
  isKnown: boolean;
  /** Bytes of its calls now, and the most they ever were. */
  used: number;
  most: number;
}

/** The budget that all ports share. */
export function connectionBudget(): Budget {
  return new Budget({ total: connectionsBytes, evicts: "oldest" });
}

/** The connections of a port, by address and port of the peer. */
export class Connections {
  readonly #budget: Budget;
  readonly #isProxy: (address: string) => boolean;
  readonly #open = new Map<string, Connection>();

  /** @param isProxy whether an address is a trusted proxy: it has many callers on a connection, and limits them itself */
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

  /** A call begins. @param bytes most that it may take */
  begin(peer: string, bytes: number): void {
    const connection = this.#open.get(peer);
    if (connection === undefined || connection.isKnown) return;
    connection.used = Math.min(connection.used + bytes, maxCallBytes);
    const more = connection.used - connection.most;
    if (more <= 0) return;
    connection.most = connection.used;
    connection.share.take(more);
  }

  /** A call is over and its stream is closed. */
  end(peer: string, bytes: number): void {
    const connection = this.#open.get(peer);
    if (connection !== undefined) connection.used -= bytes;
  }

  /** A client was authenticated on a connection. */
  known(peer: string, caller: Caller): void {
    const connection = this.#open.get(peer);
    if (connection === undefined || connection.isKnown) return;
    connection.isKnown = true;
    connection.share.end();
    connection.share = this.#budget.open(caller, () => connection.socket.destroy());
  }

  /** Counts bytes that the library keeps until the connection closes. */
  holdUntilClosed(peer: string, bytes: number): void {
    this.#open.get(peer)?.share.take(bytes);
  }

  /** Closes a connection. */
  close(peer: string): void {
    this.#open.get(peer)?.socket.destroy();
  }
}
