// Calls of the gRPC port that are not the pipeline's: health and reflection. Their senders are not known, and streams
// have no end of their own. So they are counted, held to small messages, read no faster than they read themselves, and
// ended when the service stops.
import * as grpc from "@grpc/grpc-js";
import { cut, http2StreamOf, type InterceptingCall } from "./close-call.ts";

const maxOpenStreams = 1_000;
/** Names of services and symbols, which is all that clients send here, are far shorter. */
const maxMessageBytes = 32 * 1024;

/** The open streams of a server. */
export class OpenStreams {
  readonly #open = new Set<InterceptingCall>();
  readonly #receiveTimeoutMs: number;

  /** @param receiveTimeoutMs within which the message of a call without a stream has to arrive */
  constructor(receiveTimeoutMs: number) {
    this.#receiveTimeoutMs = receiveTimeoutMs;
  }

  /** To be given to the server. */
  readonly interceptor: grpc.ServerInterceptor = ({ responseStream }, call) => {
    if (!responseStream) this.#expectMessage(call);
    return this.#watch(call);
  };

  /** Ends every stream with a status that makes its client look for another server. */
  end(): void {
    const status = {
      code: grpc.status.UNAVAILABLE,
      details: "The service is stopping.",
      metadata: new grpc.Metadata(),
    };
    for (const call of this.#open) call.sendStatus(status);
    this.#open.clear();
  }

  #expectMessage(call: InterceptingCall): void {
    const giveUp = () => cut(call, grpc.status.DEADLINE_EXCEEDED, "The message was not received in time.");
    const timer = setTimeout(giveUp, this.#receiveTimeoutMs);
    const stop = () => clearTimeout(timer);
    http2StreamOf(call).once("end", stop).once("close", stop);
  }

  #watch(call: InterceptingCall): grpc.ServerInterceptingCall {
    if (this.#open.size >= maxOpenStreams) {
      cut(call, grpc.status.RESOURCE_EXHAUSTED, "Too many streams are open.");
      return new grpc.ServerInterceptingCall(call);
    }
    this.#open.add(call);
    const forget = () => this.#open.delete(call);
    let bytes = 0;
    http2StreamOf(call).on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxMessageBytes) cut(call, grpc.status.RESOURCE_EXHAUSTED, "The message is too large.");
    });
    const listener = new grpc.ServerListenerBuilder()
      .withOnReceiveMessage((message, next) => {
        bytes = 0;
        next(message);
      })
      .withOnCancel(forget)
      .build();
    const responder = new grpc.ResponderBuilder()
      .withStart((next) => next(listener))
      .withSendStatus((status, next) => {
        forget();
        next(status);
      })
      .build();
    return new PacedCall(call, responder);
  }
}

/** A call of which nothing is read while an answer has not gone out: answers that nobody reads would pile up. */
class PacedCall extends grpc.ServerInterceptingCall {
  #isSending = false;
  #isReadWanted = false;

  override startRead(): void {
    if (this.#isSending) this.#isReadWanted = true;
    else super.startRead();
  }

  override sendMessage(message: unknown, callback: () => void): void {
    this.#isSending = true;
    super.sendMessage(message, () => {
      this.#isSending = false;
      callback();
      if (this.#isReadWanted && !this.#isSending) {
        this.#isReadWanted = false;
        super.startRead();
      }
    });
  }
}
