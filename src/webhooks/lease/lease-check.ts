// Whether leases are still held: asked of the store before every delivery, once for all deliveries that begin meanwhile.
import type { DeliveryStore, LeaseState } from "../../domain/webhooks/delivery-port.ts";
import type { EndpointName } from "../../domain/webhooks/webhook-port.ts";

/** A connection that does not answer holds up all deliveries of the process. */
const timeoutMs = 5_000;

interface Question {
  readonly endpoints: Map<string, EndpointName>;
  readonly answer: Promise<ReadonlyMap<string, LeaseState>>;
}

export class LeaseCheck {
  readonly #deliveries: Pick<DeliveryStore, "listLeases">;
  /** Resolves when nothing is being asked. Never rejects. */
  #idle: Promise<unknown> = Promise.resolve();
  /** What is asked next. */
  #next: Question | undefined;

  constructor(deliveries: Pick<DeliveryStore, "listLeases">) {
    this.#deliveries = deliveries;
  }

  /** The lease of an endpoint as it is after this call; undefined: there is none. Throws what the store throws. */
  async find(endpoint: EndpointName): Promise<LeaseState | undefined> {
    this.#next ??= this.#prepare();
    const { endpoints, answer } = this.#next;
    endpoints.set(endpoint.id, endpoint);
    return (await answer).get(endpoint.id);
  }

  #prepare(): Question {
    const endpoints = new Map<string, EndpointName>();
    const answer = this.#idle.then(() => {
      // Whoever comes from now on needs a later answer.
      this.#next = undefined;
      return this.#deliveries.listLeases([...endpoints.values()], AbortSignal.timeout(timeoutMs));
    });
    this.#idle = answer.catch(() => undefined);
    return { endpoints, answer };
  }
}
