// Whether leases are still held: one question to the store for all deliveries that want to know meanwhile.

import type { DeliveryStore, LeaseState } from "../../domain/webhooks/delivery-port.ts";
import type { EndpointName } from "../../domain/webhooks/webhook-port.ts";
import type { MonotonicClock } from "../../kernel/environment.ts";

/** A connection that does not answer holds up all who ask. */
const timeoutMs = 5_000;

export interface LeaseCheckDeps {
  readonly deliveries: Pick<DeliveryStore, "listLeases">;
  readonly monotonic: MonotonicClock;
}

export interface CheckedLease {
  /** Undefined: nobody has the endpoint. */
  readonly lease: LeaseState | undefined;
  /** When the store was asked, by the monotonic clock. */
  readonly askedAt: number;
}

interface Question {
  readonly endpoints: Map<string, EndpointName>;
  readonly answer: Promise<{ readonly leases: ReadonlyMap<string, LeaseState>; readonly askedAt: number }>;
}

export class LeaseCheck {
  readonly #deps: LeaseCheckDeps;
  /** Resolves when nothing is being asked. Never rejects. */
  #idle: Promise<unknown> = Promise.resolve();
  /** What is asked next. */
  #next: Question | undefined;

  constructor(deps: LeaseCheckDeps) {
    this.#deps = deps;
  }

  /** The lease of an endpoint as it is after this call. Throws what the store throws. */
  async find(endpoint: EndpointName): Promise<CheckedLease> {
    this.#next ??= this.#prepare();
    const { endpoints, answer } = this.#next;
    endpoints.set(endpoint.id, endpoint);
    const { leases, askedAt } = await answer;
    return { lease: leases.get(endpoint.id), askedAt };
  }

  #prepare(): Question {
    const { deliveries, monotonic } = this.#deps;
    const endpoints = new Map<string, EndpointName>();
    const answer = this.#idle.then(async () => {
      // Whoever comes from now on needs a later answer.
      this.#next = undefined;
      const askedAt = monotonic();
      const leases = await deliveries.listLeases([...endpoints.values()], AbortSignal.timeout(timeoutMs));
      return { leases, askedAt };
    });
    this.#idle = answer.catch(() => undefined);
    return { endpoints, answer };
  }
}
