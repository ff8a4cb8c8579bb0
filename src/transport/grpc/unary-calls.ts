// Unary calls of the gRPC port, from their metadata on: the pipeline pulls the message, so nothing of it is read,
// unpacked or decoded before the caller is known. An interceptor of grpc-js is the one place where that can be done.
import { type OutgoingHttpHeaders, sensitiveHeaders } from "node:http2";
import type { DescMethodUnary, DescService, Message } from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import type { BodyBudget } from "../../kernel/calls/body-budget.ts";
import type { CallOrigin, Core, IncomingCall, ReadLimits } from "../../kernel/calls/core.ts";
import { metadata as names, requestIdOf, traceparentOf, tracestateOf } from "../../kernel/calls/metadata.ts";
import { networkOf } from "../../kernel/calls/network.ts";
import { CallerGone, Refusal } from "../../kernel/errors/refusal.ts";
import type { Caller } from "../../kernel/limits/caller.ts";
import { requiredScope } from "../../kernel/rpc-options/audit-rules.ts";
import type { DeprecationHeaders, DeprecationHeadersOf } from "../../kernel/rpc-options/deprecations.ts";
import { ArrivingMessage } from "./arriving-message.ts";
import { http2StreamOf, type InterceptingCall, leaveUnread } from "./close-call.ts";
import { type Decode, requestDecoder } from "./decode.ts";
import { type Encode, responseEncoder } from "./encode.ts";
import { toGrpcStatus } from "./status.ts";
import type { StreamPools } from "./stream-bounds.ts";

export interface UnaryCallsOptions {
  readonly core: Core;
  readonly services: readonly DescService[];
  /** What responses say of rpcs that callers should leave. Unset: nothing. */
  readonly deprecationHeaders?: DeprecationHeadersOf;
  /** Of all messages that are arriving, over every transport. */
  readonly budget: BodyBudget;
  /** Of all streams of the port. */
  readonly pools: StreamPools;
  /** A message has to arrive completely within this time. */
  readonly receiveTimeoutMs: number;
  /** The caller's address: the peer's, or the one that a trusted proxy names. */
  readonly addressOf: (peer: string, forwardedFor: string | undefined) => string;
}

interface Rpc {
  readonly method: DescMethodUnary;
  /** Whether its message is read of anybody, known or not. */
  readonly isForAnybody: boolean;
  readonly decode: Decode;
  readonly encode: Encode;
  readonly deprecationHeaders: (() => DeprecationHeaders) | undefined;
}

/**
 * An interceptor that serves every rpc of the services.
 * @param others takes all other calls: health and reflection
 */
export function unaryCalls(options: UnaryCallsOptions, others: grpc.ServerInterceptor): grpc.ServerInterceptor {
  const rpcs = new Map<string, Rpc>();
  for (const service of options.services) {
    for (const method of service.methods) {
      const unary = method as DescMethodUnary;
      const deprecationHeaders = options.deprecationHeaders?.(method);
      const isForAnybody = requiredScope(unary) === "none";
      rpcs.set(pathOf(unary), {
        method: unary,
        isForAnybody,
        decode: requestDecoder(method.input),
        encode: responseEncoder(method.output),
        deprecationHeaders,
      });
    }
  }
  return (definition, call) => {
    const rpc = rpcs.get(definition.path);
    if (rpc === undefined) return others(definition, call);
    new UnaryCall(rpc, call, options).start();
    return new ServedCall(call);
  };
}

/** The path of an rpc on the wire. */
export function pathOf({ parent, name }: Pick<DescMethodUnary, "parent" | "name">): string {
  return `/${parent.typeName}/${name}`;
}

/** What grpc-js gets in the place of a call that is served already: nothing is to be started. */
class ServedCall extends grpc.ServerInterceptingCall {
  override start(): void {}
}

class UnaryCall implements IncomingCall {
  readonly method: DescMethodUnary;
  timeoutMs: number | undefined;
  readonly #rpc: Rpc;
  readonly #call: InterceptingCall;
  readonly #options: UnaryCallsOptions;
  readonly #message: ArrivingMessage;
  #metadata = new grpc.Metadata();
  #origin: CallOrigin | undefined;
  /** Whether the message has arrived, so that nothing more is to come. */
  #hasArrived = false;
  #clientId: string | undefined;
  #waitedSeconds = 0;
  #isTestData = false;

  constructor(rpc: Rpc, call: InterceptingCall, options: UnaryCallsOptions) {
    this.method = rpc.method;
    this.#rpc = rpc;
    this.#call = call;
    this.#options = options;
    this.#message = new ArrivingMessage(call, options.budget);
  }

  start(): void {
    this.#call.start({
      onReceiveMetadata: (metadata) => {
        this.#metadata = metadata;
        this.timeoutMs = timeLeft(this.#call);
        void this.#serve();
      },
      onReceiveMessage: (bytes: Buffer) => this.#message.arrived(bytes),
      onReceiveHalfClose: () => this.#message.ended(),
      onCancel: () => this.#message.cancelled(),
    });
  }

  get origin(): CallOrigin {
    this.#origin ??= {
      transport: "grpc",
      address: this.#options.addressOf(hostOf(this.#call.getPeer()), this.header("x-forwarded-for")),
      requestId: requestIdOf(this.header(names.requestId)),
      traceparent: traceparentOf(this.header(names.traceparent)),
      tracestate: tracestateOf(this.header(names.tracestate)),
      isTrusted: false,
    };
    return this.#origin;
  }

  header(name: string): string | undefined {
    const [value] = this.#metadata.get(name);
    return typeof value === "string" ? value : undefined;
  }

  onCaller({ client }: Caller): void {
    this.#clientId = client;
  }

  onTestData(): void {
    this.#isTestData = true;
  }

  onWaited(seconds: number): void {
    this.#waitedSeconds += seconds;
  }

  async read(limits: ReadLimits): Promise<Message> {
    const { pools, receiveTimeoutMs } = this.#options;
    const stream = http2StreamOf(this.#call);
    // A known caller is held to its own limits from here on.
    if (!this.#rpc.isForAnybody) pools.calls.leave(stream);
    const bytes = await this.#message.read(limits, receiveTimeoutMs);
    pools.calls.leave(stream);
    this.#hasArrived = true;
    return this.#rpc.decode(bytes);
  }

  async #serve(): Promise<void> {
    try {
      const response = await this.#options.core.call(this);
      const bytes = this.#rpc.encode(response);
      const metadata = new ResponseMetadata();
      this.#addOwn(metadata);
      this.#call.sendMetadata(metadata);
      const { responses } = this.#options.pools;
      const stream = http2StreamOf(this.#call);
      responses.enter(stream, this.#clientId ?? networkOf(this.origin.address), bytes.length);
      this.#call.sendMessage(bytes, () => {
        responses.leave(stream);
        this.#call.sendStatus({ code: grpc.status.OK, details: "OK", metadata: null });
      });
    } catch (error) {
      if (error instanceof CallerGone) {
        // It may be grpc-js that has ended the call, and not its caller.
        leaveUnread(http2StreamOf(this.#call));
        return;
      }
      const refusal = error instanceof Refusal ? error : new Refusal("internal", "The response is lost.");
      const status = toGrpcStatus(refusal, this.header(names.gatewayAuthorization) !== undefined);
      this.#addOwn(status.metadata);
      this.#call.sendStatus(status);
      if (!this.#hasArrived) leaveUnread(http2StreamOf(this.#call));
    }
  }

  #addOwn(metadata: grpc.Metadata): void {
    metadata.set(names.requestId, this.origin.requestId);
    if (this.#waitedSeconds > 0 && this.header(names.gatewayAuthorization) !== undefined) {
      metadata.set(names.waitedMs, String(Math.round(this.#waitedSeconds * 1_000)));
    }
    if (this.#isTestData) metadata.set(names.testData, "true");
    const { deprecationHeaders } = this.#rpc;
    if (deprecationHeaders === undefined) return;
    for (const [name, value] of Object.entries(deprecationHeaders())) metadata.set(name, value);
  }
}

/**
 * The metadata of a response. Connections keep the headers that they have sent, to name them by a number; an id that never
 * comes again is not for that, and each new one would be compared with all that are kept.
 */
class ResponseMetadata extends grpc.Metadata {
  override toHttp2Headers(): OutgoingHttpHeaders {
    return { ...super.toHttp2Headers(), [sensitiveHeaders]: [names.requestId] };
  }
}

/** Milliseconds until the caller's deadline; undefined if it has none. */
function timeLeft(call: InterceptingCall): number | undefined {
  const at = Number(call.getDeadline());
  return at === Number.POSITIVE_INFINITY ? undefined : at - Date.now();
}

/** The address of a peer that grpc-js names with its port. */
function hostOf(peer: string): string {
  return peer.replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
}
