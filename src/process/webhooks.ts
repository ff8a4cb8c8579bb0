// Webhooks of a process: keys, allowed addresses, database connections, and the deliverer.

import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../config.ts";
import { type DatabaseOptions, endsWhenFrozen, openDatabase } from "../database/database.ts";
import { SecretSealer } from "../domain/webhooks/sealed-secrets.ts";
import { systemTimers } from "../kernel/timers.ts";
import { createValuesBridge } from "../products/values-bridge/values-bridge.ts";
import { AssessmentCatalogue } from "../services/assessments/catalogue.ts";
import type { Stores } from "../store/stores.ts";
import { createDeliveryStore } from "../store/webhooks/delivery-store.ts";
import { Deliverer, type DelivererDeps } from "../webhooks/deliverer.ts";
import { AddressGuard, destinationCheck, nameResolver } from "../webhooks/sending/destinations.ts";
import { HttpWebhookSender } from "../webhooks/sending/sender.ts";

export interface WebhookWiringOptions {
  /** The first key seals, all can open; none: webhooks are off. */
  readonly keys: readonly Uint8Array[];
  /** In CIDR notation. */
  readonly allowedNetworks: readonly string[];
}

/** For somebody who tries the service out on one machine. */
const thisMachine = ["127.0.0.0/8", "::1/128"];

/** Private networks that webhooks may be sent to, in CIDR notation. */
export function webhookNetworks(config: Pick<Config, "WEBHOOK_ALLOWED_NETWORKS" | "DATABASE_URL">): readonly string[] {
  const isEmbedded = config.DATABASE_URL === undefined;
  return config.WEBHOOK_ALLOWED_NETWORKS ?? (isEmbedded ? thisMachine : []);
}

export type WebhookWiring = ReturnType<typeof createWebhookWiring>;

export function createWebhookWiring({ keys, allowedNetworks }: WebhookWiringOptions) {
  const guard = new AddressGuard(allowedNetworks);
  const resolve = nameResolver();
  const sender = new HttpWebhookSender({ guard, resolve, monotonic: systemTimers.now });
  const destinationViolations = destinationCheck(guard, resolve);
  return { sealer: new SecretSealer(keys, randomBytes), sender, destinationViolations };
}

type TurnStore = Pick<Stores["deliveries"], "takeTurns">;

export interface OpenTurns extends AsyncDisposable {
  readonly turns: TurnStore;
}

/** Opens a connection for claiming deliveries alone: if the process freezes, its locks on endpoints end soon. */
export function openTurns(database: Pick<DatabaseOptions, "address" | "warn" | "observer">): OpenTurns {
  const db = openDatabase({ ...database, poolSize: 1, settings: [endsWhenFrozen] });
  return { turns: createDeliveryStore(db), [Symbol.asyncDispose]: () => db.destroy() };
}

export interface DelivererOptions
  extends Omit<DelivererDeps, "events" | "catalogue" | "deliveries" | "random" | "pause"> {
  readonly stores: Pick<Stores, "assessments" | "deliveries" | "events">;
  readonly turns: TurnStore;
}

export function createDeliverer({ stores, turns, ...deps }: DelivererOptions): Deliverer {
  return new Deliverer({
    ...deps,
    events: stores.events,
    deliveries: { listDueEndpoints: stores.deliveries.listDueEndpoints, takeTurns: turns.takeTurns },
    catalogue: new AssessmentCatalogue(stores.assessments, createValuesBridge(), deps.monotonic),
    random: randomBytes,
    pause: (ms) => pause(ms),
  });
}
