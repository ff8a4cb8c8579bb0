// One endpoint in a transaction of the deliverer: its row is locked, sent deliveries are settled, and further ones claimed.
import type { Connection, RowDataPacket } from "mysql2";
import { bytesToUuid, execute, sql, uuidToBytes } from "../../database/statement.ts";
import type { ClaimedDelivery, EndpointTurn, TurnContext } from "../../domain/webhooks/deliveries.ts";
import { afterAttempt, type EndpointHealth, widthOf } from "../../domain/webhooks/delivery-outcome.ts";
import { claimMs, downAfter } from "../../domain/webhooks/delivery-policy.ts";
import type { Endpoint, Replay } from "../../domain/webhooks/endpoint.ts";
import { toEvents } from "../events/rows.ts";
import type { DeliveryChanges, EndpointRow } from "./delivery-changes.ts";
import { OpenClaims, type Page, readPage, readPending } from "./next-events.ts";
import { answeringOf, toEndpoint } from "./rows.ts";

/** A finished replay is checked once more after this time. */
const replayEndMs = 500;

/** The claim of a delivery for which the partner requests a redelivery while it is being sent. */
export const wantedAgain = Buffer.alloc(16);

export const statements = {
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
  readonly #claims = new OpenClaims();
  /** The next deliveries that are due or being sent, by time. */
  #pending: readonly RowDataPacket[] = [];
  /** Events of the log, and the sequence reached with them; `until`: the end of a replay. */
  #page: Page & { readonly until: number | undefined } = { events: [], end: 0, until: undefined };

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
      if (row?.claim_id.equals(wantedAgain)) {
        rows.delete(sequence);
        this.#changes.saved.push({ ...this.name, sequence, attempts: 0, nextAt: this.#now, deadAt: null });
        continue;
      }
      // The delivery was erased, or another process has claimed it.
      if (row === undefined || !row.claim_id.equals(uuidToBytes(claim.claimId))) continue;
      rows.delete(sequence);
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
    for (const { sequence, attempts, next_at: claimEnd, resource_id: resourceId } of rows.values()) {
      if (claimEnd > this.#now.getTime() + claimMs) {
        // It was claimed by a clock that was ahead.
        this.#changes.saved.push({ ...this.name, sequence, attempts, nextAt: this.#now, deadAt: null });
      } else if (claimEnd > this.#now) {
        this.#claims.add(bytesToUuid(resourceId), sequence, claimEnd, this.#isNew(sequence, attempts));
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
    if (this.#room > 0 || !this.#isBehind) {
      this.#pending = await readPending(connection, this.name);
    }
    if (this.#room <= 0 || !this.#isBehind) return;
    const isNew = this.#log.head > this.#sequence;
    const { after, until } =
      isNew || this.#replay === null ? { after: this.#sequence, until: undefined } : this.#replay;
    const range = { after, to: until ?? this.#log.head, isLast: until === undefined };
    const { events, end } = await readPage(connection, this.name.partnerId, range);
    this.#page = { events: events.filter(({ type }) => this.endpoint.types.includes(type)), end, until };
  }

  /** The resources, such as sessions, of the events that it read: they may have open deliveries. */
  get resourceIds(): readonly string[] {
    return this.#page.events.map(({ resourceId }) => resourceId);
  }

  /**
   * Claims what may be sent now: retries first, then new events; for a probe new events first.
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

  /** Stores the endpoint, and when it is due next. */
  async save(connection: Connection): Promise<void> {
    const { firstNew } = this.#claims;
    await execute(connection, statements.saveEndpoint, {
      ...this.health,
      ...this.name,
      answering: answeringOf.indexOf(this.health.answering),
      sequence: firstNew === undefined ? this.#sequence : firstNew - 1,
      claimedSequence: this.#sequence,
      lastAttempt: this.#lastAttempt,
      replayNext: this.#replay?.after ?? null,
      replayUntil: this.#replay?.until ?? null,
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
    return widthOf(this.health) - this.#claims.size;
  }

  get #isBehind(): boolean {
    return this.#log.head > this.#sequence || (this.#replay !== null && !this.#isReplayed);
  }

  /** When it is due next; null: after the next event or change. */
  get dueAt(): Date | null {
    if (this.health.disabledReason !== null) return null;
    if (this.#isResting) return this.health.restUntil;
    const { firstEnd } = this.#claims;
    if (this.#freeWidth <= 0) return firstEnd;
    if (this.#isBehind) return this.#now;
    const claimed = new Set(this.claimed.map(({ event }) => event.sequence));
    const next = this.#pending.find((row) => !claimed.has(row.pending_sequence))?.next_at ?? firstEnd;
    if (!this.#isReplayed) return next;
    const endsAt = new Date(this.#now.getTime() + replayEndMs);
    return next !== null && next < endsAt ? next : endsAt;
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
    if (this.#room <= 0 || this.#claims.has(due.event.resourceId)) return;
    this.#begin(due);
    this.#changes.claimed.push({ ...this.name, sequence: due.event.sequence });
  }

  /** @returns when its claim ends */
  #begin(delivery: ClaimedDelivery): Date {
    const { resourceId, sequence } = delivery.event;
    const claimEnd = new Date(this.#now.getTime() + claimMs);
    this.claimed.push(delivery);
    this.#claims.add(resourceId, sequence, claimEnd, this.#isNew(sequence, delivery.attempts));
    return claimEnd;
  }

  /** Creates deliveries for the page: claims the first of each resource while there is room; the others wait for the first. */
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

  #isNew(sequence: number, attempts: number): boolean {
    return attempts === 0 && sequence > this.endpoint.sequence;
  }

  /** Whether all of a replay was claimed. */
  get #isReplayed(): boolean {
    return this.#replay !== null && this.#replay.after >= this.#replay.until;
  }

  /** Ends a replay a little after the last delivery of its range: until then a second request gets an error. */
  #endReplay(): void {
    if (this.#replay === null || !this.#isReplayed || this.#turn.sent.length > 0) return;
    if (!this.#claims.hasUpTo(this.#replay.until)) this.#replay = null;
  }

  #addAttempt(made: Omit<Parameters<DeliveryChanges["addAttempt"]>[1], "id">): void {
    this.#lastAttempt += 1;
    this.#changes.addAttempt(this.name, { ...made, id: this.#lastAttempt });
  }
}
