// An amount that many share: bytes of messages that arrive, connections that are idle. It can be had back, so anybody may
// take what is free. Where nothing is, the partner that holds the most loses one of its shares (max-min fairness), and of
// that partner the client that does. So whoever holds little always has room, whatever all others do.
import type { Caller } from "./caller.ts";

export interface BudgetLimits {
  /** Most that is held at a time, less than 2³¹. */
  readonly total: number;
  /** Most that one partner holds; all unless given. */
  readonly ofPartner?: number;
  /**
   * Which of its shares the largest holder loses: the `newest`, so that long ones are finished, or the `oldest`, so that
   * prompt ones get past those that stall.
   */
  readonly loses: "newest" | "oldest";
}

interface Holder {
  held: number;
}

interface Client extends Holder {
  /** Those that hold something, in the order in which they began to. */
  readonly shares: Set<Share>;
}

interface Partner extends Holder {
  readonly clients: Map<string, Client>;
}

export class Budget {
  readonly #limits: Required<BudgetLimits>;
  /** Those that hold something. */
  readonly #partners = new Map<string, Partner>();
  #used = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = { ofPartner: limits.total, ...limits };
  }

  /** What is held now. */
  get used(): number {
    return this.#used;
  }

  /**
   * Begins a share, which holds nothing yet.
   * @param lost notified that the share was taken away, once at most; it holds nothing any more, and takes nothing
   */
  open(caller: Caller, lost: () => void): Share {
    return new Share((share, amount) => this.#add(caller, share, amount), lost);
  }

  /** @param amount negative: what is given back */
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
      const { total, ofPartner } = this.#limits;
      while (partner.held > ofPartner) this.#cut(partner, client);
      while (this.#used > total) {
        const largest = this.#largest(this.#partners, partner);
        this.#cut(largest, largest === partner ? client : undefined);
      }
      return;
    }
    client.shares.delete(share);
    if (client.shares.size === 0) partner.clients.delete(clientName);
    if (partner.clients.size === 0) this.#partners.delete(partnerName);
  }

  #cut({ clients }: Partner, asking: Client | undefined): void {
    const { shares } = this.#largest(clients, asking);
    const [oldest] = shares;
    (this.#limits.loses === "oldest" ? oldest : [...shares].at(-1))?.cut();
  }

  /**
   * The holder that loses a share. Holders are told apart by powers of two: of those that are alike, a new one is not the
   * one to lose if prompt ones are to get past the others, and else it is.
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

  /** Takes more. This share is lost, or another one, where there is not enough. */
  take(amount: number): void {
    if (this.#isOver) return;
    this.#held += amount;
    this.#add(this, amount);
  }

  /** Gives all of it back, for good. */
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
