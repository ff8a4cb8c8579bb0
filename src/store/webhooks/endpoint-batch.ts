// One endpoint in a transaction of the deliverer, which has locked its row: the results of deliveries are stored, and further
// ones claimed.
import type { RowDataPacket } from "mysql2";
import { bytesToUuid, uuidToBytes } from "../../database/statement.ts";
import type { LoggedEvent } from "../../domain/events/event.ts";
import {
  type ClaimedDelivery,
  hasSucceeded,
  isAttempt,
  notSent,
  type SendResult,
  type SentDelivery,
  type SettleContext,
} from "../../domain/webhooks/deliveries.ts";
import { afterAttempt, attemptRetentionMs, maxConcurrent } from "../../domain/webhooks/delivery-outcome.ts";
import { downAfter, type Endpoint } from "../../domain/webhooks/endpoint.ts";
import { codeOf } from "../../kernel/event-types.ts";
import { type DeliveryChanges, redeliveryClaim } from "./delivery-changes.ts";
import { type Schedule, type StoredAttempt, toEndpoint } from "./rows.ts";

/** Events of the log read for one batch. */
export const pageSize = 50;
/** Of those, as many may get a delivery: few are claimed, and it is looked up for each whether its resource has one. */
const maxCreated = 16;

/** How long an event waits for a process that knows its type. */
const unknownTypeMs = 60_000;

/** Where the log of a partner begins and ends. */
export interface Log {
  readonly head: number;
  readonly expired: number;
}

/** What was read for the endpoints of a transaction. */
export interface ReadAhead {
  /** Deliveries that are not dead and have a time, the next first. */
  readonly pending: readonly RowDataPacket[];
  readonly log: PartnerLog;
  readonly page: Page | undefined;
  /** Resources of events of the page with a delivery that is not dead. */
  readonly open: Set<string>;
}

/**
 * Events of a partner's log in their order, by sequence: those of pending deliveries, and of pages. Null: only a newer release
 * knows its type.
 */
export type PartnerLog = ReadonlyMap<number, LoggedEvent | null>;

/** Events of a page of the log that the endpoint receives. */
interface Page {
  readonly events: readonly LoggedEvent[];
  /** There are no others up to here. */
  readonly end: number;
}

/** A delivery that is being sent. One of each resource, such as a session, is sent at a time. */
interface OpenClaim extends Pick<LoggedEvent, "resourceId" | "sequence"> {
  readonly attempts: number;
  readonly endsAt: Date;
}

export class EndpointBatch {
  /** As it is stored at the end, but for `sequence`. */
  endpoint: Endpoint;
  /** Claimed deliveries. */
  readonly claimed: ClaimedDelivery[] = [];
  readonly attempts: StoredAttempt[] = [];
  /** Number of deliveries that are given up. */
  died = 0;
  readonly #changes: DeliveryChanges;
  readonly #name: { readonly partnerId: Buffer; readonly endpointId: Buffer };
  readonly #now: Date;
  readonly #claimEndsAt: Date;
  readonly #log: Log;
  readonly #maxClaimed: number;
  readonly #claims: OpenClaim[] = [];
  #lastAttempt: number;
  /** When the next deliveries that are not claimed are due. One that waits for a claim of its resource has no time. */
  #pendingAt: Date[] = [];

  /**
   * @param changes where it adds its own. @param row of the endpoint, with `now`
   * @param maxClaimed how many deliveries may be claimed, until `claimEndsAt`
   */
  constructor(changes: DeliveryChanges, row: RowDataPacket, log: Log, maxClaimed: number, claimEndsAt: Date) {
    this.endpoint = toEndpoint(row);
    this.#changes = changes;
    this.#name = { partnerId: row.partner_id, endpointId: row.id };
    this.#now = row.now;
    this.#claimEndsAt = claimEndsAt;
    this.#log = log;
    this.#maxClaimed = maxClaimed;
    this.#lastAttempt = row.last_attempt;
  }

  /**
   * Notes the results of deliveries.
   * @param claimedRows rows of the endpoint's deliveries that are being sent or were sent
   * @param isErased whether an event of its partner is no longer in the log
   */
  async settle(
    sentDeliveries: readonly SentDelivery[],
    claimedRows: readonly RowDataPacket[],
    isErased: (partnerId: Buffer, sequence: number) => Promise<boolean>,
    context: SettleContext,
  ): Promise<void> {
    const { partnerId } = this.#name;
    const rows = new Map(claimedRows.map((row) => [Number(row.sequence), row]));
    const { revision } = this.endpoint;
    for (const { event, attempts, at, result, claim } of sentDeliveries) {
      const { sequence } = event;
      const row = rows.get(sequence);
      // Otherwise it was erased, or this process stood still, and another one has claimed the delivery and lists its attempt.
      const isSentAgain = row?.claim_id.equals(redeliveryClaim) === true;
      const isClaimed = isSentAgain || row?.claim_id.equals(uuidToBytes(claim.claimId));
      if (isAttempt(result) && (isClaimed || (await isErased(partnerId, sequence)))) {
        this.#addAttempt(sequence, event, attempts + 1, at, result);
      }
      if (row === undefined || !isClaimed) continue;
      rows.delete(sequence);
      const fraction = (context.random(1)[0] ?? 0) / 256;
      const now = { ...context, fraction, databaseNow: this.#now };
      const { delivery, health } = afterAttempt(attempts, this.endpoint, result, now);
      // If the endpoint was changed meanwhile, the result says nothing about its health.
      if (claim.endpoint.revision === revision) this.endpoint = { ...this.endpoint, ...health };
      const changedDelivery = { ...this.#name, sequence, resourceId: row.resource_id };
      if (isSentAgain) {
        this.#changes.saved.push({ ...changedDelivery, attempts: 0, nextAt: this.#now, deadAt: null });
        continue;
      }
      if (delivery === undefined) this.#changes.removed.push(changedDelivery);
      else this.#changes.saved.push({ ...changedDelivery, ...delivery });
      if (delivery?.deadAt) this.died += 1;
    }
    for (const { sequence, attempts, next_at: endsAt, resource_id: id } of rows.values()) {
      if (endsAt > this.#now) this.#claims.push({ resourceId: bytesToUuid(id), sequence, attempts, endsAt });
    }
    const { expired: expiredUntil } = this.#log;
    if (this.endpoint.claimedSequence >= expiredUntil) return;
    this.#addAttempt(expiredUntil, null, 1, this.#now, notSent("expired"));
    this.endpoint = { ...this.endpoint, claimedSequence: expiredUntil };
  }

  /** Whether deliveries may be claimed, or are to be waited for. */
  get isOpen(): boolean {
    return !this.#isPaused && this.#freeConcurrency > 0;
  }

  /** After which event a page of the log is read; undefined: none is needed. */
  get pageAfter(): number | undefined {
    return this.#capacity > 0 && this.#isBehind ? this.#range.after : undefined;
  }

  /** Claims what may be sent now: retries first, then new events; for a probe new events first. */
  claim({ pending, log, page, open }: ReadAhead): void {
    const due = pending.filter((row) => row.is_due === 1);
    this.#pendingAt = pending.filter((row) => row.is_due !== 1).map((row) => row.next_at);
    const isLast = ({ attempts }: RowDataPacket) => this.endpoint.failures >= downAfter && attempts > 0;
    for (const row of due) if (!isLast(row)) this.#claimDue(row, log.get(row.sequence));
    if (this.#capacity > 0 && page !== undefined) this.#claimPage(page, open);
    for (const row of due) if (isLast(row)) this.#claimDue(row, log.get(row.sequence));
  }

  /** The endpoint as it is to be stored, with when it is due next. */
  get stored(): Endpoint & Schedule {
    const { sequence: position, claimedSequence } = this.endpoint;
    // The endpoint's position stays before new events that are being sent.
    const isNew = ({ attempts, sequence }: OpenClaim) => attempts === 0 && sequence > position;
    const ahead = this.#claims.filter(isNew).map((claim) => claim.sequence - 1);
    const progress = { sequence: Math.min(claimedSequence, ...ahead), lastAttempt: this.#lastAttempt };
    return { ...this.endpoint, ...progress, dueAt: this.#dueAt() };
  }

  get #capacity(): number {
    return this.#isPaused ? 0 : Math.min(this.#maxClaimed - this.claimed.length, this.#freeConcurrency);
  }

  get #isPaused(): boolean {
    const { disabledReason, restUntil } = this.endpoint;
    return disabledReason !== null || (restUntil !== null && restUntil > this.#now);
  }

  get #freeConcurrency(): number {
    return maxConcurrent(this.endpoint) - this.#claims.length;
  }

  get #isBehind(): boolean {
    return this.#log.head > this.endpoint.claimedSequence || this.endpoint.replay !== null;
  }

  /** When it is due next; null: after the next event or change. */
  #dueAt(): Date | null {
    if (this.#isPaused) return this.endpoint.disabledReason === null ? this.endpoint.restUntil : null;
    const ends = this.#claims.map(({ endsAt }) => endsAt);
    if (this.#freeConcurrency <= 0) return earliest(ends);
    if (this.#isBehind) return this.#now;
    return earliest([...ends, ...this.#pendingAt]);
  }

  /** The page that is next. @param log with all of the page */
  pageOf(log: PartnerLog): Page {
    const { isReplay, after, until: plannedUntil } = this.#range;
    const page = [...log].filter(([sequence]) => sequence > after).slice(0, pageSize);
    const [last] = page.at(-1) ?? [after];
    // The log may have grown since its head was read.
    const until = isReplay ? plannedUntil : Math.max(plannedUntil, last);
    const end = page.length < pageSize ? until : Math.min(last, until);
    const { types } = this.endpoint;
    const received = page.flatMap(([sequence, event]) =>
      event !== null && sequence <= end && types.includes(event.type) ? [event] : [],
    );
    const events = received.slice(0, maxCreated);
    return { events, end: events.length < received.length ? (events.at(-1)?.sequence ?? end) : end };
  }

  /** What is to come of the log, or else of a replay. */
  get #range() {
    const { claimedSequence, replay } = this.endpoint;
    const isReplay = replay !== null && this.#log.head <= claimedSequence;
    return isReplay ? { isReplay, ...replay } : { isReplay, after: claimedSequence, until: this.#log.head };
  }

  /**
   * Claims a due delivery if there is room. One that need not be sent any more is removed.
   * @param event undefined: it is no longer in the log
   */
  #claimDue(
    { attempts, sequence, resource_id: resourceId }: RowDataPacket,
    event: LoggedEvent | null | undefined,
  ): void {
    if (this.#claims.some((claim) => claim.resourceId === bytesToUuid(resourceId))) return;
    if (this.#capacity <= 0) return void this.#pendingAt.push(this.#now);
    const delivery = { ...this.#name, sequence, resourceId };
    if (event === null) {
      const nextAt = new Date(this.#now.getTime() + unknownTypeMs);
      this.#pendingAt.push(nextAt);
      this.#changes.saved.push({ ...delivery, attempts, nextAt, deadAt: null });
      return;
    }
    if (event === undefined || (attempts === 0 && !this.endpoint.types.includes(event.type))) {
      this.#pendingAt.push(this.#now);
      this.#changes.removed.push(delivery);
      return;
    }
    this.#begin({ event, attempts });
    this.#changes.claimed.push(delivery);
  }

  /**
   * Creates deliveries for a page: claims the first of each resource while there is room; the others wait for the first. A
   * replay is over when all of its range has deliveries.
   */
  #claimPage({ events, end }: Page, open: Set<string>): void {
    const { isReplay, after, until } = this.#range;
    let [reachedSequence, before] = [end, after];
    for (const event of events) {
      const { resourceId, sequence, type } = event;
      const isFirst = !open.has(resourceId);
      if (isFirst && this.#capacity <= 0) {
        reachedSequence = before;
        break;
      }
      if (isFirst) this.#begin({ event, attempts: 0 });
      const delivery = { ...this.#name, sequence, resourceId: uuidToBytes(resourceId) };
      this.#changes.created.push({ ...delivery, typeCode: codeOf(type), isClaimed: isFirst });
      open.add(resourceId);
      before = sequence;
    }
    this.endpoint = isReplay
      ? { ...this.endpoint, replay: reachedSequence < until ? { after: reachedSequence, until } : null }
      : { ...this.endpoint, claimedSequence: reachedSequence };
  }

  #begin(delivery: ClaimedDelivery): void {
    const { attempts, event } = delivery;
    this.claimed.push(delivery);
    this.#claims.push({ resourceId: event.resourceId, sequence: event.sequence, attempts, endsAt: this.#claimEndsAt });
  }

  /** @param event null: it was of no single event */
  #addAttempt(
    sequence: number,
    event: LoggedEvent | null,
    attempt: number,
    at: Date,
    { status, error, tookMs }: SendResult,
  ): void {
    this.#lastAttempt += 1;
    const { id: endpointId, partnerId } = this.endpoint;
    const expiresAt = new Date(at.getTime() + attemptRetentionMs(hasSucceeded({ status })));
    const about = { resourceId: event?.resourceId ?? null, type: event?.type ?? null };
    const result = { attempt, at, status, error, tookMs, expiresAt };
    this.attempts.push({ partnerId, endpointId, id: this.#lastAttempt, sequence, ...about, ...result });
  }
}

function earliest(dates: readonly Date[]): Date | null {
  return dates.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
}
