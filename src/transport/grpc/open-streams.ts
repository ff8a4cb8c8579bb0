// Calls of the gRPC port that are not the pipeline's: health and reflection. Their senders are not known, and streams
// have no end of their own. Pools bound how many there are and how long they live (stream-bounds.ts); here they are held
// to small messages, read no faster than they read themselves, and ended when the service stops.
import * as grpc from "@grpc/grpc-js";
import { Health, type HealthCheckRequest } from "../../gen/health/v1/health_pb.ts";
import { cut, http2StreamOf, type InterceptingCall } from "./close-call.ts";
import type { StreamPools } from "./stream-bounds.ts";
import { pathOf } from "./unary-calls.ts";

/** Names of services and symbols, which is all that clients send here, are far shorter. */
const maxMessageBytes = 32 * 1024;
/** Stands for every name that no service has: the health service keeps each name that was ever watched. */
const unknownService = "unknown";

const statusOf = (code: grpc.status, details: string) => ({ code, details, metadata: new grpc.Metadata() });
const stopping = statusOf(grpc.status.UNAVAILABLE, "The service is stopping.");
const tooLarge = statusOf(grpc.status.RESOURCE_EXHAUSTED, "The message is too large.");
const tooLate = statusOf(grpc.status.DEADLINE_EXCEEDED, "The message was not received in time.");

export interface OpenStreamsOptions {
  /** That hold the streams. */
  readonly pools: Pick<StreamPools, "cutBy">;
  /** Within which the message of a call has to arrive, unless the call has a stream of them. */
  readonly receiveTimeoutMs: number;
  /** Names of services that health tells of. */
  readonly healthNames: readonly string[];
}

/** The open streams of a server. */
export class OpenStreams {
  readonly #open = new Set<InterceptingCall>();
  readonly #pools: Pick<StreamPools, "cutBy">;
  readonly #receiveTimeoutMs: number;
  readonly #healthNames: ReadonlySet<string>;

  constructor({ pools, receiveTimeoutMs, healthNames }: OpenStreamsOptions) {
    this.#pools = pools;
    this.#receiveTimeoutMs = receiveTimeoutMs;
    this.#healthNames = new Set(healthNames);
  }

  /** To be given to the server. */
  readonly interceptor: grpc.ServerInterceptor = ({ path, requestStream }, call) => {
    this.#pools.cutBy(http2StreamOf(call), (status) => cut(call, status));
    if (!requestStream) this.#expectMessage(call);
    return this.#watch(call, path === pathOf(Health.method.watch));
  };

  /** Ends every stream with a status that makes its client look for another server. */
  end(): void {
    for (const call of this.#open) call.sendStatus(stopping);
    this.#open.clear();
  }

  #expectMessage(call: InterceptingCall): void {
    const giveUp = () => cut(call, tooLate);
    const timer = setTimeout(giveUp, this.#receiveTimeoutMs);
    const stop = () => clearTimeout(timer);
    http2StreamOf(call).once("end", stop).once("close", stop);
  }

  #watch(call: InterceptingCall, isOfHealth: boolean): grpc.ServerInterceptingCall {
    this.#open.add(call);
    const forget = () => this.#open.delete(call);
    let bytes = 0;
    http2StreamOf(call).on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxMessageBytes) cut(call, tooLarge);
    });
    const listener = new grpc.ServerListenerBuilder()
      .withOnReceiveMessage((message, next) => {
        bytes = 0;
        next(isOfHealth ? this.#withKnownName(message as HealthCheckRequest) : message);
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

  #withKnownName(message: HealthCheckRequest): HealthCheckRequest {
    return this.#healthNames.has(message.service) ? message : { ...message, service: unknownService };
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
