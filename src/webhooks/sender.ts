// Sends webhooks: to checked addresses only, without redirects, and without an interest in what is answered.
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIPv6, type LookupFunction, type Socket } from "node:net";
import type { MonotonicClock } from "../domain/environment.ts";
import type { SendResult, WebhookMessage, WebhookSender } from "../domain/ports/webhook-sender.ts";
import type { AddressGuard } from "./address-guard.ts";
import { literalAddress, type ResolveName } from "./destinations.ts";
import { errorName, SendError } from "./send-error.ts";
import { signatureHeader } from "./signature.ts";

const connectTimeoutMs = 3_000;
const totalTimeoutMs = 10_000;
const maxHeaderSize = 16 * 1024;
const maxBodyBytes = 16 * 1024;
/** A connection that was not used for so long is closed. */
const idleTimeoutMs = 5_000;
const maxRetryAfterSeconds = 60 * 60;
const agentOptions = { keepAlive: true, maxFreeSockets: 4, timeout: idleTimeoutMs, scheduling: "lifo" } as const;

export interface SenderDeps {
  readonly guard: AddressGuard;
  readonly resolve: ResolveName;
  readonly monotonic: MonotonicClock;
}

export class HttpWebhookSender implements WebhookSender {
  readonly #deps: SenderDeps;
  readonly #http = new HttpAgent(agentOptions);
  readonly #https = new HttpsAgent(agentOptions);

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

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

  /** Closes all connections. */
  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  async #post(url: URL, message: WebhookMessage, signal: AbortSignal) {
    try {
      return await this.#postOnce(url, message, signal);
    } catch (error) {
      // A kept connection may have been closed by the other side while the request was on its way: nobody read it.
      if (!(error instanceof SendError && error.isStale)) throw error;
      return this.#postOnce(url, message, signal);
    }
  }

  #postOnce(url: URL, { id, body, secrets, sentAt }: WebhookMessage, signal: AbortSignal) {
    const { guard } = this.#deps;
    const isEncrypted = url.protocol === "https:";
    const literal = literalAddress(url);
    // For an address nobody calls `lookup`.
    if (literal !== undefined && !guard.isAllowed(literal)) throw new SendError("not_public");
    const timestamp = Math.floor(sentAt.getTime() / 1000);
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "user-agent": "pas-webhooks/1",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signatureHeader({ id, timestamp, body }, secrets),
    };
    const options = { method: "POST", headers, maxHeaderSize, lookup: this.#lookup(isEncrypted) };
    return new Promise<Response>((resolve, reject) => {
      const request = isEncrypted
        ? httpsRequest(url, { ...options, agent: this.#https })
        : httpRequest(url, { ...options, agent: this.#http });
      const stop = () => request.destroy(new SendError("stopped"));
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop, { once: true });
      const timer = setTimeout(() => request.destroy(new SendError("timeout")), totalTimeoutMs);
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
      };
      request.on("socket", (socket) => watchConnection(request, socket, isEncrypted, guard));
      request.on("error", (error) => {
        settle();
        reject(isLost(error) && request.reusedSocket ? new SendError("connection_lost", true) : error);
      });
      request.on("response", (response) => {
        readNothing(response, () => {
          settle();
          resolve(responseOf(response));
        });
      });
      request.end(body);
    });
  }

  /** Every address of the name must be permitted; the connection goes to one of them. */
  #lookup(isEncrypted: boolean): LookupFunction {
    const { guard, resolve } = this.#deps;
    return (name, options, callback) => {
      resolve(name).then(
        (addresses) => {
          const refuse = (code: string) => callback(new SendError(code), []);
          if (addresses.length === 0) return refuse("name_not_found");
          if (!addresses.every((address) => guard.permits(address, isEncrypted))) return refuse("not_public");
          const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
          const [first] = found;
          if (options.all) callback(null, found);
          else callback(null, first?.address ?? "", first?.family);
        },
        (error: unknown) => callback(error instanceof Error ? error : new SendError("name_not_found"), []),
      );
    };
  }
}

interface Response {
  readonly status: number;
  readonly retryAfterSeconds: number | null;
}

/** Gives a new connection its time, and looks at where it leads. One that is used again was looked at before. */
function watchConnection(request: ClientRequest, socket: Socket, isEncrypted: boolean, guard: AddressGuard): void {
  if (!socket.connecting) return;
  const timer = setTimeout(() => request.destroy(new SendError("connect_timeout")), connectTimeoutMs);
  socket.once("connect", () => {
    if (!guard.permits(socket.remoteAddress ?? "", isEncrypted)) request.destroy(new SendError("not_public"));
  });
  socket.once(isEncrypted ? "secureConnect" : "connect", () => clearTimeout(timer));
  request.once("close", () => clearTimeout(timer));
}

/** Lets a body pass that nobody is interested in; a long one ends with its connection. It may hold personal data. */
function readNothing(response: IncomingMessage, end: () => void): void {
  let bytes = 0;
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) response.destroy();
  });
  // What was answered counts, however the body ends.
  response.once("error", () => undefined);
  response.once("close", end);
}

function responseOf({ statusCode = 0, headers }: IncomingMessage): Response {
  return { status: statusCode, retryAfterSeconds: retryAfterOf(headers["retry-after"]) };
}

/** Seconds of a Retry-After, in either of its forms; an hour at most. */
function retryAfterOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), maxRetryAfterSeconds) : null;
}

function isLost(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE");
}
