// Memory of connections, over both ports. If all is reserved, the largest holder loses its oldest connection: a network, or a
// partner once a client of it was authenticated there. So unauthenticated callers take no connections from partners.
import type { Socket } from "node:net";
import type { Caller, Sender } from "../kernel/calls/core.ts";
import { MemoryBudget } from "./memory.ts";

/** Memory of an idle connection, of either port. */
const connectionBytes = 32 << 10;
/** Most bytes for connections of known clients, and for those of others. */
export const connectionsBytes = 160 << 20;
/** Most calls of an unauthenticated connection that reserve memory: the library keeps parts of refused calls. */
const maxCountedCalls = 256;
const callBytes = 96 << 10;
/** Costly calls of a connection that are refused with a reason; the next one closes the connection. */
const maxCostlyCalls = 8;

interface Connection {
  readonly socket: Socket;
  /** Unknown until a client is authenticated. */
  sender: Sender;
  /** Functions that release what is reserved for it, its calls, and memory that the library keeps for it. */
  readonly releases: Set<() => void>;
  calls: number;
  costlyCalls: number;
}

/** The memory that the connections of all ports of a process share. */
export function createConnectionMemory(): MemoryBudget {
  return new MemoryBudget({ authenticated: connectionsBytes, unauthenticated: connectionsBytes });
}

/** Address and port of the peer. */
export function formatPeer({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}:${remotePort}`;
}

/** The connections of a port, by address and port of the peer. */
export class Connections {
  readonly #memory: MemoryBudget;
  readonly #isProxy: (address: string) => boolean;
  readonly #open = new Map<string, Connection>();

  /** @param isProxy whether an address is a trusted proxy: it has many callers on a connection, and limits them itself */
  constructor(memory: MemoryBudget, isProxy: (address: string) => boolean) {
    this.#memory = memory;
    this.#isProxy = isProxy;
  }

  /** A connection begins. */
  addConnection(socket: Socket): void {
    const { remoteAddress: address } = socket;
    if (address === undefined) socket.destroy();
    if (address === undefined || this.#isProxy(address)) return;
    const peer = formatPeer(socket);
    const sender = { caller: undefined, address };
    const connection = { socket, sender, releases: new Set<() => void>(), calls: 0, costlyCalls: 0 };
    this.#open.set(peer, connection);
    socket.once("close", () => {
      close(connection);
      this.#open.delete(peer);
    });
    this.#reserve(connection, connectionBytes);
  }

  /** A call begins. */
  addCall(peer: string): void {
    const connection = this.#open.get(peer);
    if (connection === undefined || connection.sender.caller !== undefined) return;
    connection.calls += 1;
    if (connection.calls <= maxCountedCalls) this.#reserve(connection, callBytes);
  }

  /** A call was refused that was costly to read. */
  countCostlyRefusal(peer: string): void {
    const connection = this.#open.get(peer);
    if (connection === undefined) return;
    connection.costlyCalls += 1;
    if (connection.costlyCalls > maxCostlyCalls) close(connection);
  }

  /** A client was authenticated on a connection. */
  setCaller(peer: string, caller: Caller): void {
    const connection = this.#open.get(peer);
    if (connection === undefined || connection.sender.caller !== undefined) return;
    for (const release of connection.releases) release();
    connection.releases.clear();
    connection.sender = { ...connection.sender, caller };
    this.#reserve(connection, connectionBytes);
  }

  /**
   * Counts bytes that the library keeps for a connection, at least those of a connection.
   * @returns a function that releases them; they are released when the connection closes too
   */
  reserve(peer: string, bytes: number): () => void {
    const connection = this.#open.get(peer);
    return connection === undefined ? () => undefined : this.#reserve(connection, Math.max(bytes, connectionBytes));
  }

  #reserve(connection: Connection, bytes: number): () => void {
    const { socket, sender, releases } = connection;
    const release = this.#memory.reserve(sender, bytes, () => close(connection));
    // If it was evicted for its own bytes it is closed already.
    if (socket.destroyed) release();
    else releases.add(release);
    return () => {
      releases.delete(release);
      release();
    };
  }
}

function close({ socket, releases }: Connection): void {
  for (const release of releases) release();
  releases.clear();
  socket.destroy();
}
