// Webhooks of a process: keys, allowed addresses, and database connections.

import { randomBytes } from "node:crypto";
import type { Config } from "../config.ts";
import { Database, type DatabaseOptions } from "../database/database.ts";
import { freezeTimeoutSetting } from "../database/session-settings.ts";
import { SecretSealer } from "../domain/webhooks/sealed-secrets.ts";
import { monotonic } from "../kernel/environment.ts";
import { createDeliveryStore } from "../store/webhooks/delivery-store.ts";
import { AddressGuard, createDestinationCheck, createNameResolver } from "../webhooks/sending/destinations.ts";
import { HttpWebhookSender } from "../webhooks/sending/sender.ts";

/** Allowed where the service is tried out on one machine. */
const loopbackNetworks = ["127.0.0.0/8", "::1/128"];

export type WebhookWiring = ReturnType<typeof createWebhookWiring>;

/** @param keys the first one seals, all can open; none: webhooks are off */
export function createWebhookWiring(
  keys: readonly Uint8Array[],
  { DATABASE_URL, WEBHOOK_ALLOWED_NETWORKS }: Pick<Config, "WEBHOOK_ALLOWED_NETWORKS" | "DATABASE_URL">,
) {
  const guard = new AddressGuard(WEBHOOK_ALLOWED_NETWORKS ?? (DATABASE_URL === undefined ? loopbackNetworks : []));
  const resolve = createNameResolver();
  const sender = new HttpWebhookSender({ guard, resolve, monotonic });
  const findDestinationViolations = createDestinationCheck(guard, resolve);
  return { sealer: new SecretSealer(keys, randomBytes), sender, findDestinationViolations };
}

/**
 * Opens the deliveries of a shard on a connection of their own: if the process freezes, its locks on endpoints end soon.
 */
export function openDeliveries(database: Pick<DatabaseOptions, "address" | "warn" | "observer">) {
  const db = new Database({ ...database, poolSize: 1, settings: [freezeTimeoutSetting] });
  return { deliveries: createDeliveryStore(db), [Symbol.asyncDispose]: () => db.destroy() };
}
