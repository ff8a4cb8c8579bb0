// Reads what an endpoint is to get next: parked events whose time has come, then new ones, then a replay.

import type { Clock, MonotonicClock } from "../domain/environment.ts";
import { type DescriptionDeps, describeEvents } from "../domain/events/described-events.ts";
import type { LoggedEvent } from "../domain/events/event.ts";
import type { DeliveryStore } from "../domain/ports/deliveries.ts";
import type { EventStore } from "../domain/ports/events.ts";
import { Batch, type Delivery } from "./batch.ts";
import type { LeaseJournal } from "./lease-journal.ts";

const parkedBatch = 20;
const pageSize = 100;

export interface BatchReaderDeps extends DescriptionDeps {
  readonly events: EventStore;
  readonly deliveries: Pick<DeliveryStore, "listDueParked" | "findParkedSessions">;
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

  /** Whether the event is still in the log, with what is to be told of it now. */
  async readAgain({ event, attempts }: Delivery): Promise<Delivery | undefined> {
    const { partnerId, sequence } = event;
    const { events } = await this.#deps.events.listEvents(partnerId, sequence - 1, 1, this.#signal);
    const [found] = events;
    if (found?.sequence !== sequence) return undefined;
    const [described] = await this.#describe([found]);
    return described && { event, described, attempts };
  }

  async #parked(): Promise<Batch | undefined> {
    const { deliveries, monotonic } = this.#deps;
    const { endpoint, done, freedSessionIds } = this.#journal;
    const readAt = monotonic();
    const due = await deliveries.listDueParked(endpoint, parkedBatch, this.#signal);
    if (due.length === 0) return undefined;
    for (const { event, sequence, sessionId } of due) {
      if (event !== undefined) continue;
      // Erased, or no longer kept.
      done.push(sequence);
      freedSessionIds.push(sessionId);
      this.#journal.touch();
    }
    const kept = due.flatMap(({ event, attempts }) => (event === undefined ? [] : [{ event, attempts }]));
    const described = await this.#describe(kept.map(({ event }) => event));
    const tries = kept.flatMap(({ event, attempts }, index) => {
      const each = described[index];
      return each === undefined ? [] : [{ event, attempts, described: each }];
    });
    return new Batch("parked", tries, { end: 0, readAt, heldSessionIds: new Set() });
  }

  async #fresh(): Promise<Batch | undefined> {
    const journal = this.#journal;
    const { partnerId } = journal.endpoint;
    for (;;) {
      const readAt = this.#deps.monotonic();
      const { expired, head } = await this.#deps.events.findPartnerBounds(partnerId, this.#signal);
      if (journal.sequence < expired) this.#jumpTo(expired);
      const page = await this.#deps.events.listEvents(partnerId, journal.sequence, pageSize, this.#signal);
      const end = page.isEnd ? Math.max(page.last, head) : page.last;
      const batch = await this.#batchOf("new", page.events, end, readAt);
      if (batch !== undefined) return batch;
      if (end > journal.sequence) {
        journal.sequence = end;
        journal.touch();
      }
      if (page.isEnd) return undefined;
    }
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
      const batch = await this.#batchOf("replay", events, end, readAt);
      if (batch !== undefined) return batch;
      journal.replay = end >= replay.until ? null : { after: end, until: replay.until };
      journal.touch();
    }
  }

  /** Undefined: the endpoint gets none of them. */
  async #batchOf(source: "new" | "replay", events: readonly LoggedEvent[], end: number, readAt: number) {
    const { endpoint } = this.#journal;
    const wanted = events.filter(({ type }) => endpoint.types.includes(type));
    if (wanted.length === 0) return undefined;
    const sessionIds = [...new Set(wanted.map(({ resourceId }) => resourceId))];
    const { deliveries } = this.#deps;
    const heldSessionIds = await deliveries.findParkedSessions(endpoint.id, sessionIds, this.#signal);
    const described = await this.#describe(wanted);
    const batch = wanted.flatMap((event, index) => {
      const each = described[index];
      return each === undefined ? [] : [{ event, attempts: 0, described: each }];
    });
    return new Batch(source, batch, { end, readAt, heldSessionIds });
  }

  #describe(events: readonly LoggedEvent[]) {
    return describeEvents(this.#deps, events, this.#journal.endpoint.includeExternalId, this.#signal);
  }

  /** Events expired before they were delivered. */
  #jumpTo(sequence: number): void {
    const journal = this.#journal;
    const at = new Date(this.#deps.clock());
    journal.attempts.push({ sequence, sessionId: null, attempt: 1, at, status: null, error: "expired", tookMs: 0 });
    journal.sequence = sequence;
    journal.touch();
  }
}
