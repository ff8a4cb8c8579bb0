// Reads what an endpoint is to get next: parked events whose time has come, then new ones, then a replay.

import { type DescriptionDeps, describeEvents } from "../../domain/events/described-events.ts";
import type { LoggedEvent } from "../../domain/events/event.ts";
import type { EventStore, LogPage } from "../../domain/events/event-port.ts";
import type { DeliveryStore } from "../../domain/webhooks/delivery-port.ts";
import type { Clock, MonotonicClock } from "../../kernel/environment.ts";
import { Batch } from "./batch.ts";
import type { LeaseJournal } from "./lease-journal.ts";

const parkedBatch = 20;
const pageSize = 100;

export interface BatchReaderDeps extends DescriptionDeps {
  readonly events: EventStore;
  readonly deliveries: Pick<DeliveryStore, "listDueParked" | "findParkedResources">;
  readonly clock: Clock;
  readonly monotonic: MonotonicClock;
}

export class BatchReader {
  readonly #deps: BatchReaderDeps;
  readonly #journal: LeaseJournal;
  readonly #signal: AbortSignal;

  constructor(deps: BatchReaderDeps, journal: LeaseJournal, signal: AbortSignal) {
    this.#deps = deps;
    this.#journal = journal;
    this.#signal = signal;
  }

  /** @param isProbe whether new events come first, which tell most of an endpoint that is down */
  async next(isProbe: boolean): Promise<Batch | undefined> {
    const sources = [() => this.#parked(), () => this.#fresh()];
    for (const read of isProbe ? sources.toReversed() : sources) {
      const batch = await read();
      if (batch !== undefined) return batch;
    }
    return this.#replayed();
  }

  /** Reads again which events of a batch are still in the log, as they are now. */
  async renew(batch: Batch): Promise<void> {
    const readAt = this.#deps.monotonic();
    const open = new Set(batch.open.map(({ event }) => event.sequence));
    const last = Math.max(...open);
    const found: LoggedEvent[] = [];
    let reached = 0;
    for (const sequence of open) {
      // It was in the page of one before it.
      if (sequence <= reached) continue;
      const limit = Math.min(pageSize, last - sequence + 1);
      const { partnerId } = this.#journal.endpoint;
      const page = await this.#deps.events.listEvents(partnerId, sequence - 1, limit, this.#signal);
      found.push(...page.events.filter((event) => open.has(event.sequence)));
      reached = page.isEnd ? last : page.last;
    }
    const described = await this.#describe(found);
    batch.renew(new Map(described.map((each) => [each.sequence, each])), readAt);
  }

  async #parked(): Promise<Batch | undefined> {
    const { deliveries, monotonic } = this.#deps;
    const { endpoint, done, freedResourceIds } = this.#journal;
    const readAt = monotonic();
    const due = await deliveries.listDueParked(endpoint, parkedBatch, this.#signal);
    if (due.length === 0) return undefined;
    for (const { event, sequence, resourceId } of due) {
      if (event !== undefined) continue;
      // Erased, or no longer kept.
      done.push(sequence);
      freedResourceIds.push(resourceId);
      this.#journal.touch();
    }
    const kept = due.flatMap(({ event, attempts }) => (event === undefined ? [] : [{ event, attempts }]));
    const described = await this.#describe(kept.map(({ event }) => event));
    const tries = kept.flatMap(({ event, attempts }, index) => {
      const each = described[index];
      return each === undefined ? [] : [{ event, attempts, described: each }];
    });
    return new Batch("parked", tries, { end: 0, isLast: false, readAt, blockedResourceIds: new Set() });
  }

  async #fresh(): Promise<Batch | undefined> {
    const journal = this.#journal;
    for (;;) {
      const readAt = this.#deps.monotonic();
      const { events, last: end, isEnd } = await this.#readOn();
      const batch = await this.#batchOf("new", events, { end, isLast: isEnd && journal.replay === null, readAt });
      if (batch !== undefined) return batch;
      if (end > journal.sequence) {
        journal.sequence = end;
        journal.touch();
      }
      if (isEnd) return undefined;
    }
  }

  /** What comes next in the log, and how far one is with it. */
  async #readOn(): Promise<LogPage> {
    const journal = this.#journal;
    const { partnerId } = journal.endpoint;
    const { events } = this.#deps;
    const read = () => events.listEvents(partnerId, journal.sequence, pageSize, this.#signal);
    const page = await read();
    // Without a gap nothing has expired.
    if (page.events[0]?.sequence === journal.sequence + 1) return page;
    const { expired, head } = await events.findPartnerBounds(partnerId, this.#signal);
    if (journal.sequence < expired) this.#jumpTo(expired);
    // What came into the log after its head was read is not passed over.
    const later = await read();
    return { ...later, last: later.isEnd ? Math.max(later.last, head) : later.last };
  }

  async #replayed(): Promise<Batch | undefined> {
    const journal = this.#journal;
    for (;;) {
      const { replay } = journal;
      if (replay === null) return undefined;
      const readAt = this.#deps.monotonic();
      const { partnerId } = journal.endpoint;
      const page = await this.#deps.events.listEvents(partnerId, replay.after, pageSize, this.#signal);
      const events = page.events.filter(({ sequence }) => sequence <= replay.until);
      const end = page.isEnd ? replay.until : Math.min(page.last, replay.until);
      const batch = await this.#batchOf("replay", events, { end, isLast: false, readAt });
      if (batch !== undefined) return batch;
      journal.replay = end >= replay.until ? null : { after: end, until: replay.until };
      journal.touch();
    }
  }

  /** Undefined: the endpoint gets none of them. */
  async #batchOf(
    source: "new" | "replay",
    events: readonly LoggedEvent[],
    about: { readonly end: number; readonly isLast: boolean; readonly readAt: number },
  ): Promise<Batch | undefined> {
    const { endpoint } = this.#journal;
    const wanted = events.filter(({ type }) => endpoint.types.includes(type));
    if (wanted.length === 0) return undefined;
    const resourceIds = [...new Set(wanted.map(({ resourceId }) => resourceId))];
    const { deliveries } = this.#deps;
    const blockedResourceIds = await deliveries.findParkedResources(endpoint, resourceIds, this.#signal);
    const described = await this.#describe(wanted);
    const batch = wanted.flatMap((event, index) => {
      const each = described[index];
      return each === undefined ? [] : [{ event, attempts: 0, described: each }];
    });
    return new Batch(source, batch, { ...about, blockedResourceIds });
  }

  #describe(events: readonly LoggedEvent[]) {
    return describeEvents(this.#deps, events, this.#journal.endpoint.includeExternalId, this.#signal);
  }

  /** Events expired before they were delivered. */
  #jumpTo(sequence: number): void {
    const journal = this.#journal;
    const at = new Date(this.#deps.clock());
    journal.attempts.push({ sequence, event: null, attempt: 1, at, status: null, error: "expired", tookMs: 0 });
    journal.sequence = sequence;
    journal.touch();
  }
}
