// Sends webhooks: to checked addresses only, without following redirects, and ignoring response bodies.
import { createHmac, type KeyObject } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Agent, Dispatcher } from "undici";
import {
  createUnsentResult,
  emptyResult,
  type SendResult,
  type WebhookMessage,
} from "../../domain/webhooks/deliveries.ts";
import type { Clock, MonotonicClock } from "../../kernel/environment.ts";
import type { ConnectorDeps } from "./agent.ts";
import { SendError, toErrorName } from "./send-error.ts";

const totalTimeoutMs = 10_000;
const maxBodyBytes = 16 * 1024;
/** Responses before the response, such as 103. */
const maxInformational = 10;
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
  async send({ url: text, id, body, secrets, sentAt }: WebhookMessage, signal: AbortSignal): Promise<SendResult> {
    const { monotonic } = this.#deps;
    const startedAt = monotonic();
    const url = new URL(text);
    const timestamp = Math.floor(sentAt.getTime() / 1000);
    const request = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "pas-webhooks/1",
        "webhook-id": id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": formatSignatures(`${id}.${timestamp}.${body}`, secrets),
      },
      body,
    };
    this.#agent ??= this.#importAgent().catch((error: unknown) => {
      // The next delivery tries again.
      this.#agent = undefined;
      throw error;
    });
    const now = () => sentAt.getTime() + monotonic() - startedAt;
    const result = await this.#agent.then(
      (agent) =>
        new Promise<SendResult>((resolve) => agent.dispatch(request, new ResponseHandler(resolve, now, signal))),
      (error: unknown) => createUnsentResult(toErrorName(error)),
    );
    return { ...result, tookMs: Math.round(monotonic() - startedAt) };
  }

  /** Closes idle connections. */
  close(): void {
    void this.#agent?.then((agent) => agent.close());
    this.#agent = undefined;
  }

  /** Imported on first use: the HTTP library takes 7 MB, and many processes never send anything. */
  async #importAgent(): Promise<Agent> {
    const { createWebhookAgent } = await import("./agent.ts");
    return createWebhookAgent(this.#deps);
  }
}

/**
 * Takes the response to a webhook. Its body is ignored, and may hold personal data: the connection of a long one is closed. The
 * status counts, however the body ends. undici's own requests, with a stream for each body, take up to twice the CPU.
 */
class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #resolve: (result: SendResult) => void;
  readonly #now: Clock;
  readonly #signal: AbortSignal;
  readonly #timer = setTimeout(() => this.#abort("timeout"), totalTimeoutMs);
  readonly #stop = () => this.#abort("stopped");
  #controller: Dispatcher.DispatchController | undefined;
  #result: SendResult | undefined;
  #informationalCount = 0;
  #bodyBytes = 0;

  /** @param resolve may be called several times: the first call counts */
  constructor(resolve: (result: SendResult) => void, now: Clock, signal: AbortSignal) {
    this.#resolve = resolve;
    this.#now = now;
    this.#signal = signal;
    if (signal.aborted) this.#stop();
    else signal.addEventListener("abort", this.#stop);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It may have been aborted while it waited for the connection.
    if (this.#result !== undefined) controller.abort(new SendError("stopped"));
  }

  onResponseStart(_: unknown, status: number, { "retry-after": retryAfter }: IncomingHttpHeaders): void {
    if (status >= 200) {
      this.#result = { ...emptyResult, status, retryAfterSeconds: parseRetryAfter(retryAfter, this.#now()) };
      return;
    }
    this.#informationalCount += 1;
    if (this.#informationalCount > maxInformational) this.#abort("malformed_response");
  }

  onResponseData(_: unknown, { length }: Buffer): void {
    this.#bodyBytes += length;
    if (this.#bodyBytes > maxBodyBytes) this.#abort("malformed_response");
  }

  onResponseEnd(): void {
    this.#end(emptyResult);
  }

  onResponseError(_: unknown, error: Error): void {
    this.#end(createUnsentResult(toErrorName(error)));
  }

  #abort(code: string): void {
    this.#end(createUnsentResult(code));
    this.#controller?.abort(new SendError(code));
  }

  /** @param failure the result unless there was a status */
  #end(failure: SendResult): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener("abort", this.#stop);
    this.#result ??= failure;
    this.#resolve(this.#result);
  }
}

/** Seconds of a Retry-After, in either form; at most an hour. */
function parseRetryAfter(text: string | readonly string[] | undefined, now: number): number | null {
  if (typeof text !== "string") return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), maxRetryAfterSeconds) : null;
}

/** The header `webhook-signature`: one signature for each secret, separated by spaces. */
function formatSignatures(content: string, secrets: readonly KeyObject[]): string {
  const sign = (secret: KeyObject) => createHmac("sha256", secret).update(content).digest("base64");
  return secrets.map((secret) => `v1,${sign(secret)}`).join(" ");
}
