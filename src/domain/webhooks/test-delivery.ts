// A webhook that tells of nothing, to see whether an endpoint takes it.
import type { Clock, Deadline, RandomBytes } from "../../kernel/environment.ts";
import { newId } from "../identifiers.ts";
import { getSteerable, refuseIfOff, type WebhookCaller } from "./endpoints.ts";
import type { SecretSealer } from "./sealed-secrets.ts";
import { hasSucceeded, type WebhookStore } from "./webhook-port.ts";
import type { SendResult, WebhookSender } from "./webhook-sender-port.ts";

export interface TestDeliveryDeps {
  readonly webhooks: WebhookStore;
  readonly sealer: SecretSealer;
  readonly sender: WebhookSender;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/**
 * Sends a `webhook.test`, which is in no log. One that is taken ends the endpoint's streak of failures. Throws `webhooks_off`,
 * `not_found` and `permission_denied`.
 */
export async function sendTest(
  deps: TestDeliveryDeps,
  caller: WebhookCaller,
  endpointId: string,
  deadline: Deadline,
): Promise<SendResult> {
  const { webhooks, sealer, sender, clock, random } = deps;
  refuseIfOff(deps);
  const endpoint = await getSteerable(deps, caller, endpointId, deadline);
  const sealed = await webhooks.listSecrets(endpoint, deadline.signal);
  const secrets = sealed.flatMap((secret) => sealer.open(secret) ?? []);
  if (secrets.length === 0) return { status: null, error: "secret_unreadable", tookMs: 0, retryAfterSeconds: null };
  const sentAt = new Date(clock());
  const id = `evt_${newId(sentAt, random).replaceAll("-", "")}_test`;
  const event = { id, type: "webhook.test", timestamp: sentAt.toISOString(), data: { endpointId: endpoint.id } };
  const message = { url: endpoint.url, id, body: JSON.stringify(event), secrets, sentAt };
  const result = await sender.send(message, deadline.signal);
  if (hasSucceeded(result)) await webhooks.resumeEndpoint(endpoint, deadline.signal);
  return result;
}
