// What becomes of a delivery that was answered, or was not: it is done, parked, or its endpoint is left alone.

import { downAfter, isFailing, probePauseMs, retryPauseMs } from "../../domain/webhooks/delivery-policy.ts";
import type { ParkedRow } from "../../domain/webhooks/delivery-port.ts";
import type { DisabledReason } from "../../domain/webhooks/endpoint.ts";
import { hasSucceeded } from "../../domain/webhooks/webhook-port.ts";
import type { SendResult } from "../../domain/webhooks/webhook-sender-port.ts";
import type { Clock, RandomBytes } from "../../kernel/environment.ts";
import type { Batch, Delivery } from "./batch.ts";
import type { LeaseJournal } from "./lease-journal.ts";

/** Notified of what happens, without a word of where to. */
export interface DeliveryObserver {
  readonly attempted: (endpointId: string, result: SendResult, hasSucceeded: boolean) => void;
  readonly died: (endpointId: string) => void;
  readonly disabled: (endpointId: string, reason: DisabledReason) => void;
  readonly unreadable: (endpointId: string) => void;
}

const maxWidth = 4;

export interface SettlementDeps {
  /** Endpoints that took something not long ago. */
  readonly healthy: {
    has(endpointId: string): boolean;
    set(endpointId: string, value: true): unknown;
    delete(endpointId: string): unknown;
  };
  readonly clock: Clock;
  /** Whether the clock is not in doubt. */
  readonly isTrusted: () => boolean;
  readonly random: RandomBytes;
  readonly observe: DeliveryObserver;
}

type ParkedState = Pick<ParkedRow, "attempts" | "nextAt" | "deadAt">;

/** Notes in the journal of a lease what became of its deliveries. */
export class Settlement {
  readonly #deps: SettlementDeps;
  readonly #journal: LeaseJournal;
  #width = 1;

  constructor(deps: SettlementDeps, journal: LeaseJournal) {
    this.#deps = deps;
    this.#journal = journal;
  }

  /** Resources, such as sessions, whose events are sent at a time: more with each success, one after a failure. */
  get width(): number {
    return this.#width;
  }

  /** @param isProbe whether the endpoint is down, so that nothing is parked for it */
  settle(batch: Batch, delivery: Delivery, result: SendResult, isProbe: boolean): void {
    const { clock, healthy, observe } = this.#deps;
    const { endpoint, attempts } = this.#journal;
    const { status, error, tookMs, retryAfterSeconds } = result;
    // The process stops: nobody knows whether it arrived, so it is sent again.
    if (error === "stopped") {
      batch.putBack(delivery);
      return;
    }
    const { event } = delivery;
    const attempt = delivery.attempts + 1;
    attempts.push({ sequence: event.sequence, event, attempt, at: new Date(clock()), status, error, tookMs });
    this.#journal.touch();
    const isTaken = hasSucceeded(result);
    observe.attempted(endpoint.id, result, isTaken);
    if (isTaken) {
      this.#journal.failures = 0;
      this.#width = Math.min(maxWidth, 2 * this.#width);
      healthy.set(endpoint.id, true);
      this.leaveOut(batch, delivery);
      return;
    }
    healthy.delete(endpoint.id);
    this.#width = 1;
    if (status === 410) {
      batch.fail(delivery);
      this.#disable("gone");
    } else if ((status === 429 || status === 503) && retryAfterSeconds !== null) {
      batch.fail(delivery);
      this.rest(clock() + 1000 * retryAfterSeconds);
    } else {
      this.#retry(batch, delivery, isProbe);
    }
  }

  /** Schedules another try, and leaves alone an endpoint that takes nothing. */
  #retry(batch: Batch, delivery: Delivery, isProbe: boolean): void {
    const attempt = delivery.attempts + 1;
    if (isProbe) batch.fail(delivery);
    else this.#park(batch, delivery, this.#afterFailure(attempt));
    // Tries of parked events tell of one resource; new ones tell of the endpoint.
    if (batch.source === "parked" && !isProbe) return;
    const { clock, isTrusted } = this.#deps;
    const { endpoint } = this.#journal;
    this.#journal.failures += 1;
    const { failures } = this.#journal;
    if (isTrusted() && isFailing(failures, endpoint.failingSince, clock())) this.#disable("failing");
    else if (failures >= downAfter) this.rest(clock() + probePauseMs(failures));
  }

  /** When it is tried next, or that it is not. */
  #afterFailure(attempts: number): ParkedState {
    const { clock, random } = this.#deps;
    const pauseMs = retryPauseMs(attempts, (random(1)[0] ?? 0) / 256);
    return pauseMs === undefined
      ? { attempts, nextAt: null, deadAt: new Date(clock()) }
      : { attempts, nextAt: new Date(clock() + pauseMs), deadAt: null };
  }

  /** An earlier event of its resource waits: so does this one. */
  hold(batch: Batch, delivery: Delivery): void {
    this.#park(batch, delivery, { attempts: delivery.attempts, nextAt: null, deadAt: null });
  }

  #park(batch: Batch, delivery: Delivery, state: ParkedState): void {
    const { parked, tried, freedResourceIds, endpoint } = this.#journal;
    const { sequence, resourceId, type } = delivery.event;
    const rows = batch.source === "parked" ? tried : parked;
    rows.push({ sequence, resourceId, type, ...state });
    if (state.deadAt !== null) {
      freedResourceIds.push(resourceId);
      this.#deps.observe.died(endpoint.id);
    } else {
      batch.blockedResourceIds.add(resourceId);
    }
    batch.settle(delivery);
    this.#journal.touch();
  }

  /** It needs no more: it was taken, or is no longer there. */
  leaveOut(batch: Batch, delivery: Delivery): void {
    if (batch.source === "parked") {
      this.#journal.done.push(delivery.event.sequence);
      this.#journal.freedResourceIds.push(delivery.event.resourceId);
    }
    batch.settle(delivery);
    this.#journal.touch();
  }

  /** Leaves the endpoint alone for some time. @param until milliseconds since 1970 */
  rest(until: number): void {
    this.#journal.restUntil = new Date(until);
    this.#journal.touch();
  }

  #disable(reason: "gone" | "failing"): void {
    this.#journal.disabledReason = reason;
    this.#deps.observe.disabled(this.#journal.endpoint.id, reason);
  }
}
