// One lease of one endpoint: sends what there is for it, and notes what became of it.
import { eventJson } from "../contract/event-json.ts";
import type { RandomBytes, ReportDefect } from "../domain/environment.ts";
import { DomainError } from "../domain/errors.ts";
import type { ClaimedEndpoint, ParkedRow } from "../domain/ports/deliveries.ts";
import type { SendResult, WebhookSender } from "../domain/ports/webhook-sender.ts";
import { hasSucceeded, type WebhookStore } from "../domain/ports/webhooks.ts";
import { type DisabledReason, downAfter } from "../domain/webhooks/endpoint.ts";
import type { SecretSealer } from "../domain/webhooks/sealed-secrets.ts";
import type { Batch, Delivery } from "./batch.ts";
import { BatchReader, type BatchReaderDeps } from "./batch-reader.ts";
import { LeaseJournal } from "./lease-journal.ts";
import { isFailing, probePauseMs, retryPauseMs, unreadableRestMs } from "./policy.ts";
import type { SendSlots } from "./send-slots.ts";

/** An endpoint is given back after this time, so that others have their turn. */
const maxWorkMs = 20_000;
const maxWidth = 4;
/** What was read longer ago is read again before it is sent: its session may be erased meanwhile. */
const maxAgeMs = 500;
/** After trouble with the database. */
const troubleRestMs = 5_000;

/** Told of what happens, without a word of where to. */
export interface DeliveryObserver {
  readonly attempted: (endpointId: string, result: SendResult, hasSucceeded: boolean) => void;
  readonly died: (endpointId: string) => void;
  readonly disabled: (endpointId: string, reason: DisabledReason) => void;
  readonly unreadable: (endpointId: string) => void;
}

export interface EndpointRunDeps extends BatchReaderDeps {
  readonly sender: WebhookSender;
  readonly slots: SendSlots;
  readonly sealer: SecretSealer;
  readonly webhooks: Pick<WebhookStore, "listSecrets">;
  /** Endpoints that took something not long ago. */
  readonly proven: {
    has(endpointId: string): boolean;
    set(endpointId: string, value: true): unknown;
    delete(endpointId: string): unknown;
  };
  readonly random: RandomBytes;
  readonly observe: DeliveryObserver;
  readonly reportDefect: ReportDefect;
}

type ParkedState = Pick<ParkedRow, "attempts" | "nextAt" | "deadAt">;

export class EndpointRun {
  readonly journal: LeaseJournal;
  /** By the monotonic clock: until then the lease is surely held. */
  leaseUntil: number;
  readonly #deps: EndpointRunDeps;
  readonly #signal: AbortSignal;
  readonly #reader: BatchReader;
  #secrets: readonly Uint8Array[] = [];
  #width = 1;
  #isStopped = false;

  /** @param signal ends everything, requests that are under way included */
  constructor(deps: EndpointRunDeps, endpoint: ClaimedEndpoint, leaseUntil: number, signal: AbortSignal) {
    this.#deps = deps;
    this.journal = new LeaseJournal(endpoint);
    this.leaseUntil = leaseUntil;
    this.#signal = signal;
    this.#reader = new BatchReader(deps, this.journal, signal);
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
      if (await this.#readSecrets()) await this.#sendAll();
    } catch (error) {
      // Trouble with the database is its own matter; the next process has the same work before it.
      if (!(error instanceof DomainError)) reportDefect(error, "delivering webhooks");
      this.#rest(clock() + troubleRestMs);
    }
    this.journal.isOver = true;
  }

  get #maySend(): boolean {
    const { restUntil, disabledReason } = this.journal;
    const isLeased = this.#deps.monotonic() < this.leaseUntil;
    return !this.#isStopped && !this.#signal.aborted && restUntil === null && disabledReason === null && isLeased;
  }

  /** False: nobody can read them. */
  async #readSecrets(): Promise<boolean> {
    const { webhooks, sealer, clock, observe } = this.#deps;
    const { id } = this.journal.endpoint;
    const sealed = await webhooks.listSecrets(id, this.#signal);
    this.#secrets = sealed.flatMap((secret) => sealer.open(secret) ?? []);
    if (this.#secrets.length > 0) return true;
    observe.unreadable(id);
    const { sequence } = this.journal;
    const at = new Date(clock());
    const about = { status: null, error: "secret_unreadable", tookMs: 0 };
    this.journal.attempts.push({ sequence, sessionId: null, attempt: 1, at, ...about });
    this.#rest(clock() + unreadableRestMs);
    return false;
  }

  async #sendAll(): Promise<void> {
    const endsAt = this.#deps.monotonic() + maxWorkMs;
    while (this.#maySend && this.#deps.monotonic() < endsAt) {
      const isProbe = this.journal.failures >= downAfter;
      const batch = await this.#reader.next(isProbe);
      if (batch === undefined) return;
      await this.#send(batch, isProbe);
      // What is read next builds on what is stored.
      await this.journal.saved();
    }
  }

  /** @param isProbe whether the endpoint is down, so that one event is sent and none is parked for it */
  async #send(batch: Batch, isProbe: boolean): Promise<void> {
    const underWay = new Set<Promise<void>>();
    const before = { sequence: this.journal.sequence, replay: this.journal.replay };
    let trouble: unknown;
    let left = isProbe ? 1 : Number.POSITIVE_INFINITY;
    for (;;) {
      while (this.#maySend && left > 0 && underWay.size < this.#width) {
        const delivery = batch.begin();
        if (delivery === undefined) break;
        if (batch.heldSessionIds.has(delivery.event.resourceId)) {
          this.#park(batch, delivery, { attempts: delivery.attempts, nextAt: null, deadAt: null });
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
    const { slots, proven, sender, monotonic, clock } = this.#deps;
    const { endpoint } = this.journal;
    const leave = await slots.acquire(proven.has(endpoint.id));
    try {
      if (!this.#maySend) {
        batch.putBack(delivery);
        return;
      }
      const isOld = monotonic() - batch.readAt > maxAgeMs;
      const current = isOld ? await this.#reader.readAgain(delivery) : delivery;
      if (current === undefined) {
        this.#leaveOut(batch, delivery);
        return;
      }
      const body = JSON.stringify(eventJson(current.described));
      const message = { url: endpoint.url, id: current.described.id, body, secrets: this.#secrets };
      const result = await sender.send({ ...message, sentAt: new Date(clock()) }, this.#signal);
      this.#settle(batch, delivery, result, isProbe);
    } finally {
      leave();
    }
  }

  #settle(batch: Batch, delivery: Delivery, result: SendResult, isProbe: boolean): void {
    const { clock, proven, observe } = this.#deps;
    const { endpoint, attempts } = this.journal;
    const { status, error, tookMs, retryAfterSeconds } = result;
    // The process stops: nobody knows whether it arrived, so it is sent again.
    if (error === "stopped") {
      batch.putBack(delivery);
      return;
    }
    const { sequence, resourceId: sessionId } = delivery.event;
    const attempt = delivery.attempts + 1;
    attempts.push({ sequence, sessionId, attempt, at: new Date(clock()), status, error, tookMs });
    this.journal.touch();
    const isTaken = hasSucceeded(result);
    observe.attempted(endpoint.id, result, isTaken);
    if (isTaken) {
      this.journal.failures = 0;
      this.#width = Math.min(maxWidth, 2 * this.#width);
      proven.set(endpoint.id, true);
      this.#leaveOut(batch, delivery);
      return;
    }
    proven.delete(endpoint.id);
    this.#width = 1;
    if (status === 410) {
      batch.fail(delivery);
      this.#disable("gone");
    } else if ((status === 429 || status === 503) && retryAfterSeconds !== null) {
      batch.fail(delivery);
      this.#rest(clock() + 1000 * retryAfterSeconds);
    } else {
      this.#retry(batch, delivery, isProbe);
    }
  }

  /** Has it tried again later, and leaves an endpoint alone that takes nothing. */
  #retry(batch: Batch, delivery: Delivery, isProbe: boolean): void {
    const attempt = delivery.attempts + 1;
    if (isProbe) batch.fail(delivery);
    else this.#park(batch, delivery, this.#afterFailure(attempt));
    // Tries of parked events tell of one session; new ones tell of the endpoint.
    if (batch.source === "parked" && !isProbe) return;
    const { clock } = this.#deps;
    const { endpoint } = this.journal;
    this.journal.failures += 1;
    const { failures } = this.journal;
    if (isFailing(failures, endpoint.failingSince, clock())) this.#disable("failing");
    else if (failures >= downAfter) this.#rest(clock() + probePauseMs(failures));
  }

  /** When it is tried next, or that it is not. */
  #afterFailure(attempts: number): ParkedState {
    const { clock, random } = this.#deps;
    const pauseMs = retryPauseMs(attempts, (random(1)[0] ?? 0) / 256);
    return pauseMs === undefined
      ? { attempts, nextAt: null, deadAt: new Date(clock()) }
      : { attempts, nextAt: new Date(clock() + pauseMs), deadAt: null };
  }

  #park(batch: Batch, delivery: Delivery, state: ParkedState): void {
    const { parked, tried, freedSessionIds, endpoint } = this.journal;
    const { sequence, resourceId: sessionId } = delivery.event;
    const rows = batch.source === "parked" ? tried : parked;
    rows.push({ sequence, sessionId, ...state });
    if (state.deadAt !== null) {
      freedSessionIds.push(sessionId);
      this.#deps.observe.died(endpoint.id);
    } else {
      batch.heldSessionIds.add(sessionId);
    }
    batch.settle(delivery);
    this.journal.touch();
  }

  /** It needs no more: it was taken, or is no longer there. */
  #leaveOut(batch: Batch, delivery: Delivery): void {
    if (batch.source === "parked") {
      this.journal.done.push(delivery.event.sequence);
      this.journal.freedSessionIds.push(delivery.event.resourceId);
    }
    batch.settle(delivery);
    this.journal.touch();
  }

  #advance(batch: Batch, before: Pick<LeaseJournal, "sequence" | "replay">): void {
    const { journal } = this;
    if (batch.source === "new") journal.sequence = batch.reached(before.sequence);
    if (batch.source !== "replay" || before.replay === null) return;
    const { until } = before.replay;
    const after = batch.reached(before.replay.after);
    journal.replay = after >= until ? null : { after, until };
  }

  #rest(until: number): void {
    this.journal.restUntil = new Date(until);
    this.journal.touch();
  }

  #disable(reason: "gone" | "failing"): void {
    this.journal.disabledReason = reason;
    this.journal.touch();
    this.#deps.observe.disabled(this.journal.endpoint.id, reason);
  }
}
