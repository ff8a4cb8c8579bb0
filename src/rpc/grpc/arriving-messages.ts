// Messages of the gRPC port that are still arriving. Nobody knows yet who sends them, so there are not many of them, and
// none for long: whoever sends slowly, or never to the end, makes room for the others.
import * as grpc from "@grpc/grpc-js";
import { cut, http2StreamOf, type InterceptingCall } from "./close-call.ts";

/** With messages of 1 MiB, this many MiB. A message that comes in one piece is never among them. */
const maxArriving = 128;

/** The calls of a server whose message has not wholly arrived. */
export class ArrivingMessages {
  /** Each with the time at which it began; the oldest one first. */
  readonly #arriving = new Map<InterceptingCall, number>();
  readonly #sweep: NodeJS.Timeout;

  /** @param timeoutMs how long a message may take to arrive */
  constructor(timeoutMs: number) {
    this.#sweep = setInterval(() => this.#cutOlderThan(performance.now() - timeoutMs), Math.ceil(timeoutMs / 3));
    this.#sweep.unref();
  }

  /** To be given to the server. */
  readonly interceptor: grpc.ServerInterceptor = ({ responseStream }, call) => {
    if (!responseStream) this.#expect(call);
    return call as grpc.ServerInterceptingCall;
  };

  /** Ends the watch. */
  end(): void {
    clearInterval(this.#sweep);
  }

  #expect(call: InterceptingCall): void {
    const [oldest] = this.#arriving.keys();
    if (oldest !== undefined && this.#arriving.size >= maxArriving) {
      this.#cut(oldest, grpc.status.RESOURCE_EXHAUSTED, "Too many messages are arriving.");
    }
    this.#arriving.set(call, performance.now());
    const forget = () => this.#arriving.delete(call);
    http2StreamOf(call).once("end", forget).once("close", forget);
  }

  #cutOlderThan(begun: number): void {
    for (const [call, since] of this.#arriving) {
      if (since > begun) return;
      this.#cut(call, grpc.status.DEADLINE_EXCEEDED, "The message was not received in time.");
    }
  }

  #cut(call: InterceptingCall, code: grpc.status, details: string): void {
    this.#arriving.delete(call);
    cut(call, code, details);
  }
}
