// Sends webhooks: to checked addresses only, without following redirects, and ignoring response bodies.
import { createHmac, createSecretKey } from "node:crypto";
import type { SendResult, WebhookMessage } from "../../domain/webhooks/deliveries.ts";
import type { MonotonicClock } from "../../kernel/environment.ts";
import { checkedConnector } from "./checked-connector.ts";
import type { Connection, Connections } from "./connections.ts";
import type { AddressGuard, ResolveName } from "./destinations.ts";
import { errorName, isConnectionLost, SendError } from "./send-error.ts";

const totalTimeoutMs = 10_000;
const maxBodyBytes = 16 * 1024;
const maxRetryAfterSeconds = 60 * 60;

export interface SenderDeps {
  readonly guard: AddressGuard;
  readonly resolve: ResolveName;
  readonly monotonic: MonotonicClock;
}

export class HttpWebhookSender {
  readonly #deps: SenderDeps;
  #connections: Promise<Connections> | undefined;
  readonly #underWay = new WeakMap<AbortSignal, Set<Connection>>();

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  /** Sends a webhook within 10 seconds. Never rejects; ends as `stopped` when the signal aborts. */
  async send(message: WebhookMessage, signal: AbortSignal): Promise<SendResult> {
    const { monotonic } = this.#deps;
    const startedAt = monotonic();
    const failed = (error: unknown): SendResult => ({
      status: null,
      error: errorName(error),
      tookMs: Math.round(monotonic() - startedAt),
      retryAfterSeconds: null,
    });
    try {
      const url = new URL(message.url);
      const { status, retryAfterSeconds } = await this.#post(url, message, signal);
      return { status, error: null, tookMs: Math.round(monotonic() - startedAt), retryAfterSeconds };
    } catch (error) {
      return failed(error);
    }
  }

  /** Closes idle connections. */
  close(): void {
    void this.#connections?.then((connections) => connections.endIdle());
  }

  /** Imported on first use: the HTTP library takes 7 MB, and many processes never send anything. */
  async #load(): Promise<Connections> {
    const { Connections } = await import("./connections.ts");
    return new Connections(checkedConnector(this.#deps));
  }

  async #post(url: URL, message: WebhookMessage, signal: AbortSignal): Promise<Response> {
    const { monotonic } = this.#deps;
    const endsAt = monotonic() + totalTimeoutMs;
    this.#connections ??= this.#load();
    const connections = await this.#connections;
    const post = (isAgain: boolean) =>
      this.#postOnce(url, message, signal, { connections, isAgain, limitMs: endsAt - monotonic() });
    try {
      return await post(false);
    } catch (error) {
      // The server may have closed a reused connection before it read the request, so a retry on a new one is safe.
      if (!(error instanceof SendError && error.isStale)) throw error;
      // Both tries are one attempt: the name was looked up before the first.
      return post(true);
    }
  }

  #postOnce(
    url: URL,
    message: WebhookMessage,
    signal: AbortSignal,
    { connections, isAgain, limitMs }: PostOptions,
  ): Promise<Response> {
    if (signal.aborted) throw new SendError("stopped");
    if (limitMs <= 0) throw new SendError("timeout");
    const { id, body, secrets, sentAt } = message;
    const timestamp = Math.floor(sentAt.getTime() / 1000);
    const headers = {
      "content-type": "application/json",
      "user-agent": "pas-webhooks/1",
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signatureHeader({ id, timestamp, body }, secrets),
    };
    const connection = connections.take(url.origin, isAgain);
    const underWay = this.#underWayUntil(signal, connections).add(connection);
    return new Promise((resolve, reject) => {
      let response: Response | undefined;
      let bytes = 0;
      const timer = setTimeout(() => connections.end(connection, new SendError("timeout")), limitMs);
      const settle = () => {
        clearTimeout(timer);
        underWay.delete(connection);
      };
      connection.client.dispatch(
        { path: url.pathname + url.search, method: "POST", headers, body },
        {
          onRequestStart: () => undefined,
          onResponseStart: (_, status, { "retry-after": retryAfter }) => {
            // Informational responses are ignored.
            if (status >= 200) response = { status, retryAfterSeconds: retryAfterOf(retryAfter) };
          },
          // The body is ignored, and may hold personal data: the connection of a long one is closed.
          onResponseData: (controller, chunk) => {
            bytes += chunk.length;
            if (bytes > maxBodyBytes) controller.abort(new SendError("body_too_long"));
          },
          onResponseEnd: () => {
            settle();
            connections.giveBack(connection);
            if (response === undefined) reject(new SendError("malformed_response"));
            else resolve(response);
          },
          onResponseError: (_, error) => {
            settle();
            connections.end(connection);
            // The status counts, however the body ends.
            if (response !== undefined) resolve(response);
            else reject(isConnectionLost(error) && connection.isUsed ? new SendError("connection_lost", true) : error);
          },
        },
      );
    });
  }

  /** Ends when the signal aborts. One shared listener, since each further one would be compared with those before it. */
  #underWayUntil(signal: AbortSignal, connections: Connections): Set<Connection> {
    const kept = this.#underWay.get(signal);
    if (kept !== undefined) return kept;
    const underWay = new Set<Connection>();
    this.#underWay.set(signal, underWay);
    const stop = () => {
      for (const connection of underWay) connections.end(connection, new SendError("stopped"));
    };
    signal.addEventListener("abort", stop, { once: true });
    return underWay;
  }
}

interface PostOptions {
  readonly connections: Connections;
  /** Whether a reused connection was lost, so that a new one is needed. */
  readonly isAgain: boolean;
  /** Time limit of the whole attempt. */
  readonly limitMs: number;
}

interface Response {
  readonly status: number;
  readonly retryAfterSeconds: number | null;
}

/** Seconds of a Retry-After, in either form; at most an hour. */
function retryAfterOf(text: string | readonly string[] | undefined): number | null {
  if (typeof text !== "string") return null;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), maxRetryAfterSeconds) : null;
}

export interface SignedContent {
  readonly id: string;
  /** Seconds since 1970 in UTC. */
  readonly timestamp: number;
  readonly body: string;
}

/** The header `webhook-signature`: one signature for each secret, separated by spaces. */
function signatureHeader({ id, timestamp, body }: SignedContent, secrets: readonly Uint8Array[]): string {
  const content = `${id}.${timestamp}.${body}`;
  // Signing with a key object takes a fifth of the time of signing with its bytes.
  const sign = (secret: Uint8Array) => createHmac("sha256", createSecretKey(secret)).update(content).digest("base64");
  return secrets.map((secret) => `v1,${sign(secret)}`).join(" ");
}
