// Byte budgets for connections and the calls on them, over both ports. When one is used up, the holder that holds the most loses
// its oldest connection: a network, or a partner once a client of it was authenticated there. So strangers take no connections
// from partners. The calls of a known client are bounded by limits of that client instead.
import type { Socket } from "node:net";
import { Budget, type Share } from "../limits/budget.ts";
import { type Caller, strangerAt } from "../limits/caller.ts";

/** Most bytes for connections of strangers, and the calls on them. */
export const strangerConnectionsBytes = 160 << 20;
/** Most bytes for connections of known clients. */
const knownConnectionsBytes = 96 << 20;
/** Bytes of an idle connection, of either port. */
export const idleConnectionBytes = 32 << 10;
/** Calls of a connection with too much metadata, each of which is told so, before the connection is closed. */
const mostAbuses = 8;
/** Most bytes for the calls of a connection, which are at most 256 at a time. */
const maxCallBytes = 24 << 20;

interface Connection {
  readonly socket: Socket;
  share: Share;
  isKnown: boolean;
  /** Bytes of its calls now, and the most they ever were. */
  used: number;
  most: number;
  abuses: number;
}

/** The budgets that all ports of a process share. */
export interface ConnectionBudgets {
  readonly strangers: Budget;
  readonly known: Budget;
}

export function connectionBudgets(
  strangers = strangerConnectionsBytes,
  known = knownConnectionsBytes,
): ConnectionBudgets {
  return {
    strangers: new Budget({ total: strangers, evicts: "oldest" }),
    known: new Budget({ total: known, evicts: "oldest" }),
  };
}

/** Address and port of the peer. */
export function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}:${remotePort}`;
}

/** The connections of a port, by address and port of the peer. */
export class Connections {
  readonly #budgets: ConnectionBudgets;
  readonly #isProxy: (address: string) => boolean;
  readonly #open = new Map<string, Connection>();

  /** @param isProxy whether an address is a trusted proxy: it has many callers on a connection, and limits them itself */
  constructor(budgets: ConnectionBudgets, isProxy: (address: string) => boolean) {
    this.#budgets = budgets;
    this.#isProxy = isProxy;
  }

  /** A connection begins. */
  open(socket: Socket): void {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) socket.destroy();
    if (remoteAddress === undefined || this.#isProxy(remoteAddress)) return;
    const peer = peerOf(socket);
    const share = this.#budgets.strangers.open(strangerAt(remoteAddress), () => socket.destroy());
    const connection = { socket, share, isKnown: false, used: 0, most: 0, abuses: 0 };
    this.#open.set(peer, connection);
    socket.once("close", () => {
      connection.share.end();
      this.#open.delete(peer);
    });
    share.take(idleConnectionBytes);
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
    connection.share = this.#budgets.known.open(caller, () => connection.socket.destroy());
    connection.share.take(idleConnectionBytes);
  }

  /** Counts bytes that the library keeps until the connection closes. */
  holdUntilClosed(peer: string, bytes: number): void {
    this.#open.get(peer)?.share.take(bytes);
  }

  /** A call was refused for what it cost to read: a connection with many of them is closed. */
  abused(peer: string): void {
    const connection = this.#open.get(peer);
    if (connection === undefined) return;
    connection.abuses += 1;
    if (connection.abuses > mostAbuses) connection.socket.destroy();
  }

  /** Closes a connection. */
  close(peer: string): void {
    this.#open.get(peer)?.socket.destroy();
  }
}
