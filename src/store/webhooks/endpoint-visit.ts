// One endpoint in a transaction of the deliverer: its row is locked, sent deliveries are settled, and further ones claimed.
import type { Connection, RowDataPacket } from "mysql2";
import { bytesToUuid, execute, readRows, sql, uuidToBytes } from "../../database/statement.ts";
import type { LoggedEvent } from "../../domain/events/event.ts";
import type { ClaimedDelivery, EndpointTurn, TurnContext } from "../../domain/webhooks/deliveries.ts";
import { afterAttempt, claimMs, type EndpointHealth, widthOf } from "../../domain/webhooks/delivery-outcome.ts";
import { downAfter, type Endpoint, type Replay } from "../../domain/webhooks/endpoint.ts";
import { statements as logStatements } from "../events/event-store.ts";
import { toEvents } from "../events/rows.ts";
import type { DeliveryChanges, EndpointRow } from "./delivery-changes.ts";
import { answeringOf, toEndpoint } from "./rows.ts";

/** Events of the log read in one turn. */
const pageSize = 50;
/** Deliveries read in one turn to find those that may be claimed. */
const maxPending = 8;

/** The claim of a delivery for which the partner requests a redelivery while it is being sent. */
export const wantedAgain = Buffer.alloc(16);

export const statements = {
  listPending: sql`SELECT d.sequence AS pending_sequence, d.resource_id AS pending_resource_id, d.attempts, d.next_at,
      d.next_at <= NOW(3) AS is_due, e.position, e.partner_id, e.sequence, e.type, e.occurrence, e.resource_id, e.assessment_id, e.mode, e.occurred_at,
        e.recorded_at
    FROM webhook_deliveries AS d FORCE INDEX (webhook_deliveries_next)
    LEFT JOIN events AS e FORCE INDEX (events_sequence) ON e.partner_id = d.partner_id AND e.sequence = d.sequence
    WHERE d.partner_id = :partnerId AND d.endpoint_id = :endpointId AND d.next_at IS NOT NULL
    ORDER BY d.next_at, d.sequence LIMIT :limit`,
  saveEndpoint: sql`UPDATE webhook_endpoints FORCE INDEX (PRIMARY) SET sequence = :sequence,
      claimed_sequence = :claimedSequence, last_attempt = :lastAttempt,
      failures = :failures, failing_since = :failingSince, replay_next = :replayNext, replay_until = :replayUntil,
      rest_until = :restUntil, disabled_reason = :disabledReason, answering = :answering,
      due_at = :dueAt
    WHERE partner_id = :partnerId AND id = :endpointId`,
};

/** Where the log of a partner begins and ends. */
export interface Log {
  readonly head: number;
  readonly expired: number;
}

/** A delivery that is being sent. */
interface OpenClaim {
  /** One event of a resource, such as a session, is sent at a time. */
  readonly resourceId: string;
  readonly sequence: number;
  readonly endsAt: Date;
  /** Whether the endpoint's position in the log has to stay before it. */
  readonly isNew: boolean;
}

export class EndpointVisit {
  readonly endpoint: Endpoint;
  readonly name: EndpointRow;
  readonly claimed: ClaimedDelivery[] = [];
  /** Number of deliveries that are given up. */
  died = 0;
  health: EndpointHealth;
  readonly #turn: EndpointTurn;
  readonly #log: Log;
  readonly #now: Date;
  readonly #changes: DeliveryChanges;
  #sequence: number;
  #replay: Replay | null;
  #lastAttempt: number;
  readonly #claims: OpenClaim[] = [];
  /** The next deliveries that are due or being sent, by time; with their events if the log still has them. */
  #pending: readonly RowDataPacket[] = [];
  /** Events of the log, or of a replay, and the sequence reached with them. */
  #page: { readonly events: readonly LoggedEvent[]; readonly end: number; readonly isReplay: boolean } | undefined;

  /** @param row of the endpoint, with `last_attempt` and `now` */
  constructor(row: RowDataPacket, turn: EndpointTurn, log: Log, changes: DeliveryChanges) {
    this.endpoint = toEndpoint(row);
    this.name = { partnerId: row.partner_id, endpointId: row.id };
    this.health = this.endpoint;
    this.#turn = turn;
    this.#log = log;
    this.#now = row.now;
    this.#changes = changes;
    this.#sequence = this.endpoint.claimedSequence;
    this.#replay = this.endpoint.replay;
    this.#lastAttempt = row.last_attempt;
  }

  /** Stores the results of deliveries. @param claimed rows of the endpoint's deliveries that are being sent or were sent */
  settle(claimed: readonly RowDataPacket[], context: TurnContext): void {
    const rows = new Map(claimed.map((row) => [Number(row.sequence), row]));
    for (const { event, attempts, at, result, claim } of this.#turn.sent) {
      const { sequence } = event;
      if (result.error !== "stopped") this.#addAttempt({ sequence, event, attempt: attempts + 1, at, ...result });
      const row = rows.get(sequence);
      const isWantedAgain = row?.claim_id.equals(wantedAgain);
      // Otherwise the delivery was erased, or another process has claimed it.
      if (row === undefined || !(isWantedAgain || row.claim_id.equals(uuidToBytes(claim.claimId)))) continue;
      rows.delete(sequence);
      if (isWantedAgain) {
        this.#changes.saved.push({ ...this.name, sequence, attempts: 0, nextAt: this.#now, deadAt: null });
        continue;
      }
      const fraction = (context.random(1)[0] ?? 0) / 256;
      const now = { ...context, fraction, databaseNow: this.#now };
      const { delivery, health } = afterAttempt(attempts, this.health, result, now);
      // If the endpoint was changed meanwhile, the result says nothing about its health.
      if (claim.endpoint.revision === this.endpoint.revision) this.health = health;
      if (delivery === undefined) this.#changes.removed.push({ ...this.name, sequence });
      else this.#changes.saved.push({ ...this.name, sequence, ...delivery });
      if (delivery !== undefined && delivery.deadAt === null) continue;
      this.#changes.freed.push({ ...this.name, resourceId: row.resource_id });
      if (delivery !== undefined) this.died += 1;
    }
    for (const { sequence, attempts, next_at: endsAt, resource_id: resourceId } of rows.values()) {
      if (endsAt > this.#now) this.#addClaim(bytesToUuid(resourceId), sequence, attempts, endsAt);
    }
  }

  /** Reads what may be sent now: pending deliveries, and a page of the log or of a replay. */
  async read(connection: Connection): Promise<void> {
    const { head, expired } = this.#log;
    if (this.#sequence < expired) {
      const about = { event: null, attempt: 1, at: this.#now, status: null, error: "expired", tookMs: 0 };
      this.#addAttempt({ sequence: expired, ...about });
      this.#sequence = expired;
    }
    if (this.#isPaused) return;
    this.#pending = await readRows(connection, statements.listPending, { ...this.name, limit: maxPending });
    if (this.#room <= 0 || !this.#isBehind) return;
    const range =
      head > this.#sequence || this.#replay === null ? { after: this.#sequence, until: head } : this.#replay;
    const { partnerId } = this.name;
    const page = { partnerId, after: range.after, limit: pageSize };
    const rows = await readRows(connection, logStatements.listEvents, page);
    const last = rows.length < pageSize ? range.until : (rows.at(-1)?.sequence ?? range.until);
    // The log may have grown since its head was read.
    const isReplay = range === this.#replay;
    const end = isReplay ? Math.min(last, range.until) : Math.max(last, rows.at(-1)?.sequence ?? 0);
    const isWanted = ({ sequence, type }: LoggedEvent) => sequence <= end && this.endpoint.types.includes(type);
    this.#page = { events: toEvents(rows).filter(isWanted), end, isReplay };
  }

  /** The resources, such as sessions, of the events that it read: they may have open deliveries. */
  get resourceIds(): readonly string[] {
    return this.#page?.events.map(({ resourceId }) => resourceId) ?? [];
  }

  /**
   * Claims what may be sent now: retries first, then new events; for a probe new events first.
   * @param open resources that have a delivery which is not dead
   */
  claim(open: ReadonlySet<string>): void {
    const isProbe = this.health.failures >= downAfter;
    const isLast = ({ attempts }: ClaimedDelivery) => isProbe && attempts > 0;
    const due = this.#due();
    for (const each of due) if (!isLast(each)) this.#claimDue(each);
    this.#claimPage(new Set(open));
    for (const each of due) if (isLast(each)) this.#claimDue(each);
  }

  /** Stores the endpoint, and when it is due next. */
  async save(connection: Connection): Promise<void> {
    const isNew = this.#claims.filter((claim) => claim.isNew).map(({ sequence }) => sequence - 1);
    await execute(connection, statements.saveEndpoint, {
      ...this.health,
      ...this.name,
      answering: answeringOf.indexOf(this.health.answering),
      sequence: Math.min(this.#sequence, ...isNew),
      claimedSequence: this.#sequence,
      lastAttempt: this.#lastAttempt,
      replayNext: this.#replay?.after ?? null,
      replayUntil: this.#replay?.until ?? null,
      dueAt: this.dueAt,
    });
  }

  get #room(): number {
    return this.#isPaused ? 0 : Math.min(this.#turn.room - this.claimed.length, this.#freeWidth);
  }

  get #isPaused(): boolean {
    const { disabledReason, restUntil } = this.health;
    return disabledReason !== null || (restUntil !== null && restUntil > this.#now);
  }

  get #freeWidth(): number {
    return widthOf(this.health) - this.#claims.length;
  }

  get #isBehind(): boolean {
    return this.#log.head > this.#sequence || this.#replay !== null;
  }

  /** When it is due next; null: after the next event or change. */
  get dueAt(): Date | null {
    if (this.#isPaused) return this.health.disabledReason === null ? this.health.restUntil : null;
    const ends = this.#claims.map(({ endsAt }) => endsAt);
    if (this.#freeWidth <= 0) return earliest(ends);
    if (this.#isBehind) return this.#now;
    const claimed = new Set(this.claimed.map(({ event }) => event.sequence));
    const waiting = this.#pending.filter((row) => !claimed.has(row.pending_sequence));
    return earliest([...ends, ...waiting.map((row) => row.next_at)]);
  }

  /** Whether more may be sent to it right now. */
  get hasMore(): boolean {
    return this.dueAt !== null && this.dueAt <= this.#now;
  }

  /** Due deliveries, without those that need not be sent any more. */
  #due(): ClaimedDelivery[] {
    if (this.#room <= 0) return [];
    return this.#pending.flatMap((row) => {
      const { attempts, pending_sequence: sequence, pending_resource_id: resourceId } = row;
      if (row.is_due === 0) return [];
      const [event] = row.position === null ? [] : toEvents([row]);
      // Only a newer release knows its type.
      if (event === undefined && row.position !== null) return [];
      if (event !== undefined && (attempts > 0 || this.endpoint.types.includes(event.type)))
        return [{ event, attempts }];
      this.#changes.removed.push({ ...this.name, sequence });
      this.#changes.freed.push({ ...this.name, resourceId });
      return [];
    });
  }

  #claimDue(due: ClaimedDelivery): void {
    const { resourceId, sequence } = due.event;
    if (this.#room <= 0 || this.#claims.some((claim) => claim.resourceId === resourceId)) return;
    this.#begin(due);
    this.#changes.claimed.push({ ...this.name, sequence });
  }

  /** @returns when its claim ends */
  #begin(delivery: ClaimedDelivery): Date {
    const { resourceId, sequence } = delivery.event;
    const endsAt = new Date(this.#now.getTime() + claimMs);
    this.claimed.push(delivery);
    this.#addClaim(resourceId, sequence, delivery.attempts, endsAt);
    return endsAt;
  }

  #addClaim(resourceId: string, sequence: number, attempts: number, endsAt: Date): void {
    const isNew = attempts === 0 && sequence > this.endpoint.sequence;
    this.#claims.push({ resourceId, sequence, endsAt, isNew });
  }

  /** Creates deliveries for the page: claims the first of each resource while there is room; the others wait for the first. */
  #claimPage(open: Set<string>): void {
    if (this.#page === undefined) return;
    for (const event of this.#page.events) {
      const isFirst = !open.has(event.resourceId);
      if (isFirst && this.#room <= 0) return;
      this.#changes.insert(this.name, event, isFirst ? this.#begin({ event, attempts: 0 }) : null);
      open.add(event.resourceId);
      this.#advance(event.sequence, this.#page.isReplay);
    }
    this.#advance(this.#page.end, this.#page.isReplay);
  }

  /** A replay is over when all of its range has deliveries. */
  #advance(reached: number, isReplay: boolean): void {
    if (!isReplay) this.#sequence = Math.max(this.#sequence, reached);
    else if (this.#replay !== null)
      this.#replay = reached < this.#replay.until ? { ...this.#replay, after: reached } : null;
  }

  #addAttempt(made: Omit<Parameters<DeliveryChanges["addAttempt"]>[1], "id">): void {
    this.#lastAttempt += 1;
    this.#changes.addAttempt(this.name, { ...made, id: this.#lastAttempt });
  }
}

function earliest(dates: readonly Date[]): Date | null {
  return dates.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
}
