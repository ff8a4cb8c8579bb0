// Memory that callers take of a process: places of a limited number, and messages that arrive slowly, over all transports. If all
// places are taken, the holder of the most loses its oldest ones: so a holder of few always gets what it needs, whatever the
// others do.
import { Refusal } from "../errors/refusal.ts";
import { limitedCaller, type Sender } from "./caller.ts";
import { Semaphore } from "./semaphore.ts";

interface Holder {
  taken: number;
  /** What evicts each of its owners, the oldest first. */
  readonly evictions: Set<() => void>;
}

export class Places {
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
export class MemoryLimit {
  readonly #placeBytes: number;
  readonly #authenticated: Places;
  readonly #unauthenticated: Places;

  constructor(placeBytes: number, { authenticated, unauthenticated }: SenderBytes) {
    this.#placeBytes = placeBytes;
    this.#authenticated = new Places(authenticated / placeBytes);
    this.#unauthenticated = new Places(unauthenticated / placeBytes);
  }

  /** Bytes for which places are taken now. */
  get takenBytes(): SenderBytes {
    return {
      authenticated: this.#placeBytes * this.#authenticated.taken,
      unauthenticated: this.#placeBytes * this.#unauthenticated.taken,
    };
  }

  /** Takes places for some bytes, as `Places` does. */
  take(sender: Sender, bytes: number, onEvicted: () => void): () => void {
    const places = sender.knownAs === undefined ? this.#unauthenticated : this.#authenticated;
    return places.take(limitedCaller(sender).partner, Math.ceil(bytes / this.#placeBytes), onEvicted);
  }
}

/** Most bytes for clients and browser sessions together, and for everybody else together. */
export const slowBytes = { authenticated: 56 << 20, unauthenticated: 8 << 20 } as const;
const bodyPlaceBytes = 16 << 10;
/** A message that has not arrived by then takes places for all its bytes. */
const slowMs = 500;
const sweepMs = 250;

/** A message that is arriving. */
export interface ArrivingBody {
  /** Takes its places now: it is large. */
  takePlaces(): void;
  /** It has arrived, or is not read any more. */
  end(): void;
}

interface Arriving extends ArrivingBody {
  readonly since: number;
}

/** Bounds the memory of messages that arrive slowly. Nearly all arrive at once, and take no places. */
export class SlowBodies {
  /**
   * Slots of messages whose bytes nobody can count while they arrive: each may take all of them before it is slow. Callers
   * without a slot wait, and are not read.
   */
  readonly uncounted = new Semaphore({ slots: 192, slotsOfPartner: 48, queue: 8_192 }, tooManyMessages);
  readonly memory = new MemoryLimit(bodyPlaceBytes, slowBytes);
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
  ): ArrivingBody {
    let release: (() => void) | undefined;
    const arriving: Arriving = {
      since: performance.now(),
      takePlaces: () => {
        release ??= this.memory.take(sender, bytes, () => onRefused(tooManyMessages()));
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
      arriving.takePlaces();
    }
    if (this.#arriving.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}

function tooManyMessages(): Refusal {
  const detail = "Too many messages are arriving at once. Send this one again.";
  return new Refusal("unavailable", detail, { retryAfterSeconds: 1 });
}
