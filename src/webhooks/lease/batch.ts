// Some events on their way to an endpoint, in their order: one at a time for each resource, such as a session.
import type { DescribedEvent } from "../../domain/events/described-events.ts";
import type { LoggedEvent } from "../../domain/events/event.ts";

export interface Delivery {
  readonly event: LoggedEvent;
  readonly described: DescribedEvent;
  /** Attempts before this one. */
  readonly attempts: number;
}

/** Where the events come from: parked ones whose time has come, those after the cursor, or a replay. */
export type BatchSource = "parked" | "new" | "replay";

export class Batch {
  readonly source: BatchSource;
  /** Whether there was nothing after it when it was read. */
  readonly isLast: boolean;
  /** Resources with an event that was not taken: whatever comes after it waits. */
  readonly blockedResourceIds: Set<string>;
  readonly #deliveries: readonly Delivery[];
  readonly #end: number;
  readonly #state: ("waiting" | "underWay" | "settled" | "failed")[];
  /** Each event as it is sent, by its sequence. */
  #described: ReadonlyMap<number, DescribedEvent>;
  #readAt: number;

  /** @param end the sequence that is reached when all are settled */
  constructor(
    source: BatchSource,
    deliveries: readonly Delivery[],
    about: {
      readonly end: number;
      readonly isLast: boolean;
      readonly readAt: number;
      readonly blockedResourceIds: ReadonlySet<string>;
    },
  ) {
    this.source = source;
    this.isLast = about.isLast;
    this.#readAt = about.readAt;
    this.#described = new Map(deliveries.map(({ event, described }) => [event.sequence, described]));
    this.blockedResourceIds = new Set(about.blockedResourceIds);
    this.#deliveries = deliveries;
    this.#end = about.end;
    this.#state = deliveries.map(() => "waiting");
  }

  /** When the log was looked at last, by the monotonic clock. */
  get readAt(): number {
    return this.#readAt;
  }

  /** Deliveries that may still be sent, in their order. */
  get open(): readonly Delivery[] {
    return this.#deliveries.filter((_, index) => this.#state[index] !== "settled");
  }

  /** The event as it is now; undefined: it is no longer in the log. */
  describedNow({ event }: Delivery): DescribedEvent | undefined {
    return this.#described.get(event.sequence);
  }

  /** Replaces what the log said of the open deliveries. @param described by sequence; without those that are gone */
  renew(described: ReadonlyMap<number, DescribedEvent>, readAt: number): void {
    this.#described = described;
    this.#readAt = readAt;
  }

  /** Begins the first delivery of a resource that has none under way and none before it. */
  begin(): Delivery | undefined {
    const passed = new Set<string>();
    for (const [index, delivery] of this.#deliveries.entries()) {
      const { resourceId } = delivery.event;
      if (this.#state[index] === "waiting" && !passed.has(resourceId)) {
        this.#state[index] = "underWay";
        return delivery;
      }
      if (this.#state[index] !== "settled") passed.add(resourceId);
    }
    return undefined;
  }

  /** Lets a delivery that was not sent begin again later. */
  putBack(delivery: Delivery): void {
    this.#state[this.#deliveries.indexOf(delivery)] = "waiting";
  }

  /** It was delivered, parked, or is no longer there. */
  settle(delivery: Delivery): void {
    this.#state[this.#deliveries.indexOf(delivery)] = "settled";
  }

  /** It was not taken, and nothing after it in the log counts as reached. */
  fail(delivery: Delivery): void {
    this.#state[this.#deliveries.indexOf(delivery)] = "failed";
  }

  /** The last sequence up to which everything is settled. @param before the sequence that was reached when the batch was read */
  reached(before: number): number {
    const open = this.#state.findIndex((state) => state !== "settled");
    if (open < 0) return this.#end;
    return this.#deliveries[open - 1]?.event.sequence ?? before;
  }
}
