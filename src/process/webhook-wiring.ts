// What webhooks need beside the stores: keys, addresses they may go to, and connections of their own.
import type { Config } from "../config.ts";
import { pooledRandomBytes } from "../domain/random-pool.ts";
import { SecretSealer } from "../domain/webhooks/sealed-secrets.ts";
import { AddressGuard } from "../webhooks/sending/address-guard.ts";
import { destinationCheck, nameResolver } from "../webhooks/sending/destinations.ts";
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
  return { sealer: new SecretSealer(keys, pooledRandomBytes()), sender, destinationViolations };
}
