// The shards that the rows of partners lie on. Each has a log of events of its own, and its own counting.
import type { EventStore } from "./events/event-port.ts";
import type { UsageStore } from "./usage/usage-port.ts";
import type { DeliveryStore } from "./webhooks/delivery-port.ts";

/** A shard: the whole database, unless that is divided. */
export interface Shard {
  /** The range that a shard of Vitess is named by, such as `-40` or `c0-`; empty for the whole database. */
  readonly name: string;
  readonly events: EventStore;
  readonly usage: UsageStore;
  readonly deliveries: DeliveryStore;
}

/** All shards as they are now. Throws `unavailable` before they are known. */
export type Shards<Part = Shard> = () => readonly Part[];
