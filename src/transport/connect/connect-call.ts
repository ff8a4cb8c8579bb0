// One call of Connect or gRPC-Web. The library's gate starts its one pass through the pipeline, and lets the library go
// on when the pipeline asks for the message; so nothing is read, unpacked or decoded of a caller who is refused.
import type { DescMethodUnary, Message } from "@bufbuild/protobuf";
import { type ConnectError, createContextKey, type HandlerContext } from "@connectrpc/connect";
import type { FastifyRequest } from "fastify";
import type { CallOrigin, Core, IncomingCall, ReadLimits } from "../../kernel/calls/core.ts";
import { metadata, traceparentOf, tracestateOf } from "../../kernel/calls/metadata.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { withinLimits } from "../grpc/status.ts";
import { markRefused, markReported } from "../http/request-record.ts";
import { checkQuery } from "./message-bytes.ts";
import { callerGone, carriedBy, carrierOf, isOfLibrary, lostResponse, refusalOf } from "./refused-call.ts";
import type { RequestForm } from "./request-form.ts";

/** The call of a handler context; set by the gate. */
export const callKey = createContextKey<ConnectCall | undefined>(undefined, { description: "call" });

export interface ConnectRequest {
  readonly method: DescMethodUnary;
  readonly request: FastifyRequest;
  readonly form: RequestForm;
  /** Milliseconds; NaN for a text that is no time. */
  readonly timeoutMs: number | undefined;
  /** Most bytes of the message. */
  readonly maxBytes: number;
  /** Unset until the pipeline asks for the message. */
  limits: ReadLimits | undefined;
}

export class ConnectCall implements IncomingCall {
  readonly method: DescMethodUnary;
  readonly origin: CallOrigin;
  readonly timeoutMs: number | undefined;
  readonly #context: HandlerContext;
  readonly #request: ConnectRequest;
  readonly #asked = Promise.withResolvers<void>();
  readonly #message = Promise.withResolvers<Message>();
  #response: Promise<Message> | undefined;
  #hasMessage = false;

  constructor(context: HandlerContext, connectRequest: ConnectRequest) {
    const { method, request, timeoutMs } = connectRequest;
    this.#context = context;
    this.#request = connectRequest;
    this.method = method;
    this.timeoutMs = timeoutMs;
    this.origin = {
      transport: "connect",
      address: request.callerAddress,
      requestId: request.id,
      traceparent: traceparentOf(this.header(metadata.traceparent)),
      tracestate: tracestateOf(this.header(metadata.tracestate)),
      isTrusted: false,
    };
    this.#message.promise.catch(() => undefined);
    const { signal } = context;
    signal.addEventListener("abort", () => this.#ended(signal.reason), { once: true });
  }

  /** Lets the call pass as far as its message. Throws what the library is to answer. */
  async pass(core: Core): Promise<void> {
    try {
      if (Number.isNaN(this.timeoutMs)) throw new Refusal("malformed_request", "The timeout is not a time.");
      this.#response = this.#call(core);
      await Promise.race([this.#asked.promise, this.#response]);
    } catch (error) {
      throw this.#errorOf(error);
    }
  }

  /** Hands the message over. Throws what the library is to answer. */
  async respond(message: Message): Promise<Message> {
    this.#hasMessage = true;
    this.#message.resolve(message);
    try {
      if (this.#response === undefined) throw new Error("a message came past the gate");
      return await this.#response;
    } catch (error) {
      throw this.#errorOf(error);
    }
  }

  header(name: string): string | undefined {
    return this.#context.requestHeader.get(name) ?? undefined;
  }

  onTestData(): void {
    this.#context.responseHeader.set(metadata.testData, "true");
  }

  read(limits: ReadLimits): Promise<Message> {
    const { form, method } = this.#request;
    const { packing = "identity" } = form;
    if (packing !== "identity" && packing !== "gzip") {
      throw new Refusal("unsupported_media_type", "Messages are read as they are, or packed with gzip.");
    }
    checkQuery({ form, schema: method.input });
    this.#request.limits = limits;
    this.#asked.resolve();
    return this.#message.promise;
  }

  async #call(core: Core): Promise<Message> {
    try {
      return await core.call(this);
    } catch (error) {
      markReported(this.#request.request);
      throw error;
    }
  }

  /** The call is over, or given up: the library hands each error to its signal before it writes it. */
  #ended(reason: unknown): void {
    const carried = carriedBy(reason);
    if (carried !== undefined || !isOfLibrary(reason)) {
      this.#message.reject(carried ?? callerGone());
      return;
    }
    const { method, maxBytes } = this.#request;
    const refusal = this.#hasMessage ? lostResponse() : refusalOf(reason, method.input, maxBytes);
    this.#message.reject(refusal);
    // What the library refuses is written in the words of the error table, like everything else.
    Object.assign(reason, this.#errorOf(refusal));
  }

  #errorOf(error: unknown): ConnectError {
    const carrier = carrierOf(error);
    const refusal = carriedBy(carrier);
    if (refusal instanceof Refusal) markRefused(this.#request.request, refusal.code);
    return this.#request.form.protocol === "grpc-web" ? withinLimits(carrier) : carrier;
  }
}
