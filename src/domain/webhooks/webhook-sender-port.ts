// How a webhook is sent, whoever asks for it.

export interface WebhookMessage {
  /** As it is stored: it was found sound when it was stored, and is checked again. */
  readonly url: string;
  /** Id of the event: the same for every attempt. */
  readonly id: string;
  /** JSON text. */
  readonly body: string;
  /** At least one; each signs. */
  readonly secrets: readonly Uint8Array[];
  readonly sentAt: Date;
}

export interface SendResult {
  /** Null: there was no response. */
  readonly status: number | null;
  /** Why there was none, such as `connect_timeout`; null if there was one. */
  readonly error: string | null;
  readonly tookMs: number;
  /** What the response asks for; null if it does not. */
  readonly retryAfterSeconds: number | null;
}

export interface WebhookSender {
  /** Sends a webhook within 10 seconds. Never rejects; ends as `stopped` when the signal aborts. */
  send(message: WebhookMessage, signal: AbortSignal): Promise<SendResult>;
}
