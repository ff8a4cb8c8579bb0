// Memory that callers take of a process: places of a limited number, and messages that arrive slowly, over all transports. If all
// places are taken, the holder of the most loses its oldest ones: so a holder of few always gets what it needs, whatever the
// others do.
import { Refusal } from "../errors/refusal.ts";
import { type Sender, toLimitKey } from "./caller.ts";
import { Semaphore } from "./semaphore.ts";

interface Holder {
  taken: number;
  /** What evicts each of its owners, the oldest first. */
  readonly evictions: Set<() => void>;
}

export class FairBudget {
  readonly #total: number;
  /** Those with places, in the order in which they got their first one. */
  readonly #holders = new Map<string, Holder>();
  #taken = 0;

  constructor(total: number) {
    this.#total = total;
  }

  /** Places that are taken now. */
  get taken(): number {
    return this.#taken;
  }

  /**
   * Takes some places.
   * @param onEvicted called at most once, when they are needed by others: they are released by then
   * @returns a function that releases them
   */
  take(name: string, count: number, onEvicted: () => void): () => void {
    const holder = this.#holders.get(name) ?? { taken: 0, evictions: new Set() };
    this.#holders.set(name, holder);
    const release = () => {
      if (!holder.evictions.delete(evict)) return;
      this.#add(holder, -count);
      if (holder.evictions.size === 0) this.#holders.delete(name);
    };
    const evict = () => {
      release();
      onEvicted();
    };
    holder.evictions.add(evict);
    this.#add(holder, count);
    while (this.#taken > this.#total) this.#evict();
    return release;
  }

  #add(holder: Holder, count: number): void {
    holder.taken += count;
    this.#taken += count;
  }

  #evict(): void {
    let largest: Holder | undefined;
    for (const holder of this.#holders.values()) {
      // By powers of two: among holders of about as many a new one displaces the oldest.
      if (largest === undefined || Math.clz32(holder.taken) < Math.clz32(largest.taken)) largest = holder;
    }
    const [evict] = largest?.evictions ?? [];
    evict?.();
  }
}

type SenderBytes = Readonly<Record<"authenticated" | "unauthenticated", number>>;

/** Memory in places. Unauthenticated senders take none from others. */
export class MemoryBudget {
  readonly #blockBytes: number;
  readonly #authenticated: FairBudget;
  readonly #unauthenticated: FairBudget;

  constructor(placeBytes: number, { authenticated, unauthenticated }: SenderBytes) {
    this.#blockBytes = placeBytes;
    this.#authenticated = new FairBudget(authenticated / placeBytes);
    this.#unauthenticated = new FairBudget(unauthenticated / placeBytes);
  }

  /** Bytes for which places are taken now. */
  get reservedBytes(): SenderBytes {
    return {
      authenticated: this.#blockBytes * this.#authenticated.taken,
      unauthenticated: this.#blockBytes * this.#unauthenticated.taken,
    };
  }

  /** Takes places for some bytes, as `Places` does. */
  take(sender: Sender, bytes: number, onEvicted: () => void): () => void {
    const places = sender.knownAs === undefined ? this.#unauthenticated : this.#authenticated;
    return places.take(toLimitKey(sender).partner, Math.ceil(bytes / this.#blockBytes), onEvicted);
  }
}

/** Most bytes for clients and browser sessions together, and for everybody else together. */
export const slowBytes = { authenticated: 56 << 20, unauthenticated: 8 << 20 } as const;
const messageBlockBytes = 16 << 10;
/** A message that has not arrived by then takes places for all its bytes. */
const slowMs = 500;
const sweepMs = 250;

/** A message that is arriving. */
export interface ArrivingMessage {
  /** Takes its places now: it is large. */
  reserve(): void;
  /** It has arrived, or is not read any more. */
  end(): void;
}

interface Arriving extends ArrivingMessage {
  readonly since: number;
}

/** Bounds the memory of messages that arrive slowly. Nearly all arrive at once, and take no places. */
export class ArrivingMessages {
  /**
   * Slots of messages whose bytes nobody can count while they arrive: each may take all of them before it is slow. Callers
   * without a slot wait, and are not read.
   */
  readonly unmeasuredSlots = new Semaphore({ slots: 192, slotsPerPartner: 48, queue: 8_192 }, tooManyMessagesError);
  readonly memory = new MemoryBudget(messageBlockBytes, slowBytes);
  /** The oldest first. */
  readonly #arriving = new Set<Arriving>();
  #sweep: NodeJS.Timeout | undefined;

  /**
   * Begins a message.
   * @param bytes most that it takes
   * @param onRefused called at most once, if its places are needed for others
   * @param onSlow called once it takes places
   */
  begin(
    sender: Sender,
    bytes: number,
    onRefused: (refusal: Refusal) => void,
    onSlow: () => void = () => {},
  ): ArrivingMessage {
    let release: (() => void) | undefined;
    const arriving: Arriving = {
      since: performance.now(),
      reserve: () => {
        release ??= this.memory.take(sender, bytes, () => onRefused(tooManyMessagesError()));
        onSlow();
      },
      end: () => {
        this.#arriving.delete(arriving);
        release?.();
      },
    };
    this.#arriving.add(arriving);
    // After a pause of the whole process, what came meanwhile is read first.
    this.#sweep ??= setInterval(() => setImmediate(() => this.#takePlacesOfSlowOnes()), sweepMs).unref();
    return arriving;
  }

  #takePlacesOfSlowOnes(): void {
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
