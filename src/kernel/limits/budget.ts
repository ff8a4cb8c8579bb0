// A shared amount, such as bytes of messages that arrive or idle connections, that can be taken back. Anybody may take what is
// free. If nothing is, the partner that holds the most loses one of its shares (max-min fairness), and of that partner the
// client that holds the most. So a small holder always gets what it needs, whatever the others do. Below: the budget of bytes
// for messages that are arriving, over every transport of a process.
import { Refusal } from "../errors/refusal.ts";
import { type Caller, strangerAt } from "./caller.ts";

export interface BudgetLimits {
  /** Most that is held at a time, less than 2³¹. */
  readonly total: number;
  /**
   * Which of its shares the largest holder loses: the `newest`, so that long ones can finish, or the `oldest`, so that quick
   * ones get past those that stall.
   */
  readonly loses: "newest" | "oldest";
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
   * @param lost called at most once, when the share was taken away: it holds nothing then, and can take nothing
   */
  open(caller: Caller, lost: () => void): Share {
    return new Share((share, amount) => this.#add(caller, share, amount), lost);
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
      while (this.#used > this.#limits.total) this.#cut(partner, client);
      return;
    }
    client.shares.delete(share);
    if (client.shares.size === 0) partner.clients.delete(clientName);
    if (partner.clients.size === 0) this.#partners.delete(partnerName);
  }

  /** Takes a share away. @param partner that wants more, with its client */
  #cut(partner: Partner, client: Client): void {
    const largest = this.#largest(this.#partners, partner);
    const { shares } = this.#largest(largest.clients, largest === partner ? client : undefined);
    const [oldest] = shares;
    (this.#limits.loses === "oldest" ? oldest : [...shares].at(-1))?.cut();
  }

  /**
   * The holder that loses a share. Holdings are compared by powers of two. Between equal holders the
   * one that asks loses if the newest share is lost, else the one that has held something the longest.
   * @param asking the one that wants more, if it is among them
   */
  #largest<H extends Holder>(holders: ReadonlyMap<string, H>, asking: H | undefined): H {
    let found = this.#limits.loses === "oldest" ? undefined : asking;
    for (const each of holders.values()) {
      if (found === undefined || Math.clz32(each.held) < Math.clz32(found.held)) found = each;
    }
    if (found === undefined) throw new Error("more is used than anybody holds");
    return found;
  }
}

/** What a caller holds for one purpose. */
export class Share {
  readonly #add: (share: Share, amount: number) => void;
  readonly #lost: () => void;
  #held = 0;
  #isOver = false;

  constructor(add: (share: Share, amount: number) => void, lost: () => void) {
    this.#add = add;
    this.#lost = lost;
  }

  /** Takes more. If there is not enough, this share or another one is lost. */
  take(amount: number): void {
    if (this.#isOver) return;
    this.#held += amount;
    this.#add(this, amount);
  }

  /** Gives everything back, for good. */
  end(): void {
    this.#isOver = true;
    if (this.#held > 0) this.#add(this, -this.#held);
    this.#held = 0;
  }

  /** Takes it away. */
  cut(): void {
    this.end();
    this.#lost();
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
  readonly #known = new Budget({ total: knownSendersBytes, loses: "newest" });
  // A request for a token is a few hundred bytes sent at once; an old one has stalled.
  readonly #strangers = new Budget({ total: strangersBytes, loses: "oldest" });

  /** Bytes that are held now, with their overhead. */
  get usedBytes(): { readonly known: number; readonly stranger: number } {
    return { known: this.#known.used, stranger: this.#strangers.used };
  }

  /**
   * Begins a message.
   * @param cut called at most once, when the message is refused to free bytes for others or because there are none for it
   */
  open({ knownAs, address }: Sender, cut: (refusal: Refusal) => void): Share {
    const lost = () => cut(tooManyMessages());
    return knownAs ? this.#known.open(knownAs, lost) : this.#strangers.open(strangerAt(address), lost);
  }
}

function tooManyMessages(): Refusal {
  const detail = "Too many messages are arriving at once. Send this one again.";
  return new Refusal("unavailable", detail, { retryAfterSeconds: 1 });
}
