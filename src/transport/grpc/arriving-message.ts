// One message of the gRPC port while it arrives: its bytes are counted, alone and with all others of the process, and
// so is its time.
import type { ArrivingBytes, BodyBudget } from "../../kernel/calls/body-budget.ts";
import type { ReadLimits } from "../../kernel/calls/core.ts";
import { CallerGone, Refusal } from "../../kernel/errors/refusal.ts";
import { http2StreamOf, type InterceptingCall } from "./close-call.ts";

/** Bytes before a message: whether it is compressed, and its length. */
const prefixBytes = 5;

interface Settle {
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: unknown) => void;
}

export class ArrivingMessage {
  readonly #call: InterceptingCall;
  readonly #budget: BodyBudget;
  #bufferedBytes = 0;
  #arriving: ArrivingBytes | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** While somebody waits for the message. */
  #settle: Settle | undefined;
  #bytes: Buffer | undefined;
  #isCancelled = false;

  constructor(call: InterceptingCall, budget: BodyBudget) {
    this.#call = call;
    this.#budget = budget;
  }

  /** Reads the message. Throws `payload_too_large`, `request_timeout`, `unavailable` (no room), CallerGone. */
  read({ maxBytes, sender }: ReadLimits, timeoutMs: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (this.#isCancelled) return reject(gone());
      this.#settle = { resolve, reject };
      this.#timer = setTimeout(() => this.#fail(tooLate()), timeoutMs);
      this.#arriving = this.#budget.open(sender, (refusal) => this.#fail(refusal));
      limitUnpacked(this.#call, maxBytes);
      http2StreamOf(this.#call).on("data", (chunk: Buffer) => this.#count(chunk.length, maxBytes));
      this.#call.startRead();
    });
  }

  /** Notified of the message; there is one. */
  arrived(bytes: Buffer): void {
    if (this.#bytes === undefined) {
      this.#bytes = bytes;
      this.#call.startRead();
    } else {
      this.#fail(new Refusal("malformed_request", "The call has one message."));
    }
  }

  /** Notified that the caller has sent everything. */
  ended(): void {
    if (this.#bytes === undefined) {
      this.#fail(new Refusal("malformed_request", "The call has no message."));
    } else {
      this.#end()?.resolve(this.#bytes);
    }
  }

  /** Notified that the call is over, whoever ended it. */
  cancelled(): void {
    this.#isCancelled = true;
    if (this.#settle !== undefined) this.#fail(gone());
  }

  #count(bytes: number, maxBytes: number): void {
    if (this.#timer === undefined) return;
    this.#bufferedBytes += bytes;
    if (this.#bufferedBytes > maxBytes + prefixBytes) this.#fail(tooLarge(maxBytes));
    else this.#arriving?.add(bytes);
  }

  #fail(error: unknown): void {
    this.#end()?.reject(error);
  }

  #end(): Settle | undefined {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#arriving?.end();
    const settle = this.#settle;
    this.#settle = undefined;
    return settle;
  }
}

/** grpc-js unpacks a message before anybody sees it; this is the limit it holds that to. It has no public name. */
function limitUnpacked(call: InterceptingCall, maxBytes: number): void {
  (call as InterceptingCall & { maxReceiveMessageSize: number }).maxReceiveMessageSize = maxBytes;
}

function gone(): CallerGone {
  return new CallerGone("the caller left before its message had arrived");
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal("payload_too_large", `A message of this call has at most ${maxBytes} bytes.`);
}

function tooLate(): Refusal {
  return new Refusal("deadline_exceeded", "The message was not received in time.");
}
