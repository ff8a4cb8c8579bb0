// The deliverer of a process, over its stores.
import { setTimeout as pause } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { AssessmentCatalogue } from "./domain/assessments/catalogue.ts";
import type { Clock, ReportDefect } from "./domain/environment.ts";
import { pooledRandomBytes } from "./domain/random-pool.ts";
import type { Stores } from "./store/stores.ts";
import type { WebhookParts } from "./webhook-parts.ts";
import { Deliverer } from "./webhooks/deliverer.ts";
import type { DeliveryObserver } from "./webhooks/endpoint-run.ts";
import { SendSlots } from "./webhooks/send-slots.ts";

/** A success counts as recent for so long. */
const provenMs = 10 * 60_000;
const maxProven = 10_000;

export interface DelivererOptions {
  readonly stores: Stores;
  readonly parts: Pick<WebhookParts, "sealer" | "sender">;
  readonly clock: Clock;
  /** Webhooks under way at a time. */
  readonly concurrency: number;
  readonly observe: DeliveryObserver;
  readonly reportDefect: ReportDefect;
}

export function createDeliverer({ stores, parts, clock, concurrency, ...options }: DelivererOptions): Deliverer {
  const monotonic = () => performance.now();
  return new Deliverer({
    ...stores,
    ...parts,
    ...options,
    catalogue: new AssessmentCatalogue(stores.assessments, monotonic),
    slots: new SendSlots(concurrency),
    proven: new LRUCache<string, true>({ max: maxProven, ttl: provenMs }),
    clock,
    monotonic,
    random: pooledRandomBytes(),
    concurrency,
    pause: (ms) => pause(ms),
  });
}
