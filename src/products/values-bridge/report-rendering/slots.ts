// Slots of callers who want a PDF or PNG. The one too many hears so before anything is read for it, and the models of the
// others are made one after the other: many made in one turn of the event loop would keep everybody else waiting.
// Nobody takes them all: where none is free, whoever has most gives the newest one to whoever has fewer, as in "longest
// queue drop" (McKenney, Stochastic Fairness Queueing, 1990).
import { setImmediate } from "node:timers/promises";
import { type RenderingClaimant, type RenderingSlot, renderingUnavailable } from "../report/rendering.ts";

interface Taken {
  readonly claimant: RenderingClaimant;
  readonly lost: AbortController;
}

export class RenderingSlots {
  readonly #most: number;
  /** In the order in which they were taken. */
  readonly #taken = new Set<Taken>();
  #lastTurn: Promise<unknown> = Promise.resolve();

  /** @param most how many there are at a time */
  constructor(most: number) {
    this.#most = most;
  }

  /** @throws `unavailable` if all are taken, and nobody has more than the claimant would have */
  take(claimant: RenderingClaimant): RenderingSlot {
    if (this.#taken.size >= this.#most) this.#displaceFor(claimant);
    const taken: Taken = { claimant, lost: new AbortController() };
    this.#taken.add(taken);
    const { signal } = taken.lost;
    return {
      claimant,
      signal,
      inTurn: (make) => this.#inTurn(make, signal),
      [Symbol.dispose]: () => void this.#taken.delete(taken),
    };
  }

  #displaceFor(claimant: RenderingClaimant): void {
    const all = [...this.#taken];
    const partner = largest(all, ({ partnerId }) => partnerId, claimant) ?? claimant.partnerId;
    const ofPartner = all.filter((each) => each.claimant.partnerId === partner);
    const caller =
      partner === claimant.partnerId
        ? largest(ofPartner, (each) => each.caller, claimant)
        : largest(ofPartner, (each) => each.caller);
    const newest = ofPartner.findLast((each) => each.claimant.caller === caller);
    if (newest === undefined) throw renderingUnavailable("queue_full");
    this.#taken.delete(newest);
    newest.lost.abort();
  }

  #inTurn<T>(make: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const turn = this.#lastTurn.then(async () => {
      await setImmediate();
      if (signal.aborted) throw renderingUnavailable("queue_full");
      return make();
    });
    this.#lastTurn = turn.catch(() => undefined);
    return untilLost(turn, signal);
  }
}

/** The outcome of a promise, or that the slot was lost. @throws `unavailable` as soon as it is */
export async function untilLost<T>(outcome: Promise<T>, signal: AbortSignal): Promise<T> {
  const lost = Promise.withResolvers<never>();
  const lose = () => lost.reject(renderingUnavailable("queue_full"));
  if (signal.aborted) lose();
  signal.addEventListener("abort", lose, { once: true });
  try {
    return await Promise.race([outcome, lost.promise]);
  } finally {
    signal.removeEventListener("abort", lose);
  }
}

/**
 * Whoever has most slots; undefined if nobody has more than the claimant would have with one more.
 * @param claimant undefined: nobody, who has none and wants none
 */
function largest(
  taken: readonly Taken[],
  keyOf: (claimant: RenderingClaimant) => string,
  claimant?: RenderingClaimant,
): string | undefined {
  const counts = new Map<string, number>();
  for (const each of taken) counts.set(keyOf(each.claimant), (counts.get(keyOf(each.claimant)) ?? 0) + 1);
  const wanted = claimant === undefined ? 0 : (counts.get(keyOf(claimant)) ?? 0) + 1;
  const [first] = [...counts].toSorted(([, one], [, other]) => other - one);
  return first !== undefined && first[1] > wanted ? first[0] : undefined;
}
