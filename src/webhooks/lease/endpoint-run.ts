// One lease of one endpoint: sends what there is for it, and notes what became of it.

import { downAfter, unreadableRestMs } from "../../domain/webhooks/delivery-policy.ts";
import type { ClaimedEndpoint } from "../../domain/webhooks/delivery-port.ts";
import { changeKnownMs } from "../../domain/webhooks/endpoint.ts";
import type { SecretSealer } from "../../domain/webhooks/sealed-secrets.ts";
import type { WebhookSender } from "../../domain/webhooks/webhook-sender-port.ts";
import type { ReportDefect } from "../../kernel/environment.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { eventJson } from "../../kernel/event-json.ts";
import type { Batch, Delivery } from "./batch.ts";
import { BatchReader, type BatchReaderDeps } from "./batch-reader.ts";
import type { LeaseCheck } from "./lease-check.ts";
import { LeaseJournal } from "./lease-journal.ts";
import { LeasedSecrets } from "./leased-secrets.ts";
import type { SendSlots } from "./send-slots.ts";
import { Settlement, type SettlementDeps } from "./settlement.ts";

/** An endpoint is given back after this time, so that others have their turn. */
const maxWorkMs = 20_000;
/** Attempts that a process may make before it has the last ones saved: when it is killed, they are made again. */
const maxUnsaved = 500;
/** What was read longer ago is read again before it is sent: its session may be erased meanwhile. */
const maxAgeMs = 500;
/** After trouble with the database. */
const troubleRestMs = 5_000;

export interface EndpointRunDeps extends BatchReaderDeps, SettlementDeps {
  readonly sender: WebhookSender;
  readonly slots: SendSlots;
  readonly leaseCheck: Pick<LeaseCheck, "find">;
  readonly sealer: SecretSealer;
  readonly reportDefect: ReportDefect;
}

export class EndpointRun {
  readonly journal: LeaseJournal;
  /** By the monotonic clock: until then the lease is surely held. */
  leaseUntil: number;
  readonly #deps: EndpointRunDeps;
  readonly #signal: AbortSignal;
  readonly #reader: BatchReader;
  readonly #settlement: Settlement;
  readonly #secrets: LeasedSecrets;
  /** By the monotonic clock: then or later the endpoint was as this lease knows it. */
  #confirmedAt: number;
  #isStopped = false;
  #renewing: Promise<void> | undefined;

  /** @param lease times of the monotonic clock. @param signal ends everything, requests that are under way included */
  constructor(
    deps: EndpointRunDeps,
    endpoint: ClaimedEndpoint,
    lease: { readonly claimedAt: number; readonly until: number },
    signal: AbortSignal,
  ) {
    this.#deps = deps;
    this.journal = new LeaseJournal(endpoint);
    this.leaseUntil = lease.until;
    this.#confirmedAt = lease.claimedAt;
    this.#secrets = new LeasedSecrets(endpoint.secrets, deps.sealer);
    this.#signal = signal;
    this.#reader = new BatchReader(deps, this.journal, signal);
    this.#settlement = new Settlement(deps, this.journal);
  }

  /** Begins nothing more; what is under way ends. */
  stop(): void {
    this.#isStopped = true;
  }

  /** The lease is another's: what is under way ends, and nothing of it is saved. */
  abandon(): void {
    this.stop();
    this.journal.giveUp();
  }

  /** Works until there is nothing to do, the endpoint does not take it, or the time is over. Never rejects. */
  async work(): Promise<void> {
    const { clock, reportDefect } = this.#deps;
    try {
      if (this.#secrets.at(clock()).length > 0) await this.#sendAll();
      else this.#restUnreadable();
    } catch (error) {
      // Trouble with the database is its own matter; the next process has the same work before it.
      if (!(error instanceof Refusal)) reportDefect(error, "delivering webhooks");
      this.#settlement.rest(clock() + troubleRestMs);
    }
    this.journal.isOver = true;
  }

  get #maySend(): boolean {
    const { restUntil, disabledReason } = this.journal;
    const isLeased = this.#deps.monotonic() < this.leaseUntil;
    return !this.#isStopped && !this.#signal.aborted && restUntil === null && disabledReason === null && isLeased;
  }

  /** Nobody can read the secrets. */
  #restUnreadable(): void {
    const { clock, observe } = this.#deps;
    const { id } = this.journal.endpoint;
    observe.unreadable(id);
    const { sequence } = this.journal;
    const at = new Date(clock());
    const about = { status: null, error: "secret_unreadable", tookMs: 0 };
    this.journal.attempts.push({ sequence, event: null, attempt: 1, at, ...about });
    this.#settlement.rest(clock() + unreadableRestMs);
  }

  async #sendAll(): Promise<void> {
    const endsAt = this.#deps.monotonic() + maxWorkMs;
    while (this.#maySend && this.#deps.monotonic() < endsAt) {
      const isProbe = this.journal.failures >= downAfter;
      const batch = await this.#reader.next(isProbe);
      if (batch === undefined) return;
      await this.#send(batch, isProbe);
      // What has come meanwhile is found when the lease is given back.
      if (batch.isLast && batch.open.length === 0) return;
      // What is parked is read from the store, the place in the log is known here.
      const { hasUnsavedParking, attempts } = this.journal;
      if (hasUnsavedParking || attempts.length >= maxUnsaved) await this.journal.saved();
    }
    this.journal.isOutOfTime = this.#maySend;
  }

  /** @param isProbe whether the endpoint is down, so that one event is sent and none is parked for it */
  async #send(batch: Batch, isProbe: boolean): Promise<void> {
    const underWay = new Set<Promise<void>>();
    const before = { sequence: this.journal.sequence, replay: this.journal.replay };
    let trouble: unknown;
    let left = isProbe ? 1 : Number.POSITIVE_INFINITY;
    for (;;) {
      while (this.#maySend && left > 0 && underWay.size < this.#settlement.width) {
        const delivery = batch.begin();
        if (delivery === undefined) break;
        if (batch.blockedResourceIds.has(delivery.event.resourceId)) {
          this.#settlement.hold(batch, delivery);
          continue;
        }
        left -= 1;
        const sending = this.#deliver(batch, delivery, isProbe)
          .catch((error: unknown) => {
            batch.putBack(delivery);
            left = 0;
            trouble = error;
          })
          .finally(() => underWay.delete(sending));
        underWay.add(sending);
      }
      this.#advance(batch, before);
      if (underWay.size === 0) break;
      await Promise.race(underWay);
    }
    if (trouble !== undefined) throw trouble;
  }

  async #deliver(batch: Batch, delivery: Delivery, isProbe: boolean): Promise<void> {
    const { slots, healthy, sender, monotonic, clock } = this.#deps;
    const { endpoint } = this.journal;
    const leave = await slots.acquire(healthy.has(endpoint.id));
    try {
      if (this.#maySend && monotonic() - batch.readAt > maxAgeMs) await this.#renew(batch);
      // The last question before it is sent.
      await this.#confirmLease();
      if (!this.#maySend) {
        batch.putBack(delivery);
        return;
      }
      const now = clock();
      const secrets = this.#secrets.at(now);
      if (secrets.length === 0) {
        // All that can be read have ended since the lease began: the next one says so.
        this.stop();
        batch.putBack(delivery);
        return;
      }
      const described = batch.describedNow(delivery);
      if (described === undefined) {
        this.#settlement.leaveOut(batch, delivery);
        return;
      }
      const body = JSON.stringify(eventJson(described));
      const message = { url: endpoint.url, id: described.id, body, secrets };
      const result = await sender.send({ ...message, sentAt: new Date(now) }, this.#signal);
      this.#settlement.settle(batch, delivery, result, isProbe);
    } finally {
      leave();
    }
  }

  /** Ends a lease that is another's, and one whose endpoint has other settings or secrets than when it was claimed. */
  async #confirmLease(): Promise<void> {
    const { leaseCheck, monotonic } = this.#deps;
    const { endpoint } = this.journal;
    // An answer that took longer says nothing of now.
    while (this.#maySend && monotonic() - this.#confirmedAt >= changeKnownMs) {
      const { lease, askedAt } = await leaseCheck.find(endpoint);
      if (lease?.leaseId !== endpoint.leaseId) this.abandon();
      else if (lease.revision !== endpoint.revision) this.stop();
      this.#confirmedAt = askedAt;
    }
  }

  /** Once for all that wait for it. */
  #renew(batch: Batch): Promise<void> {
    this.#renewing ??= this.#reader.renew(batch).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  #advance(batch: Batch, before: Pick<LeaseJournal, "sequence" | "replay">): void {
    const { journal } = this;
    if (batch.source === "new") journal.sequence = batch.reached(before.sequence);
    if (batch.source !== "replay" || before.replay === null) return;
    const { until } = before.replay;
    const after = batch.reached(before.replay.after);
    journal.replay = after >= until ? null : { after, until };
  }
}
