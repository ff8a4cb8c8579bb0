// A shared amount, such as bytes of messages that arrive or of idle connections. Any caller may take what is free. If nothing
// is, a share of the partner that holds the most is evicted (max-min fairness), of its client that holds the most. So a small
// holder always gets what it needs, whatever the others do. Below: the budget of bytes for messages that are arriving, over
// every transport of a process.
import { Refusal } from "../errors/refusal.ts";
import { type Caller, strangerAt } from "./caller.ts";

export interface BudgetLimits {
  /** Most that is held at a time, less than 2³¹. */
  readonly total: number;
  /**
   * Which share of the largest holder is evicted: the `newest`, so that long ones can finish, or the `oldest`, so that quick
   * ones get past those that stall.
   */
  readonly evicts: "newest" | "oldest";
}

interface Holder {
  held: number;
}

interface Client extends Holder {
  /** Holders of something, the oldest first. */
  readonly shares: Set<Share>;
}

interface Partner extends Holder {
  readonly clients: Map<string, Client>;
}

export class Budget {
  readonly #limits: BudgetLimits;
  /** Holders of something. */
  readonly #partners = new Map<string, Partner>();
  #used = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /** What is held now. */
  get used(): number {
    return this.#used;
  }

  /**
   * Begins an empty share.
   * @param onEvicted called at most once, when the share was evicted: it holds nothing then, and can take nothing
   */
  open(caller: Caller, onEvicted: () => void): Share {
    return new Share((share, amount) => this.#add(caller, share, amount), onEvicted);
  }

  /** @param amount negative: given back */
  #add({ partner: partnerName, client: clientName }: Caller, share: Share, amount: number): void {
    const partner = this.#partners.get(partnerName) ?? { held: 0, clients: new Map<string, Client>() };
    const client = partner.clients.get(clientName) ?? { held: 0, shares: new Set<Share>() };
    this.#used += amount;
    partner.held += amount;
    client.held += amount;
    if (amount > 0) {
      client.shares.add(share);
      partner.clients.set(clientName, client);
      this.#partners.set(partnerName, partner);
      while (this.#used > this.#limits.total) this.#evict(partner, client);
      return;
    }
    client.shares.delete(share);
    if (client.shares.size === 0) partner.clients.delete(clientName);
    if (partner.clients.size === 0) this.#partners.delete(partnerName);
  }

  /** Evicts a share. @param partner that wants more, with its client */
  #evict(partner: Partner, client: Client): void {
    const largest = this.#largest(this.#partners, partner);
    const { shares } = this.#largest(largest.clients, largest === partner ? client : undefined);
    const [oldest] = shares;
    (this.#limits.evicts === "oldest" ? oldest : [...shares].at(-1))?.evict();
  }

  /**
   * The holder of which a share is evicted. Holdings are compared by powers of two. Between equal holders it is the
   * one that asks if the newest share is evicted, else the one that has held something the longest.
   * @param asking the one that wants more, if it is among them
   */
  #largest<H extends Holder>(holders: ReadonlyMap<string, H>, asking: H | undefined): H {
    let largest = this.#limits.evicts === "oldest" ? undefined : asking;
    for (const each of holders.values()) {
      if (largest === undefined || Math.clz32(each.held) < Math.clz32(largest.held)) largest = each;
    }
    if (largest === undefined) throw new Error("more is used than anybody holds");
    return largest;
  }
}

/** What a caller holds for one purpose. */
export class Share {
  readonly #add: (share: Share, amount: number) => void;
  readonly #onEvicted: () => void;
  #held = 0;
  #isOver = false;

  constructor(add: (share: Share, amount: number) => void, onEvicted: () => void) {
    this.#add = add;
    this.#onEvicted = onEvicted;
  }

  /** Takes more. If there is not enough, this share or another one is evicted. */
  take(amount: number): void {
    if (this.#isOver) return;
    this.#held += amount;
    this.#add(this, amount);
  }

  /** Releases everything; the share cannot be used again. */
  end(): void {
    this.#isOver = true;
    if (this.#held > 0) this.#add(this, -this.#held);
    this.#held = 0;
  }

  /** Releases everything, and notifies the holder. */
  evict(): void {
    this.end();
    this.#onEvicted();
  }
}

/** Most bytes for clients and browser sessions together. */
export const knownSendersBytes = 56 << 20;
/** Most bytes for everybody else together. */
export const strangersBytes = 8 << 20;
/** What each chunk of a message takes in memory beside its bytes: a message may arrive byte by byte. */
export const bytesPerChunk = 2_048;

/** The sender of a message, as far as it is known when the message is read. */
export interface Sender {
  /** Undefined: unknown. */
  readonly knownAs: Caller | undefined;
  /** Network address. Strangers share by network. */
  readonly address: string;
}

/** Bytes of messages that are arriving. Known callers and strangers have separate budgets. */
export class BodyBudget {
  // A partner with too many uploads at a time can finish the older ones.
  readonly #known = new Budget({ total: knownSendersBytes, evicts: "newest" });
  // A request for a token is a few hundred bytes sent at once; an old one has stalled.
  readonly #strangers = new Budget({ total: strangersBytes, evicts: "oldest" });

  /** Bytes that are held now, with their overhead. */
  get usedBytes(): { readonly known: number; readonly stranger: number } {
    return { known: this.#known.used, stranger: this.#strangers.used };
  }

  /**
   * Begins a message.
   * @param onRefused called at most once, if the message is refused because bytes are needed for others, or none are free
   */
  open({ knownAs, address }: Sender, onRefused: (refusal: Refusal) => void): Share {
    const onEvicted = () => onRefused(tooManyMessages());
    return knownAs ? this.#known.open(knownAs, onEvicted) : this.#strangers.open(strangerAt(address), onEvicted);
  }
}

function tooManyMessages(): Refusal {
  const detail = "Too many messages are arriving at once. Send this one again.";
  return new Refusal("unavailable", detail, { retryAfterSeconds: 1 });
}
