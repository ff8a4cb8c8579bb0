// Webhooks of a process: keys, addresses they may go to, connections of their own, and the deliverer over its stores.
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Config } from "../config.ts";
import { type DatabaseOptions, endsWhenFrozen, openDatabase } from "../database/database.ts";
import { AssessmentCatalogue } from "../domain/assessments/catalogue.ts";
import { SecretSealer } from "../domain/webhooks/sealed-secrets.ts";
import type { Clock, MonotonicClock, ReportDefect } from "../kernel/environment.ts";
import { createValuesBridge } from "../products/values-bridge/values-bridge.ts";
import type { Stores } from "../store/stores.ts";
import { createDeliveryStore } from "../store/webhooks/delivery-store.ts";
import { Deliverer } from "../webhooks/deliverer.ts";
import { LeaseCheck } from "../webhooks/lease/lease-check.ts";
import { SendSlots } from "../webhooks/lease/send-slots.ts";
import type { DeliveryObserver } from "../webhooks/lease/settlement.ts";
import { AddressGuard, destinationCheck, nameResolver } from "../webhooks/sending/destinations.ts";
import { HttpWebhookSender } from "../webhooks/sending/sender.ts";

export interface WebhookWiringOptions {
  /** The first seals, all open; none: webhooks are off. */
  readonly keys: readonly Uint8Array[];
  /** In CIDR notation. */
  readonly allowedNetworks: readonly string[];
}

/** The machine of somebody who tries the service out. */
const thisMachine = ["127.0.0.0/8", "::1/128"];

/** Networks that webhooks may go to although they are not public, in CIDR notation. */
export function webhookNetworks(config: Pick<Config, "WEBHOOK_ALLOWED_NETWORKS" | "DATABASE_URL">): readonly string[] {
  const isEmbedded = config.DATABASE_URL === undefined;
  return config.WEBHOOK_ALLOWED_NETWORKS ?? (isEmbedded ? thisMachine : []);
}

export type WebhookWiring = ReturnType<typeof createWebhookWiring>;

export function createWebhookWiring({ keys, allowedNetworks }: WebhookWiringOptions) {
  const guard = new AddressGuard(allowedNetworks);
  const resolve = nameResolver();
  const sender = new HttpWebhookSender({ guard, resolve, monotonic: () => performance.now() });
  const destinationViolations = destinationCheck(guard, resolve);
  return { sealer: new SecretSealer(keys, randomBytes), sender, destinationViolations };
}

/** A success counts as recent for so long. */
const healthyMs = 10 * 60_000;
/** How exactly that is known. */
const healthyResolutionMs = 1_000;
const maxHealthy = 10_000;

type LeaseStore = Pick<Stores["deliveries"], "claimEndpoints" | "saveReports">;

export interface OpenLeases extends AsyncDisposable {
  readonly leases: LeaseStore;
}

/** Opens a connection for leases alone: a process that freezes while it claims or saves holds no endpoint for long. */
export function openLeases(database: Pick<DatabaseOptions, "address" | "warn" | "observer">): OpenLeases {
  const db = openDatabase({ ...database, poolSize: 1, settings: [endsWhenFrozen] });
  return { leases: createDeliveryStore(db), [Symbol.asyncDispose]: () => db.destroy() };
}

/** Room of a process for webhooks to all shards, and who took them last. */
export interface SharedDelivery {
  readonly slots: SendSlots;
  readonly healthy: LRUCache<string, true>;
  /** Webhooks under way at a time. */
  readonly concurrency: number;
}

/** @param concurrency webhooks under way at a time */
export function shareDelivery(concurrency: number): SharedDelivery {
  const healthy = new LRUCache<string, true>({
    max: maxHealthy,
    ttl: healthyMs,
    ttlResolution: healthyResolutionMs,
  });
  return { slots: new SendSlots(concurrency), healthy, concurrency };
}

export interface DelivererOptions {
  readonly stores: Pick<Stores, "assessments" | "deliveries" | "events" | "webhooks" | "sessions">;
  readonly leases: LeaseStore;
  readonly wiring: Pick<WebhookWiring, "sealer" | "sender">;
  readonly clock: Clock;
  /** Whether the clock is not in doubt. */
  readonly isTrusted: () => boolean;
  readonly monotonic: MonotonicClock;
  readonly shared: SharedDelivery;
  readonly observe: DeliveryObserver;
  readonly reportDefect: ReportDefect;
}

export function createDeliverer(all: DelivererOptions): Deliverer {
  const { stores, leases, wiring, monotonic, shared, ...options } = all;
  const { claimEndpoints, saveReports } = leases;
  return new Deliverer({
    ...stores,
    ...wiring,
    ...options,
    deliveries: { ...stores.deliveries, claimEndpoints, saveReports },
    catalogue: new AssessmentCatalogue(stores.assessments, createValuesBridge(), monotonic),
    ...shared,
    leaseCheck: new LeaseCheck({ deliveries: stores.deliveries, monotonic }),
    monotonic,
    random: randomBytes,
    pause: (ms) => pause(ms),
  });
}
