// Decides which deliveries may begin. Slow endpoints get a limited part of the connections, so that no partner waits for
// another's timeouts.

import type { DueEndpoint } from "../domain/webhooks/deliveries.ts";
import { computeMaxConcurrent } from "../domain/webhooks/delivery-outcome.ts";

/** Most of all connections that one partner may use, as a share. */
const partnerShare = 0.5;
/** The share of endpoints that did not answer the last attempt, and of further new ones, together. */
const slowShare = 0.25;
/** Of the rest, the share of one new endpoint of each partner. What is left is for endpoints that answer. */
const newShare = 0.5;

/** A delivery that uses a connection, or has one reserved. */
export type RunningDelivery = Pick<DueEndpoint, "id" | "partnerId" | "answering">;

/** So many deliveries of an endpoint. */
export function repeatDelivery({ id, partnerId, answering }: RunningDelivery, count: number): RunningDelivery[] {
  return Array.from({ length: count }, () => ({ id, partnerId, answering }));
}

/**
 * How many deliveries each endpoint may begin, by its id; endpoints that have to wait are left out.
 * @param due in the order in which they wait. @param total connections, at least 1
 */
export function allocateConnections(
  due: readonly DueEndpoint[],
  running: Iterable<RunningDelivery>,
  total: number,
): Map<string, number> {
  const counts = new ConnectionCounts();
  for (const each of running) counts.add(each);
  const limitTo = (share: number) => Math.max(1, Math.floor(share * total));
  const canStart = ({ id, partnerId, answering, failures }: DueEndpoint) => {
    const isBusy = counts.count(id) >= computeMaxConcurrent({ answering, failures });
    if (isBusy || counts.all >= total || counts.count(partnerId) >= limitTo(partnerShare)) return false;
    if (answering === "yes") return true;
    const isFirst = answering === "unknown" && counts.count(createEndpointKey(partnerId)) === 0;
    return isFirst ? counts.newEndpoints < limitTo(newShare) : counts.slow < limitTo(slowShare);
  };
  const allocation = new Map<string, number>();
  const waiting = Map.groupBy(due, ({ partnerId }) => partnerId);
  // The partner with the fewest connections is first.
  for (let level = 0; waiting.size > 0 && counts.all < total; level += 1) {
    for (const [partnerId, endpoints] of waiting) {
      if (counts.count(partnerId) > level) continue;
      const next = endpoints.find(canStart);
      if (next === undefined) {
        waiting.delete(partnerId);
        continue;
      }
      counts.add(next);
      allocation.set(next.id, (allocation.get(next.id) ?? 0) + 1);
    }
  }
  return allocation;
}

const createEndpointKey = (partnerId: string) => `first ${partnerId}`;

class ConnectionCounts {
  all = 0;
  slow = 0;
  newEndpoints = 0;
  readonly #counts = new Map<string, number>();

  count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add({ id, partnerId, answering }: RunningDelivery): void {
    this.all += 1;
    for (const key of [id, partnerId]) this.#counts.set(key, this.count(key) + 1);
    if (answering === "yes") return;
    const first = createEndpointKey(partnerId);
    if (answering === "unknown" && this.count(first) === 0) {
      this.#counts.set(first, 1);
      this.newEndpoints += 1;
    } else {
      this.slow += 1;
    }
  }
}
