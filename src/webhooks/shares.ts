// Decides which deliveries may begin. Slow endpoints get a limited part of the connections, so that no partner waits for
// another's timeouts.
import type { DueEndpoint } from "../domain/webhooks/deliveries.ts";
import { computeMaxConcurrent } from "../domain/webhooks/delivery-outcome.ts";

/** Most of all connections that one partner may use, as a share. */
const partnerShare = 0.5;
/** The share of endpoints that did not answer the last attempt, together. */
const slowShare = 0.25;
/** The share of new endpoints, one of each partner. What is left is for endpoints that answer. */
const newShare = 0.5;

/** The connections that an endpoint uses, or has reserved. */
export interface EndpointConnections extends DueEndpoint {
  connections: number;
}

/**
 * The number of deliveries that each endpoint may begin, by its id; endpoints that have to wait are left out.
 * @param due in the order in which they wait. @param total connections, at least 1
 */
export function allocateConnections(
  due: readonly DueEndpoint[],
  used: Iterable<EndpointConnections>,
  total: number,
): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (name: string) => counts.get(name) ?? 0;
  const add = (limits: readonly Limit[], connections: number) => {
    for (const { name } of limits) counts.set(name, count(name) + connections);
  };
  for (const each of used) add(listLimits(each, total), each.connections);
  const allocation = new Map<string, number>();
  if (count("all") >= total) return allocation;
  const candidates = due.map((endpoint) => ({ ...endpoint, limits: listLimits(endpoint, total) }));
  const waiting = Map.groupBy(candidates, ({ partnerId }) => partnerId);
  // The partner with the fewest connections is first.
  for (let level = 0; waiting.size > 0; level += 1) {
    for (const [partnerId, endpoints] of waiting) {
      if (count(partnerId) > level) continue;
      const next = endpoints.find(({ limits }) => limits.every(({ name, most }) => count(name) < most));
      if (next === undefined) {
        waiting.delete(partnerId);
        continue;
      }
      add(next.limits, 1);
      allocation.set(next.id, (allocation.get(next.id) ?? 0) + 1);
    }
  }
  return allocation;
}

/** Connections are counted by this name, such as the id of a partner. */
interface Limit {
  readonly name: string;
  readonly most: number;
}

/** A connection of an endpoint counts towards each of these. */
function listLimits(endpoint: DueEndpoint, total: number): Limit[] {
  const { id, partnerId, lastAnswered } = endpoint;
  const atMost = (share: number) => Math.max(1, Math.floor(share * total));
  const limits = [
    { name: "all", most: total },
    { name: partnerId, most: atMost(partnerShare) },
    { name: id, most: computeMaxConcurrent(endpoint) },
  ];
  if (lastAnswered === "no") limits.push({ name: "slow", most: atMost(slowShare) });
  if (lastAnswered === "unknown") {
    limits.push({ name: "new", most: atMost(newShare) }, { name: `new of ${partnerId}`, most: 1 });
  }
  return limits;
}
