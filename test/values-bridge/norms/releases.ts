// A scope whose contributions come and go: every decision is that of the rule, everything else is kept in plain lists.
import { isWithdrawn, mayRelease, type ReleaseRule } from "../../../src/products/values-bridge/norms/release.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** `[day, operation, contribution, partner or new contribution]`. */
export type ReleaseEvent = readonly [day: number, op: string, id?: string, other?: string];

interface Contribution {
  readonly partner: string;
  isReleased: boolean;
}

export class Release {
  readonly #rule: ReleaseRule;
  readonly #isPooled: boolean;
  readonly #live = new Map<string, Contribution>();
  #publishedN: number | null = null;
  #removedAt: Date | null = null;
  /** Who was in each release, the withdrawn ones too. */
  readonly released: string[][] = [];

  constructor(rule: ReleaseRule, isPooled: boolean) {
    this.#rule = rule;
    this.#isPooled = isPooled;
  }

  apply([day, op, id = "", other = ""]: ReleaseEvent) {
    const now = day * dayMs;
    if (op === "add") this.#live.set(id, { partner: other, isReleased: false });
    if (op === "replace") {
      this.#live.delete(id);
      this.#live.set(other, { partner: "", isReleased: false });
    }
    if (op === "remove") {
      if (this.#live.get(id)?.isReleased) this.#removedAt ??= new Date(now);
      this.#live.delete(id);
    }
    const isReleasing = mayRelease(this.#state(), this.#rule);
    if (isReleasing) {
      for (const each of this.#live.values()) each.isReleased = true;
      this.released.push([...this.#live.keys()]);
      this.#publishedN = this.#live.size;
      this.#removedAt = null;
    }
    if (isWithdrawn(this.#state(), now)) this.#publishedN = null;
    const { live, fresh } = this.#state();
    return {
      day,
      op,
      id: id === "" ? null : id,
      live,
      new: fresh,
      released: isReleasing,
      publishedN: this.#publishedN,
    };
  }

  #state() {
    const fresh = [...this.#live.values()].filter(({ isReleased }) => !isReleased);
    const byPartner = new Map<string, number>();
    for (const { partner } of fresh) byPartner.set(partner, (byPartner.get(partner) ?? 0) + 1);
    return {
      live: this.#live.size,
      fresh: fresh.length,
      freshOfLargest: this.#isPooled ? Math.max(0, ...byPartner.values()) : 0,
      isReleased: this.#publishedN !== null,
      removedAt: this.#removedAt,
    };
  }
}
