// What webhooks need beside the stores: keys, addresses they may go to, and connections of their own.
import { pooledRandomBytes } from "./domain/random-pool.ts";
import { SecretSealer } from "./domain/webhooks/sealed-secrets.ts";
import { AddressGuard } from "./webhooks/address-guard.ts";
import { destinationCheck, nameResolver } from "./webhooks/destinations.ts";
import { HttpWebhookSender } from "./webhooks/sender.ts";

export interface WebhookPartsOptions {
  /** The first seals, all open; none: webhooks are off. */
  readonly keys: readonly Uint8Array[];
  /** In CIDR notation. */
  readonly allowedNetworks: readonly string[];
}

export type WebhookParts = ReturnType<typeof createWebhookParts>;

export function createWebhookParts({ keys, allowedNetworks }: WebhookPartsOptions) {
  const guard = new AddressGuard(allowedNetworks);
  const resolve = nameResolver();
  const sender = new HttpWebhookSender({ guard, resolve, monotonic: () => performance.now() });
  const destinationFaults = destinationCheck(guard, resolve);
  return { sealer: new SecretSealer(keys, pooledRandomBytes()), sender, destinationFaults };
}
