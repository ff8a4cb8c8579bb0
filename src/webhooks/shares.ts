// Decides which deliveries may begin. Slow endpoints get a limited part of the connections, so that no partner waits for
// another's timeouts.
import type { DueEndpoint } from "../domain/webhooks/deliveries.ts";
import { computeMaxConcurrent } from "../domain/webhooks/delivery-outcome.ts";

/** Most of all connections that one partner may use, as a share. */
const partnerShare = 0.5;
/** The share of endpoints that did not answer the last attempt, and of further new ones, together. */
const slowShare = 0.25;
/** The share of new endpoints, one of each partner. What is left is for endpoints that answer. */
const newShare = 0.5;

/** The connections that an endpoint uses, or has reserved. */
export interface EndpointConnections extends Pick<DueEndpoint, "id" | "partnerId" | "answering"> {
  readonly connections: number;
}

/**
 * How many deliveries each endpoint may begin, by its id; endpoints that have to wait are left out.
 * @param due in the order in which they wait. @param total connections, at least 1
 */
export function allocateConnections(
  due: readonly DueEndpoint[],
  used: Iterable<EndpointConnections>,
  total: number,
): Map<string, number> {
  const counts = new ConnectionCounts();
  for (const each of used) counts.add(each, each.connections);
  const atMost = (share: number) => Math.max(1, Math.floor(share * total));
  const mayBegin = (endpoint: DueEndpoint) => {
    const { id, partnerId, answering } = endpoint;
    const isBusy = counts.count(id) >= computeMaxConcurrent(endpoint);
    if (isBusy || counts.all >= total || counts.count(partnerId) >= atMost(partnerShare)) return false;
    if (answering === "yes") return true;
    return counts.isFirstNew(endpoint) ? counts.newOf.size < atMost(newShare) : counts.slow < atMost(slowShare);
  };
  const allocation = new Map<string, number>();
  const waiting = Map.groupBy(due, ({ partnerId }) => partnerId);
  // The partner with the fewest connections is first.
  for (let level = 0; waiting.size > 0 && counts.all < total; level += 1) {
    for (const [partnerId, endpoints] of waiting) {
      if (counts.count(partnerId) > level) continue;
      const next = endpoints.find(mayBegin);
      if (next === undefined) {
        waiting.delete(partnerId);
        continue;
      }
      counts.add(next, 1);
      allocation.set(next.id, (allocation.get(next.id) ?? 0) + 1);
    }
  }
  return allocation;
}

class ConnectionCounts {
  all = 0;
  slow = 0;
  /** Partners by id, each with one new endpoint that is not counted as slow. */
  readonly newOf = new Set<string>();
  readonly #counts = new Map<string, number>();

  /** The connections of an endpoint, or of a partner, by id. */
  count(id: string): number {
    return this.#counts.get(id) ?? 0;
  }

  isFirstNew({ answering, partnerId }: Omit<EndpointConnections, "connections">): boolean {
    return answering === "unknown" && !this.newOf.has(partnerId);
  }

  add(endpoint: Omit<EndpointConnections, "connections">, connections: number): void {
    const { id, partnerId, answering } = endpoint;
    if (connections === 0) return;
    this.all += connections;
    for (const key of [id, partnerId]) this.#counts.set(key, this.count(key) + connections);
    // An endpoint that does not answer has one connection.
    if (this.isFirstNew(endpoint)) this.newOf.add(partnerId);
    else if (answering !== "yes") this.slow += connections;
  }
}
