// Places of connections, over both ports. If all are taken, the holder of the most loses its oldest connection: a network, or a
// partner once a client of it was authenticated there. So unauthenticated callers take no connections from partners.
import type { Socket } from "node:net";
import { type Caller, networkCallerAt } from "../limits/caller.ts";
import { Places } from "../limits/places.ts";
import { RateLimit } from "../limits/rate-limit.ts";
import { Turns } from "../limits/turns.ts";

/** Memory of an idle connection, of either port. */
const placeBytes = 32 << 10;
/** Most bytes for connections of unauthenticated callers. */
export const unauthenticatedConnectionsBytes = 160 << 20;
/** Most bytes for connections of known clients. */
const knownConnectionsBytes = 160 << 20;
/** Calls of an unauthenticated connection that take places: as many as it may have at a time. The library keeps parts of refused ones. */
const maxCountedCalls = 256;
const callBytes = 96 << 10;
/** Costly calls of a caller on all its connections; each further one ends its connection. */
const costlyCalls = { requests: 8, seconds: 10 };
/** Pause between the connections of a network that had more: whatever a connection sends first is read before the first refusal. */
const costlyPauseMs = 500;
const costlyQueue = 1_000;

interface Connection {
  readonly socket: Socket;
  readonly network: Caller;
  /** Undefined until a client is authenticated. */
  caller: Caller | undefined;
  /** Functions that release its places: of itself, its calls, and memory that the library keeps for it. */
  readonly releases: Set<() => void>;
  calls: number;
}

/** The places that all ports of a process share. */
export interface ConnectionPlaces {
  readonly unauthenticated: Places;
  readonly known: Places;
}

export function connectionPlaces(): ConnectionPlaces {
  return {
    unauthenticated: new Places(unauthenticatedConnectionsBytes / placeBytes),
    known: new Places(knownConnectionsBytes / placeBytes),
  };
}

/** Bytes that connections of unauthenticated callers count as. */
export function bytesOfUnauthenticated({ unauthenticated }: ConnectionPlaces): number {
  return placeBytes * unauthenticated.taken;
}

/** Address and port of the peer. */
export function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}:${remotePort}`;
}

/** The connections of a port, by address and port of the peer. */
export class Connections {
  readonly #places: ConnectionPlaces;
  readonly #isProxy: (address: string) => boolean;
  readonly #open = new Map<string, Connection>();
  readonly #costly = new RateLimit(costlyCalls, () => performance.now());
  readonly #costlyTurns = new Turns((_network, end) => setTimeout(end, costlyPauseMs), costlyQueue);

  /** @param isProxy whether an address is a trusted proxy: it has many callers on a connection, and limits them itself */
  constructor(places: ConnectionPlaces, isProxy: (address: string) => boolean) {
    this.#places = places;
    this.#isProxy = isProxy;
  }

  /** A connection begins. */
  open(socket: Socket): void {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) socket.destroy();
    if (remoteAddress === undefined || this.#isProxy(remoteAddress)) return;
    const peer = peerOf(socket);
    const connection: Connection = {
      socket,
      network: networkCallerAt(remoteAddress),
      caller: undefined,
      releases: new Set(),
      calls: 0,
    };
    this.#open.set(peer, connection);
    socket.once("close", () => {
      close(connection);
      this.#open.delete(peer);
    });
    this.#take(connection, 1);
  }

  /** A call begins. */
  begin(peer: string): void {
    const connection = this.#open.get(peer);
    if (connection === undefined || connection.caller !== undefined || connection.calls >= maxCountedCalls) return;
    connection.calls += 1;
    this.#take(connection, callBytes / placeBytes);
  }

  /** A call was refused that was costly to read. A caller that has many loses the connection with each further one. */
  refuseCostly(peer: string): void {
    const connection = this.#open.get(peer);
    if (connection === undefined) return;
    const { partner } = connection.caller ?? connection.network;
    if (!this.#costly.count(partner)) close(connection);
  }

  /** Resolves when a connection may be read; undefined: at once. */
  takeTurn(socket: Socket): undefined | Promise<void> {
    const network = this.#open.get(peerOf(socket))?.network.partner;
    return network !== undefined && this.#costly.isUsedUp(network) ? this.#costlyTurns.take(network) : undefined;
  }

  /** A client was authenticated on a connection. */
  known(peer: string, caller: Caller): void {
    const connection = this.#open.get(peer);
    if (connection === undefined || connection.caller !== undefined) return;
    for (const release of connection.releases) release();
    connection.releases.clear();
    connection.caller = caller;
    this.#take(connection, 1);
  }

  /**
   * Counts bytes that the library keeps for a connection.
   * @returns a function that releases them; they are released when the connection closes too
   */
  hold(peer: string, bytes: number): () => void {
    const connection = this.#open.get(peer);
    if (connection === undefined) return () => undefined;
    return this.#take(connection, Math.ceil(bytes / placeBytes));
  }

  #take(connection: Connection, count: number): () => void {
    const { socket, caller, network, releases } = connection;
    const places = caller === undefined ? this.#places.unauthenticated : this.#places.known;
    const release = places.take((caller ?? network).partner, count, () => close(connection));
    // If it was evicted for its own place it is closed already.
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
