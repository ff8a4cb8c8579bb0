// Sends webhooks: to checked addresses only, without following redirects, and ignoring response bodies.
import { createHmac, type KeyObject } from "node:crypto";
import { addAbortListener } from "node:events";
import type { Agent } from "undici";
import { notSent, type SendResult, type WebhookMessage } from "../../domain/webhooks/deliveries.ts";
import type { MonotonicClock } from "../../kernel/environment.ts";
import type { ConnectorDeps } from "./agent.ts";
import { errorName, SendError } from "./send-error.ts";

const totalTimeoutMs = 10_000;
const maxBodyBytes = 16 * 1024;
/** Responses before the response, such as 103. */
const maxInterim = 10;
const maxRetryAfterSeconds = 60 * 60;

export interface SenderDeps extends ConnectorDeps {
  readonly monotonic: MonotonicClock;
}

export class HttpWebhookSender {
  readonly #deps: SenderDeps;
  #agent: Promise<Agent> | undefined;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  /** Sends a webhook within 10 seconds. Never rejects; ends as `stopped` when the signal aborts. */
  async send(message: WebhookMessage, signal: AbortSignal): Promise<SendResult> {
    const { monotonic } = this.#deps;
    const startedAt = monotonic();
    // Signals that time out and signals of several take 30 µs of CPU, a tenth of a delivery.
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(new SendError("timeout")), totalTimeoutMs);
    using _stopping = addAbortListener(signal, () => abort.abort());
    const result = await this.#post(message, abort.signal).catch((error: unknown) =>
      notSent(signal.aborted ? "stopped" : errorName(error)),
    );
    clearTimeout(timer);
    return { ...result, tookMs: Math.round(monotonic() - startedAt) };
  }

  /** Closes idle connections. */
  close(): void {
    void this.#agent?.then((agent) => agent.close());
    this.#agent = undefined;
  }

  /** Imported on first use: the HTTP library takes 7 MB, and many processes never send anything. */
  async #load(): Promise<Agent> {
    const { webhookAgent } = await import("./agent.ts");
    return webhookAgent(this.#deps);
  }

  async #post({ url: text, id, body, secrets, sentAt }: WebhookMessage, signal: AbortSignal) {
    const url = new URL(text);
    const timestamp = Math.floor(sentAt.getTime() / 1000);
    this.#agent ??= this.#load().catch((error: unknown) => {
      // The next delivery tries again.
      this.#agent = undefined;
      throw error;
    });
    const agent = await this.#agent;
    let interim = 0;
    const { statusCode, headers, ...response } = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "pas-webhooks/1",
        "webhook-id": id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": signatureHeader(`${id}.${timestamp}.${body}`, secrets),
      },
      body,
      onInfo() {
        interim += 1;
        if (interim > maxInterim) throw new SendError("malformed_response");
      },
      signal,
    });
    // The body is ignored, and may hold personal data: the connection of a long one is closed. The status counts, however
    // the body ends.
    await response.body.dump({ limit: maxBodyBytes });
    return { ...notSent(null), status: statusCode, retryAfterSeconds: retryAfterOf(headers["retry-after"]) };
  }
}

/** Seconds of a Retry-After, in either form; at most an hour. */
function retryAfterOf(text: string | readonly string[] | undefined): number | null {
  if (typeof text !== "string") return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), maxRetryAfterSeconds) : null;
}

/** The header `webhook-signature`: one signature for each secret, separated by spaces. */
function signatureHeader(content: string, secrets: readonly KeyObject[]): string {
  const sign = (secret: KeyObject) => createHmac("sha256", secret).update(content).digest("base64");
  return secrets.map((secret) => `v1,${sign(secret)}`).join(" ");
}
