// Webhooks: whether a delivery is of the service, by Standard Webhooks.
import { Webhook } from "standardwebhooks";

/** What a webhook tells. Members may be added. */
export interface WebhookEvent {
  /** The same when the event comes once more. */
  readonly id: string;
  /** For example `session.completed`. */
  readonly type: string;
  readonly timestamp: string;
  readonly sequence: string;
  readonly data: Readonly<Record<string, unknown>> & {
    readonly sessionId?: string;
    readonly groupId?: string;
    readonly externalId?: string;
  };
}

/**
 * The event of a delivery. Throws `WebhookVerificationError` of `standardwebhooks` if its signature is not of the secret, or
 * its time is more than five minutes off.
 *
 * @param secret of the endpoint: `whsec_…`
 * @param body as it came, not parsed and written again
 */
export function verifyWebhook(
  secret: string,
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
  body: string | Uint8Array,
): WebhookEvent {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  return new Webhook(secret).verify(
    text,
    Object.fromEntries(entries.map(([name, value]) => [name, String(value)])),
  ) as WebhookEvent;
}
