// One endpoint in a transaction of the deliverer, which has locked its row: the results of deliveries are stored, and further
// ones claimed.
import type { Connection, RowDataPacket } from "mysql2";
import { bytesToUuid, execute, readRows, readRowsOf, uuidToBytes } from "../../database/statement.ts";
import type { LoggedEvent } from "../../domain/events/event.ts";
import {
  type ClaimedDelivery,
  hasSucceeded,
  isAttempt,
  type SendResult,
  type SentDelivery,
  type SettleContext,
} from "../../domain/webhooks/deliveries.ts";
import {
  afterAttempt,
  attemptRetentionMs,
  claimMs,
  maxConcurrent,
  type OpenDelivery,
} from "../../domain/webhooks/delivery-outcome.ts";
import { downAfter, type Endpoint } from "../../domain/webhooks/endpoint.ts";
import { codeOf } from "../../kernel/event-types.ts";
import { toEvents } from "../events/event-log.ts";
import { statements as logStatements } from "../events/event-store.ts";
import { type DeliveryChanges, readOpen, redeliveryRequested, statements } from "./delivery-statements.ts";
import { answeringOf, toEndpoint } from "./rows.ts";

/** Events of the log read for one batch. */
const pageSize = 50;
/** Deliveries read for one batch to find those that may be claimed. */
const maxPending = 8;

/** How long an event waits for a process that knows its type. */
const unknownTypeMs = 60_000;

/** Where the log of a partner begins and ends. */
export interface Log {
  readonly head: number;
  readonly expired: number;
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
  /** Attempts, as rows. */
  readonly attempts: unknown[][] = [];
  /** Number of deliveries that are given up. */
  died = 0;
  readonly #connection: Connection;
  readonly #changes: DeliveryChanges;
  readonly #name: { readonly partnerId: Buffer; readonly endpointId: Buffer };
  readonly #now: Date;
  readonly #log: Log;
  readonly #maxClaimed: number;
  readonly #claims: OpenClaim[] = [];
  #lastAttempt: number;
  /** When the next deliveries that are not claimed are due. One that waits for a claim of its resource has no time. */
  #pendingAt: Date[] = [];

  /** @param row of the endpoint, with `last_attempt` and `now`. @param maxClaimed how many deliveries may be claimed */
  constructor(connection: Connection, changes: DeliveryChanges, row: RowDataPacket, log: Log, maxClaimed: number) {
    this.endpoint = toEndpoint(row);
    this.#connection = connection;
    this.#changes = changes;
    this.#name = { partnerId: row.partner_id, endpointId: row.id };
    this.#now = row.now;
    this.#log = log;
    this.#maxClaimed = maxClaimed;
    this.#lastAttempt = row.last_attempt;
  }

  /** Notes the results of deliveries. @param claimed rows of the endpoint's deliveries that are being sent or were sent */
  async settle(
    sentDeliveries: readonly SentDelivery[],
    claimed: readonly RowDataPacket[],
    context: SettleContext,
  ): Promise<void> {
    const rows = new Map(claimed.map((row) => [Number(row.sequence), row]));
    const { revision } = this.endpoint;
    for (const { event, attempts, at, result, claim } of sentDeliveries) {
      const { sequence } = event;
      const row = rows.get(sequence);
      const isRequestedAgain = row?.claim_id.equals(redeliveryRequested);
      // Otherwise it was erased, or this process stood still, and another one has claimed the delivery and lists its attempt.
      const isClaimed = row !== undefined && (isRequestedAgain || row.claim_id.equals(uuidToBytes(claim.claimId)));
      if (isAttempt(result) && (isClaimed || (await this.#isErased(sequence)))) {
        this.#addAttempt(sequence, event, attempts + 1, at, result);
      }
      if (!isClaimed) continue;
      rows.delete(sequence);
      const fraction = (context.random(1)[0] ?? 0) / 256;
      const now = { ...context, fraction, databaseNow: this.#now };
      const { delivery, health } = afterAttempt(attempts, this.endpoint, result, now);
      // If the endpoint was changed meanwhile, the result says nothing about its health.
      if (claim.endpoint.revision === revision) this.endpoint = { ...this.endpoint, ...health };
      if (isRequestedAgain) await this.#saveDelivery(sequence, { attempts: 0, nextAt: this.#now, deadAt: null });
      else if (delivery === undefined) this.#remove(sequence, row.resource_id);
      else await this.#saveDelivery(sequence, delivery);
      if (isRequestedAgain || delivery?.deadAt === undefined || delivery.deadAt === null) continue;
      this.#changes.free({ ...this.#name, resourceId: row.resource_id });
      this.died += 1;
    }
    for (const { sequence, attempts, next_at: endsAt, resource_id: id } of rows.values()) {
      if (endsAt > this.#now) this.#claims.push({ resourceId: bytesToUuid(id), sequence, attempts, endsAt });
    }
  }

  /** Claims what may be sent now: retries first, then new events; for a probe new events first. */
  async claim(): Promise<void> {
    const { expired } = this.#log;
    if (this.endpoint.claimedSequence < expired) {
      this.#addAttempt(expired, null, 1, this.#now, { status: null, error: "expired", tookMs: 0 });
      this.endpoint = { ...this.endpoint, claimedSequence: expired };
    }
    if (this.#isPaused) return;
    const limit = { ...this.#name, limit: maxPending };
    const pending = await readRows(this.#connection, statements.listPending, limit);
    const due = pending.filter((row) => row.is_due === 1);
    this.#pendingAt = pending.filter((row) => row.is_due !== 1).map((row) => row.next_at);
    const isLast = ({ attempts }: RowDataPacket) => this.endpoint.failures >= downAfter && attempts > 0;
    for (const row of due) if (!isLast(row)) await this.#claimDue(row);
    if (this.#capacity > 0 && this.#isBehind) await this.#claimPage();
    for (const row of due) if (isLast(row)) await this.#claimDue(row);
  }

  /** Stores the endpoint, and when it is due next. @returns whether more may be sent to it right now */
  async save(): Promise<boolean> {
    const { sequence: position, claimedSequence, replay, answering } = this.endpoint;
    // The endpoint's position stays before new events that are being sent.
    const isNew = ({ attempts, sequence }: OpenClaim) => attempts === 0 && sequence > position;
    const ahead = this.#claims.filter(isNew).map(({ sequence }) => sequence - 1);
    const dueAt = this.#dueAt();
    await execute(this.#connection, statements.saveEndpoint, {
      ...this.endpoint,
      ...this.#name,
      answering: answeringOf.indexOf(answering),
      sequence: Math.min(claimedSequence, ...ahead),
      lastAttempt: this.#lastAttempt,
      replayNext: replay?.after ?? null,
      replayUntil: replay?.until ?? null,
      dueAt,
    });
    return dueAt !== null && dueAt <= this.#now;
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

  /** Claims a due delivery if there is room. One that need not be sent any more is removed. */
  async #claimDue(row: RowDataPacket): Promise<void> {
    if (this.#capacity <= 0) return void this.#pendingAt.push(this.#now);
    const { attempts, position, pending_sequence: sequence } = row;
    const [event] = position === null ? [] : toEvents([row]);
    if (event === undefined && position !== null) {
      // Only a newer release knows its type.
      const nextAt = new Date(this.#now.getTime() + unknownTypeMs);
      this.#pendingAt.push(nextAt);
      return this.#saveDelivery(sequence, { attempts, nextAt, deadAt: null });
    }
    if (event === undefined || (attempts === 0 && !this.endpoint.types.includes(event.type))) {
      this.#pendingAt.push(this.#now);
      return this.#remove(sequence, row.pending_resource_id);
    }
    if (this.#claims.some(({ resourceId }) => resourceId === event.resourceId)) return;
    this.#changes.claim({ ...this.#name, sequence }, this.#begin({ event, attempts }));
  }

  /**
   * Creates deliveries for a page of the log, or else of a replay: claims the first of each resource while there is room; the
   * others wait for the first. A replay is over when all of its range has deliveries.
   */
  async #claimPage(): Promise<void> {
    const { claimedSequence, replay, types } = this.endpoint;
    const { partnerId } = this.#name;
    const isReplay = replay !== null && this.#log.head <= claimedSequence;
    const after = isReplay ? replay.after : claimedSequence;
    const range = { partnerId, after, limit: pageSize };
    const rows = await readRows(this.#connection, logStatements.listEvents, range);
    const last = rows.at(-1)?.sequence ?? after;
    // The log may have grown since its head was read.
    const until = isReplay ? replay.until : Math.max(this.#log.head, last);
    const end = rows.length < pageSize ? until : Math.min(last, until);
    const events = toEvents(rows).filter(({ sequence, type }) => sequence <= end && types.includes(type));
    const open = await this.#openOf(events);
    let [reached, before] = [end, after];
    for (const event of events) {
      const { resourceId, sequence, type } = event;
      const isFirst = !open.has(resourceId);
      if (isFirst && this.#capacity <= 0) {
        reached = before;
        break;
      }
      const endsAt = isFirst ? this.#begin({ event, attempts: 0 }) : null;
      const delivery = { ...this.#name, sequence, resourceId: uuidToBytes(resourceId) };
      this.#changes.create(delivery, codeOf(type), endsAt);
      open.add(resourceId);
      before = sequence;
    }
    this.endpoint = isReplay
      ? { ...this.endpoint, replay: reached < until ? { after: reached, until } : null }
      : { ...this.endpoint, claimedSequence: reached };
  }

  /** Whether an event is no longer in the log. */
  async #isErased(sequence: number): Promise<boolean> {
    const range = { partnerId: this.#name.partnerId, after: sequence - 1, limit: 1 };
    const [row] = await readRows(this.#connection, logStatements.listEvents, range);
    return row?.sequence !== sequence;
  }

  /** The resources of events that have a delivery which is not dead. */
  async #openOf(events: readonly LoggedEvent[]): Promise<Set<string>> {
    if (events.length === 0) return new Set();
    const ids = events.map(({ resourceId }) => uuidToBytes(resourceId));
    const { partnerId, endpointId } = this.#name;
    const rows = await readRowsOf(this.#connection, readOpen, [ids, endpointId, partnerId]);
    return new Set(rows.map((row) => bytesToUuid(row.resource_id)));
  }

  /** @returns when its claim ends */
  #begin(delivery: ClaimedDelivery): Date {
    const { attempts, event } = delivery;
    const endsAt = new Date(this.#now.getTime() + claimMs);
    this.claimed.push(delivery);
    this.#claims.push({ resourceId: event.resourceId, sequence: event.sequence, attempts, endsAt });
    return endsAt;
  }

  async #saveDelivery(sequence: number, delivery: OpenDelivery): Promise<void> {
    await execute(this.#connection, statements.save, { ...this.#name, sequence, ...delivery });
  }

  #remove(sequence: number, resourceId: Buffer): void {
    this.#changes.remove({ ...this.#name, sequence, resourceId });
  }

  /** @param event null: it was of no single event */
  #addAttempt(
    sequence: number,
    event: LoggedEvent | null,
    attempt: number,
    at: Date,
    result: Pick<SendResult, "status" | "error" | "tookMs">,
  ): void {
    const { status, error, tookMs } = result;
    this.#lastAttempt += 1;
    this.attempts.push([
      this.#name.partnerId,
      this.#name.endpointId,
      this.#lastAttempt,
      sequence,
      ...(event === null ? [null, null] : [uuidToBytes(event.resourceId), codeOf(event.type)]),
      attempt,
      at,
      status,
      error,
      tookMs,
      new Date(at.getTime() + attemptRetentionMs(hasSucceeded(result))),
    ]);
  }
}

function earliest(dates: readonly Date[]): Date | null {
  return dates.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
}
