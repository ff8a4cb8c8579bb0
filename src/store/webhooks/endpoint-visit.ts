// One endpoint in a transaction of those who deliver: its row is locked, and what is sent to it is settled and claimed.
import type { Connection, RowDataPacket } from "mysql2";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { execute, readRows, sql } from "../../database/statement.ts";
import type { LoggedEvent } from "../../domain/events/event.ts";
import type { ClaimedDelivery, SentDelivery } from "../../domain/webhooks/deliveries.ts";
import { afterAttempt, type EndpointHealth, widthOf } from "../../domain/webhooks/delivery-outcome.ts";
import { claimMs, downAfter } from "../../domain/webhooks/delivery-policy.ts";
import type { Endpoint, EndpointName, Replay } from "../../domain/webhooks/endpoint.ts";
import type { RandomBytes } from "../../kernel/environment.ts";
import { statements as logStatements } from "../events/event-store.ts";
import { toEvents } from "../events/rows.ts";
import type { DeliveryChanges, EndpointRow } from "./delivery-changes.ts";
import { answeringOf, toEndpoint } from "./rows.ts";

/** Events of the log that are looked at in one turn. */
const pageSize = 50;
/** After its last event, a replay is looked at once more. */
const replayEndMs = 500;
/** Deliveries that are looked at for those that may be claimed. */
const maxPending = 8;

/** The claim of a delivery that its partner wants once more while it is being sent. */
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
      rest_until = :restUntil, status = :status, disabled_reason = :disabledReason, answering = :answering,
      due_at = :dueAt
    WHERE partner_id = :partnerId AND id = :endpointId`,
};

/** What is to be done for an endpoint at once. */
export interface EndpointTurn {
  readonly endpoint: EndpointName;
  readonly sent: readonly SentDelivery[];
  /** How many more deliveries may be claimed. */
  readonly room: number;
}

export interface TurnContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly isTrusted: boolean;
  readonly random: RandomBytes;
}

/** Where the log of a partner begins and ends. */
export interface Log {
  readonly head: number;
  readonly expired: number;
}

export class EndpointVisit {
  readonly endpoint: Endpoint;
  readonly name: EndpointRow;
  readonly claimed: ClaimedDelivery[] = [];
  /** Deliveries that are tried no more. */
  died = 0;
  health: EndpointHealth;
  readonly #turn: EndpointTurn;
  readonly #log: Log;
  readonly #now: Date;
  readonly #changes: DeliveryChanges;
  #sequence: number;
  #replay: Replay | null;
  #lastAttempt: number;
  /** When the claims of those that are being sent end. */
  readonly #claimEnds: Date[] = [];
  /** Resources, such as sessions, of which something is being sent, with what that is. */
  readonly #underWay = new Map<string, number>();
  /** Sequences of new events that are being sent. */
  readonly #newSequences = new Set<number>();
  /** The next deliveries that are to be sent, or are being sent, by time. */
  #pending: readonly RowDataPacket[] = [];
  /** Events of the log, and what is reached with them; `until`: of a replay. */
  #page: { readonly events: readonly LoggedEvent[]; readonly end: number; readonly until: number | undefined } = {
    events: [],
    end: 0,
    until: undefined,
  };

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

  /** Notes what became of deliveries. @param claimed rows of those of the endpoint that somebody sends or has sent */
  settle(claimed: readonly RowDataPacket[], context: TurnContext): void {
    const rows = new Map(claimed.map((row) => [Number(row.sequence), row]));
    for (const { event, attempts, at, result, claim } of this.#turn.sent) {
      const { sequence } = event;
      if (result.error !== "stopped") this.#addAttempt({ sequence, event, attempt: attempts + 1, at, ...result });
      const row = rows.get(sequence);
      if (row?.claim_id.equals(wantedAgain)) {
        rows.delete(sequence);
        this.#changes.saved.push({ ...this.name, sequence, attempts: 0, nextAt: this.#now, deadAt: null });
        continue;
      }
      // It was erased, or is another's by now.
      if (row === undefined || !row.claim_id.equals(uuidToBytes(claim.claimId))) continue;
      rows.delete(sequence);
      const fraction = (context.random(1)[0] ?? 0) / 256;
      const now = { ...context, fraction, databaseNow: this.#now };
      const { delivery, health } = afterAttempt(attempts, this.health, result, now);
      // Of an endpoint that was changed meanwhile it tells nothing.
      if (claim.endpoint.revision === this.endpoint.revision) this.health = health;
      if (delivery === undefined) this.#changes.removed.push({ ...this.name, sequence });
      else this.#changes.saved.push({ ...this.name, sequence, ...delivery });
      if (delivery !== undefined && delivery.deadAt === null) continue;
      this.#changes.freed.push({ ...this.name, resourceId: row.resource_id });
      if (delivery !== undefined) this.died += 1;
    }
    for (const { sequence, attempts, next_at: claimEnd, resource_id: resourceId } of rows.values()) {
      if (claimEnd > this.#now.getTime() + claimMs) {
        // A clock that was ahead has claimed it.
        this.#changes.saved.push({ ...this.name, sequence, attempts, nextAt: this.#now, deadAt: null });
      } else if (claimEnd > this.#now) {
        this.#claimEnds.push(claimEnd);
        this.#noteUnderWay(bytesToUuid(resourceId), sequence, attempts);
      }
    }
    this.#endReplay();
  }

  /** Reads what may be sent now: pending deliveries, and a page of the log or of a replay. */
  async read(connection: Connection): Promise<void> {
    const { expired } = this.#log;
    if (this.#sequence < expired) {
      const about = { event: null, attempt: 1, at: this.#now, status: null, error: "expired", tookMs: 0 };
      this.#addAttempt({ sequence: expired, ...about });
      this.#sequence = expired;
    }
    if (this.health.disabledReason !== null || this.#isResting) return;
    const { partnerId } = this.name;
    if (this.#room > 0 || !this.#isBehind) {
      this.#pending = await readRows(connection, statements.listPending, { ...this.name, limit: maxPending });
    }
    if (this.#room <= 0 || !this.#isBehind) return;
    const isNew = this.#log.head > this.#sequence;
    const { after, until } =
      isNew || this.#replay === null ? { after: this.#sequence, until: undefined } : this.#replay;
    const rows = await readRows(connection, logStatements.listEvents, { partnerId, after, limit: pageSize });
    const last = rows.at(-1)?.sequence ?? after;
    const isEnd = rows.length < pageSize;
    const end =
      until === undefined ? Math.max(last, isEnd ? this.#log.head : 0) : isEnd ? until : Math.min(last, until);
    const events = toEvents(rows).filter(({ type, sequence }) => sequence <= end && this.endpoint.types.includes(type));
    this.#page = { events, end, until };
  }

  /** Of what it read: the resources, such as sessions, of which something may be open. */
  get resourceIds(): readonly string[] {
    return this.#page.events.map(({ resourceId }) => resourceId);
  }

  /**
   * Claims what may be sent now: what failed before, then what is new; for a probe what is new first.
   * @param open resources that have a delivery which is not dead
   */
  claim(open: ReadonlySet<string>): void {
    const isProbe = this.health.failures >= downAfter;
    const due = this.#due();
    const first = due.filter(({ attempts }) => !isProbe || attempts === 0);
    for (const each of first) this.#claimDue(each);
    this.#claimPage(new Set(open));
    for (const each of due) if (!first.includes(each)) this.#claimDue(each);
  }

  /** Stores the endpoint, and when it is to be looked at next. */
  async save(connection: Connection): Promise<void> {
    const { failures, failingSince, restUntil, disabledReason } = this.health;
    const answering = answeringOf.indexOf(this.health.answering);
    await execute(connection, statements.saveEndpoint, {
      ...{ ...this.name, failures, failingSince, restUntil, disabledReason, answering },
      sequence: this.#newSequences.size === 0 ? this.#sequence : Math.min(...this.#newSequences) - 1,
      claimedSequence: this.#sequence,
      lastAttempt: this.#lastAttempt,
      replayNext: this.#replay?.after ?? null,
      replayUntil: this.#replay?.until ?? null,
      status: disabledReason === null ? "enabled" : "disabled",
      dueAt: this.dueAt,
    });
  }

  get #room(): number {
    if (this.health.disabledReason !== null || this.#isResting) return 0;
    return Math.min(this.#turn.room - this.claimed.length, this.#freeWidth);
  }

  get #isResting(): boolean {
    return this.health.restUntil !== null && this.health.restUntil > this.#now;
  }

  get #freeWidth(): number {
    return widthOf(this.health) - this.#claimEnds.length;
  }

  get #isBehind(): boolean {
    return this.#log.head > this.#sequence || (this.#replay !== null && !this.#isReplayed);
  }

  /** When it is to be looked at next; null: when something has happened. */
  get dueAt(): Date | null {
    if (this.health.disabledReason !== null) return null;
    if (this.#isResting) return this.health.restUntil;
    const times = this.#claimEnds.toSorted((one, other) => one.getTime() - other.getTime());
    if (this.#freeWidth <= 0) return times[0] ?? null;
    if (this.#isBehind) return this.#now;
    const claimed = new Set(this.claimed.map(({ event }) => event.sequence));
    const next = this.#pending.find((row) => !claimed.has(row.pending_sequence))?.next_at ?? times[0] ?? null;
    if (!this.#isReplayed) return next;
    const endsAt = new Date(this.#now.getTime() + replayEndMs);
    return next !== null && next < endsAt ? next : endsAt;
  }

  /** Whether more may be sent to it right now. */
  get hasMore(): boolean {
    return this.dueAt !== null && this.dueAt <= this.#now;
  }

  /** Deliveries whose time has come, without those that need not be sent any more. */
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
    if (this.#room <= 0 || this.#underWay.has(due.event.resourceId)) return;
    this.#begin(due);
    this.#changes.claimed.push({ ...this.name, sequence: due.event.sequence });
  }

  /** @returns when its claim ends */
  #begin(delivery: ClaimedDelivery): Date {
    const claimEnd = new Date(this.#now.getTime() + claimMs);
    this.claimed.push(delivery);
    this.#claimEnds.push(claimEnd);
    this.#noteUnderWay(delivery.event.resourceId, delivery.event.sequence, delivery.attempts);
    return claimEnd;
  }

  /** Makes deliveries of the events that it read: of the first of each resource if there is room, of others to wait for it. */
  #claimPage(open: Set<string>): void {
    const { events, end, until } = this.#page;
    let reached: number | undefined;
    for (const event of events) {
      const { resourceId, sequence } = event;
      const isFirst = !open.has(resourceId);
      if (isFirst && this.#room <= 0) {
        this.#advance(reached, until);
        return;
      }
      this.#changes.insert(this.name, event, isFirst ? this.#begin({ event, attempts: 0 }) : null);
      open.add(resourceId);
      reached = sequence;
    }
    this.#advance(end, until);
  }

  #advance(reached: number | undefined, until: number | undefined): void {
    if (reached === undefined) return;
    if (until === undefined) this.#sequence = Math.max(this.#sequence, reached);
    else this.#replay = { after: reached, until };
  }

  #noteUnderWay(resourceId: string, sequence: number, attempts: number): void {
    this.#underWay.set(resourceId, sequence);
    if (attempts === 0 && sequence > this.endpoint.sequence) this.#newSequences.add(sequence);
  }

  /** Whether all of a replay was claimed. */
  get #isReplayed(): boolean {
    return this.#replay !== null && this.#replay.after >= this.#replay.until;
  }

  /** A replay is over when nothing of its range is being sent, and that a little later: who asks for it twice is told. */
  #endReplay(): void {
    if (this.#replay === null || !this.#isReplayed || this.#turn.sent.length > 0) return;
    const { until } = this.#replay;
    if (![...this.#underWay.values()].some((sequence) => sequence <= until)) this.#replay = null;
  }

  #addAttempt(made: Omit<Parameters<DeliveryChanges["addAttempt"]>[1], "id">): void {
    this.#lastAttempt += 1;
    this.#changes.addAttempt(this.name, { ...made, id: this.#lastAttempt });
  }
}
