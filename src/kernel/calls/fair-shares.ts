// An amount that many holders share (max-min fairness). Each may take all that is free; where nothing is, the one that
// holds most gives something up. So one that holds little always has room, whatever all the others do.

/** Holders are told apart by powers of two, so that the largest is found without a search. */
const sizes = 32;

interface Holder {
  readonly name: string;
  held: number;
  /** In the order in which they began. */
  readonly shares: Set<Share>;
}

export class FairShares {
  readonly #max: number;
  readonly #keeps: "first" | "last";
  /** Those that hold something. */
  readonly #holders = new Map<string, Holder>();
  readonly #bySize = Array.from({ length: sizes }, () => new Set<Holder>());
  #used = 0;

  /**
   * @param max most that is held at a time, less than 2³¹
   * @param keeps which of its shares the largest holder keeps: those that began `first`, so that long ones are finished,
   *   or `last`, so that prompt ones get past those that stall
   */
  constructor(max: number, keeps: "first" | "last") {
    this.#max = max;
    this.#keeps = keeps;
  }

  /** What is held now. */
  get used(): number {
    return this.#used;
  }

  /**
   * Begins a share, which holds nothing yet.
   * @param cut notified that the share was taken away, once at most; it holds nothing any more, and takes nothing
   */
  open(name: string, cut: () => void): Share {
    let own = 0;
    let isOver = false;
    const giveBack = () => {
      isOver = true;
      if (own > 0) this.#remove(name, share, own);
      own = 0;
    };
    const share: Share = {
      take: (amount) => {
        if (isOver) return;
        own += amount;
        const holder = this.#add(name, share, amount);
        while (this.#used > this.#max) this.#cutLargest(holder);
      },
      giveBack,
      cut: () => {
        giveBack();
        cut();
      },
    };
    return share;
  }

  #add(name: string, share: Share, amount: number): Holder {
    const holder = this.#holders.get(name) ?? { name, held: 0, shares: new Set() };
    this.#holders.set(name, holder);
    holder.shares.add(share);
    this.#resize(holder, amount);
    return holder;
  }

  #remove(name: string, share: Share, amount: number): void {
    const holder = this.#holders.get(name);
    if (!holder?.shares.delete(share)) throw new Error("a share was given back that nobody had");
    this.#resize(holder, -amount);
    if (holder.shares.size === 0) this.#holders.delete(name);
  }

  #resize(holder: Holder, amount: number): void {
    this.#bySize[sizeOf(holder)]?.delete(holder);
    holder.held += amount;
    this.#used += amount;
    if (holder.held > 0) this.#bySize[sizeOf(holder)]?.add(holder);
  }

  /** @param asking the holder that wants more */
  #cutLargest(asking: Holder): void {
    const largest = this.#bySize.findLast((holders) => holders.size > 0) ?? new Set();
    const [first = asking] = largest;
    if (this.#keeps === "last") {
      const [oldest] = first.shares;
      oldest?.cut();
    } else {
      [...(largest.has(asking) ? asking : first).shares].at(-1)?.cut();
    }
  }
}

/** What a holder takes for one purpose. */
export interface Share {
  /** Takes more. This share is cut, or another one, where there is not enough. */
  take(amount: number): void;
  /** Gives all of it back. */
  giveBack(): void;
  /** Takes it away. */
  cut(): void;
}

function sizeOf({ held }: Holder): number {
  return sizes - Math.clz32(held);
}
