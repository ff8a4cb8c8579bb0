// Unary calls of the gRPC port. An interceptor of grpc-js rather than a handler, because only an interceptor can start the
// read itself, once the call is admitted.
import type { DescMethodUnary, DescService, Message } from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import {
  CallContext,
  type CallHead,
  type CallOrigin,
  type Core,
  makeCall,
  headerNames as names,
  parseTraceparent,
  type ReadLimits,
  toRequestId,
} from "../../kernel/calls/core.ts";
import { details } from "../../kernel/errors/details.ts";
import { CallerGone, Refusal } from "../../kernel/errors/refusal.ts";
import { createDeprecationHeaders, type DeprecationHeaders } from "../../kernel/rpc-options.ts";
import { connectionBytes } from "../../limits/connections.ts";
import { BoundedCall, type CallBounds, type InterceptingCall } from "./bounded-call.ts";
import { createRequestDecoder, createResponseEncoder, type Decode, type Encode } from "./messages.ts";
import { toGrpcStatus } from "./status.ts";

export interface UnaryCallsOptions extends CallBounds {
  readonly core: Core;
  readonly services: readonly DescService[];
  readonly publicUrl: () => string;
}

/** Memory for each byte of a response that nobody reads yet, measured: 1.6 to 2.2. */
const bytesPerResponseByte = 2;

interface Rpc {
  readonly method: DescMethodUnary;
  readonly decode: Decode;
  readonly encode: Encode;
  readonly deprecation: DeprecationHeaders | undefined;
}

/**
 * An interceptor that serves every rpc of the services.
 * @param others handles all other calls: health and reflection
 */
export function createUnaryCalls(options: UnaryCallsOptions, others: grpc.ServerInterceptor): grpc.ServerInterceptor {
  const rpcs = mapRpcs<Rpc>(options.services, (method) => ({
    method,
    decode: createRequestDecoder(method.input),
    encode: createResponseEncoder(method.output),
    deprecation: createDeprecationHeaders(method, options.publicUrl),
  }));
  return (definition, call) => {
    const rpc = rpcs.get(definition.path);
    return rpc === undefined ? others(definition, call) : new UnaryCall(rpc, call, options);
  };
}

/** Something for each rpc of the services, by its path on the wire. */
export function mapRpcs<T>(services: readonly DescService[], create: (method: DescMethodUnary) => T): Map<string, T> {
  const methods = services.flatMap((service) => service.methods as DescMethodUnary[]);
  return new Map(methods.map((method) => [`/${method.parent.typeName}/${method.name}`, create(method)]));
}

class UnaryCall extends BoundedCall implements CallHead {
  readonly context = new CallContext();
  timeoutMs: number | undefined;
  readonly #rpc: Rpc;
  readonly #core: Core;
  /** Set while the message is read. */
  #message: PromiseWithResolvers<Buffer> | undefined;
  #bytes: Buffer | undefined;
  #origin: CallOrigin | undefined;
  /** The bytes that its response counts as until it is read. */
  #unreadBytes = 0;
  #isOver = false;

  constructor(rpc: Rpc, call: InterceptingCall, options: UnaryCallsOptions) {
    super(call, options);
    this.#rpc = rpc;
    this.#core = options.core;
  }

  override onMetadata(): void {
    const deadline = Number(this.getDeadline());
    this.timeoutMs = deadline === Number.POSITIVE_INFINITY ? undefined : deadline - Date.now();
    const call = makeCall(this.#core, this.#rpc.method, this, (limits) => this.#read(limits));
    call.then((response) => this.#sendResponse(response)).catch((error: unknown) => this.#end(error));
  }

  override onMessage(bytes: Buffer): void {
    if (this.#bytes !== undefined) this.#message?.reject(new Refusal("malformed_request", "The call has one message."));
    this.#bytes = bytes;
    this.startRead();
  }

  override onHalfClose(): void {
    if (this.#bytes === undefined) this.#message?.reject(new Refusal("malformed_request", "The call has no message."));
    else this.#message?.resolve(this.#bytes);
  }

  override onOver(): void {
    this.#isOver = true;
    this.#countUnread(0);
    this.#message?.reject(new CallerGone());
  }

  get origin(): CallOrigin {
    this.#origin ??= {
      transport: "grpc",
      address: this.address,
      requestId: toRequestId(this.header(names.requestId)),
      traceparent: parseTraceparent(this.header(names.traceparent)),
      isTrusted: false,
    };
    return this.#origin;
  }

  header(name: string): string | undefined {
    const value = this.metadata?.get(name)[0];
    return typeof value === "string" ? value : undefined;
  }

  /** Tells the connection whose it is, once the call has a caller. */
  #setConnectionCaller(): void {
    const { caller } = this.context;
    if (caller !== undefined) this.connection?.setCaller(caller);
  }

  /** The bytes of the response that the client has not read yet. */
  #countUnread(bytes: number): void {
    this.connection?.addBytes(bytes - this.#unreadBytes);
    this.#unreadBytes = bytes;
  }

  async #read(limits: ReadLimits): Promise<Message> {
    this.#setConnectionCaller();
    if (this.#isOver) throw new CallerGone();
    this.#message = Promise.withResolvers<Buffer>();
    this.startReading(limits);
    try {
      const bytes = await this.#message.promise;
      if (bytes.length <= limits.maxBytes) return this.#rpc.decode(bytes);
      throw new Refusal("payload_too_large", `A message of this call has at most ${limits.maxBytes} bytes.`);
    } finally {
      // The stream keeps a reference to this call for as long as it exists.
      this.#message = undefined;
      this.#bytes = undefined;
    }
  }

  override refuse(refusal: Refusal): void {
    if (this.#message === undefined) this.#end(refusal);
    else this.#message.reject(refusal);
  }

  #sendResponse(response: Message): void {
    // The library would not call back, and the bytes would stay reserved.
    if (this.#isOver) return;
    const { buffer, byteOffset, byteLength } = this.#rpc.encode(response);
    const metadata = new grpc.Metadata();
    this.#addMetadata(metadata);
    this.sendMetadata(metadata);
    this.#countUnread(Math.max(connectionBytes, bytesPerResponseByte * byteLength));
    this.sendMessage(Buffer.from(buffer, byteOffset, byteLength), () => {
      this.#countUnread(0);
      this.sendStatus({ code: grpc.status.OK, details: "OK", metadata: null });
    });
  }

  #end(error: unknown): void {
    this.#setConnectionCaller();
    if (error instanceof CallerGone) return;
    const refusal = error instanceof Refusal ? error : new Refusal("internal", details.internal);
    const status = toGrpcStatus(refusal, this.header(names.gatewayAuthorization) !== undefined);
    this.#addMetadata(status.metadata);
    this.sendStatus(status);
  }

  #addMetadata(metadata: grpc.Metadata): void {
    metadata.set(names.requestId, this.origin.requestId);
    if (this.context.isTestData) metadata.set(names.testData, "true");
    for (const [name, value] of Object.entries(this.#rpc.deprecation?.() ?? {})) metadata.set(name, value);
  }
}
