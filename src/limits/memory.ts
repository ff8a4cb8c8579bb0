// Memory that callers take of a process, and messages that arrive slowly, over all transports.

import { type Sender, toLimitKey } from "../kernel/calls/core.ts";
import { Refusal } from "../kernel/errors/refusal.ts";
import { Semaphore } from "./semaphore.ts";

interface Holder {
  bytes: number;
  /** The oldest first. */
  readonly reservations: Set<Reservation>;
}

interface Budget {
  readonly maxBytes: number;
  reservedBytes: number;
  /** Those with reservations, in the order of their first one. */
  readonly holders: Map<string, Holder>;
}

type SenderBytes = Readonly<Record<"authenticated" | "unauthenticated", number>>;

/**
 * A budget of bytes. When it is used up, the oldest reservation of the largest holder is evicted, so that small holders always
 * get what they need. Unauthenticated senders have a budget of their own.
 */
export class MemoryBudget {
  readonly #authenticated: Budget;
  readonly #unauthenticated: Budget;

  constructor({ authenticated, unauthenticated }: SenderBytes) {
    this.#authenticated = { maxBytes: authenticated, reservedBytes: 0, holders: new Map() };
    this.#unauthenticated = { maxBytes: unauthenticated, reservedBytes: 0, holders: new Map() };
  }

  get reservedBytes(): SenderBytes {
    const { reservedBytes: authenticated } = this.#authenticated;
    return { authenticated, unauthenticated: this.#unauthenticated.reservedBytes };
  }

  /** Reserves some bytes. @param onEvicted called at most once, when they are needed by others: they are released by then */
  reserve(sender: Sender, bytes: number, onEvicted: () => void): Reservation {
    const budget = sender.caller === undefined ? this.#unauthenticated : this.#authenticated;
    const reservation = new Reservation(budget, toLimitKey(sender).partner, onEvicted);
    reservation.add(bytes);
    return reservation;
  }
}

/** Bytes of a holder, until they are released or evicted. */
export class Reservation {
  readonly #budget: Budget;
  readonly #name: string;
  readonly #holder: Holder;
  readonly #onEvicted: () => void;
  #bytes = 0;

  /** @param name of the holder */
  constructor(budget: Budget, name: string, onEvicted: () => void) {
    this.#budget = budget;
    this.#name = name;
    this.#holder = budget.holders.get(name) ?? { bytes: 0, reservations: new Set() };
    this.#holder.reservations.add(this);
    this.#onEvicted = onEvicted;
    budget.holders.set(name, this.#holder);
  }

  /** Reserves some bytes more; fewer, if the number is negative. Once it is released, nothing. */
  add(bytes: number): void {
    if (!this.#holder.reservations.has(this)) return;
    this.#count(bytes);
    while (this.#budget.reservedBytes > this.#budget.maxBytes) evictFromLargest(this.#budget);
  }

  release(): void {
    const { reservations } = this.#holder;
    if (!reservations.delete(this)) return;
    this.#count(-this.#bytes);
    if (reservations.size === 0) this.#budget.holders.delete(this.#name);
  }

  evict(): void {
    this.release();
    this.#onEvicted();
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#holder.bytes += bytes;
    this.#budget.reservedBytes += bytes;
  }
}

function evictFromLargest({ holders }: Budget): void {
  let largest: Holder | undefined;
  for (const holder of holders.values()) {
    // By powers of two: among holders of about as many bytes a new one displaces the oldest.
    if (largest === undefined || Math.clz32(holder.bytes) < Math.clz32(largest.bytes)) largest = holder;
  }
  const [oldest] = largest?.reservations ?? [];
  oldest?.evict();
}

/** Most bytes for clients and browser sessions together, and for everybody else together. */
export const slowBytes = { authenticated: 56 << 20, unauthenticated: 8 << 20 } as const;
/** Least that a message reserves: its stream and socket take memory too. */
const minMessageBytes = 16 << 10;
/** A message that has not arrived by then reserves all its bytes. */
const slowMs = 500;
const sweepMs = 250;

/** A message that is arriving. */
export interface ArrivingMessage {
  /** Reserves its bytes now: it is large. */
  reserve(): void;
  /** It has arrived, or is not read any more. */
  end(): void;
}

interface Arriving extends ArrivingMessage {
  readonly since: number;
}

/** Bounds the memory of messages that arrive slowly. Nearly all arrive at once, and reserve nothing. */
export class ArrivingMessages {
  /**
   * Slots for messages whose received bytes cannot be measured: each may hold its full size before it is slow. Callers without
   * a slot wait, and are not read.
   */
  readonly unmeasuredSlots = new Semaphore({ slots: 192, slotsPerPartner: 48, queue: 8_192 }, tooManyMessagesError);
  readonly memory = new MemoryBudget(slowBytes);
  /** The oldest first. */
  readonly #arriving = new Set<Arriving>();
  #sweep: NodeJS.Timeout | undefined;

  /**
   * Begins a message.
   * @param bytes most that it takes
   * @param onRefused called at most once, if its bytes are needed for others
   * @param onSlow called once it reserves its bytes
   */
  begin(
    sender: Sender,
    bytes: number,
    onRefused: (refusal: Refusal) => void,
    onSlow: () => void = () => {},
  ): ArrivingMessage {
    let reservation: Reservation | undefined;
    const arriving: Arriving = {
      since: performance.now(),
      reserve: () => {
        if (reservation !== undefined) return;
        reservation = this.memory.reserve(sender, Math.max(bytes, minMessageBytes), () =>
          onRefused(tooManyMessagesError()),
        );
        onSlow();
      },
      end: () => {
        this.#arriving.delete(arriving);
        reservation?.release();
      },
    };
    this.#arriving.add(arriving);
    // After a pause of the whole process, what came meanwhile is read first.
    this.#sweep ??= setInterval(() => setImmediate(() => this.#reserveForSlow()), sweepMs).unref();
    return arriving;
  }

  #reserveForSlow(): void {
    const slowSince = performance.now() - slowMs;
    for (const arriving of this.#arriving) {
      if (arriving.since > slowSince) break;
      arriving.reserve();
    }
    if (this.#arriving.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}

function tooManyMessagesError(): Refusal {
  const detail = "Too many messages are arriving at once. Send this one again.";
  return new Refusal("unavailable", detail, { retryAfterSeconds: 1 });
}
