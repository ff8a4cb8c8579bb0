// A limited number of places. If all are taken, the holder of the most loses its oldest ones: so a holder of few always gets
// what it needs, whatever the others do.

import { limitedCaller, type Sender } from "./caller.ts";

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
