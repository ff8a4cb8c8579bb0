// Memory of connections, over both ports. If all is reserved, the largest holder loses its oldest connection: a network, or a
// partner once a client of it was authenticated there. So unauthenticated callers take no connections from partners.
import type { Socket } from "node:net";
import type { Caller } from "../kernel/calls/core.ts";
import { MemoryBudget, type Reservation } from "./memory.ts";

/** Memory of an idle connection, of either port. */
export const connectionBytes = 32 << 10;
/** Most bytes for connections of known clients, and for those of others. */
export const connectionsBytes = 160 << 20;
/** Most calls of an unauthenticated connection that reserve memory: the library keeps parts of refused calls. */
const maxCountedCalls = 256;
const callBytes = 96 << 10;
/** Costly calls of a connection that are refused with a reason; the next one closes the connection. */
const maxCostlyCalls = 8;

/** The memory that the connections of all ports of a process share. */
export function createConnectionMemory(): MemoryBudget {
  return new MemoryBudget({ authenticated: connectionsBytes, unauthenticated: connectionsBytes });
}

/** The connections of a port. */
export class Connections {
  readonly #memory: MemoryBudget;
  readonly #isProxy: (address: string) => boolean;
  readonly #byPeer = new Map<string, Connection>();

  /** @param isProxy whether an address is a trusted proxy: it has many callers on a connection, and limits them itself */
  constructor(memory: MemoryBudget, isProxy: (address: string) => boolean) {
    this.#memory = memory;
    this.#isProxy = isProxy;
  }

  /** A connection begins. @returns undefined without a limit */
  add(socket: Socket): Connection | undefined {
    const { remoteAddress: address, remotePort } = socket;
    if (address === undefined) socket.destroy();
    if (address === undefined || this.#isProxy(address)) return undefined;
    const peer = `${address}:${remotePort}`;
    const connection = new Connection(this.#memory, socket, address);
    this.#byPeer.set(peer, connection);
    socket.once("close", () => this.#byPeer.delete(peer));
    return connection;
  }

  /** The connection of a peer: address and port. Undefined without a limit. */
  find(peer: string): Connection | undefined {
    return this.#byPeer.get(peer);
  }
}

/** A connection, and the memory that counts for it. */
export class Connection {
  readonly #memory: MemoryBudget;
  readonly #socket: Socket;
  readonly #address: string;
  /** Undefined until a client is authenticated. */
  #caller: Caller | undefined;
  #reservation: Reservation;
  #addedBytes = 0;
  #calls = 0;
  #costlyCalls = 0;

  constructor(memory: MemoryBudget, socket: Socket, address: string) {
    this.#memory = memory;
    this.#socket = socket;
    this.#address = address;
    this.#reservation = this.#reserve();
    socket.once("close", () => this.#reservation.release());
  }

  /** A client was authenticated: from the first one on, it counts as that client's, and its calls do not. */
  setCaller(caller: Caller): void {
    if (this.#caller !== undefined || this.#socket.destroyed) return;
    this.#caller = caller;
    this.#reservation.release();
    this.#reservation = this.#reserve();
  }

  /** A call begins. */
  addCall(): void {
    this.#calls += 1;
    if (this.#caller === undefined && this.#calls <= maxCountedCalls) this.#reservation.add(callBytes);
  }

  /** A call was refused that was costly to read. */
  countCostlyRefusal(): void {
    this.#costlyCalls += 1;
    if (this.#costlyCalls > maxCostlyCalls) this.#socket.destroy();
  }

  /** Counts bytes that the library keeps for it; fewer, if the number is negative. */
  addBytes(bytes: number): void {
    this.#addedBytes += bytes;
    this.#reservation.add(bytes);
  }

  #reserve(): Reservation {
    const sender = { caller: this.#caller, address: this.#address };
    return this.#memory.reserve(sender, connectionBytes + this.#addedBytes, () => this.#socket.destroy());
  }
}
