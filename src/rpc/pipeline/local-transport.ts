// The pipeline as a Connect transport inside the process: every door calls it, and nothing is serialised on the way.
import { create, type DescMethod, type DescMethodUnary, fromBinary, type Message } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ContextValues,
  createContextValues,
  type Interceptor,
  type Transport,
  type UnaryRequest,
  type UnaryResponse,
} from "@connectrpc/connect";
import { callOrigin } from "../../contract/call-origin.ts";
import type { Clock } from "../../domain/environment.ts";
import { callEndsAt, callPrincipal, callVisit } from "./call-context.ts";
import { refusal, toConnectError } from "./errors.ts";
import type { Handler, Handlers } from "./implementation.ts";
import { LocalRequest } from "./local-request.ts";

const defaultTimeoutMs = 10_000;
const maxTimeoutMs = 30_000;

/** What responses have in the way of metadata. */
const none = new Headers();

type UnaryFn = (request: UnaryRequest) => Promise<UnaryResponse>;

export interface PipelineOptions {
  readonly handlers: Handlers;
  /** The first one is the outermost. */
  readonly interceptors: readonly Interceptor[];
  readonly clock: Clock;
}

/** A transport that also takes messages as they came. */
export interface LocalTransport extends Transport {
  /**
   * Calls an rpc with the bytes of a message. They are not read before the call is let in and its caller known, so
   * whoever is refused costs no decoding. Rejects with `malformed_request` where they are no such message.
   */
  unaryEncoded(
    method: DescMethodUnary,
    timeoutMs: number | undefined,
    header: Headers,
    bytes: Uint8Array,
    contextValues: ContextValues,
  ): Promise<UnaryResponse>;
}

/**
 * A transport that runs interceptors and implementation in this process. Errors are mapped and masked here, since no
 * wire does it. A call ends by its deadline, even where the implementation goes on: 10 s unless the caller says
 * otherwise, 30 s at most. A caller that leaves cancels nothing that has begun, so leaving early costs it nothing that
 * others would pay for, such as a connection to the database.
 */
export function createLocalTransport({ handlers, interceptors, clock }: PipelineOptions): LocalTransport {
  const pipelines = new Map<DescMethod, UnaryFn>();
  for (const [method, handler] of handlers) {
    const innermost: UnaryFn = (request) => runHandler(handler, request);
    const chain = interceptors.reduceRight((next, interceptor) => interceptor(next as never) as never, innermost);
    pipelines.set(method, chain);
  }

  async function run(
    method: DescMethodUnary,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
    header: ConstructorParameters<typeof Headers>[0],
    read: () => Message,
    contextValues: ContextValues | undefined,
  ): Promise<UnaryResponse> {
    const pipeline = pipelines.get(method);
    if (pipeline === undefined) throw new ConnectError(`${method.name} is not served here`, Code.Unimplemented);
    const limitMs = Math.min(timeoutMs ?? defaultTimeoutMs, maxTimeoutMs);
    const time = new AbortController();
    const expire = () => time.abort(new ConnectError("The deadline passed.", Code.DeadlineExceeded));
    const timer = setTimeout(expire, Math.max(limitMs, 0));
    try {
      signal?.throwIfAborted();
      const values = contextValues ?? createContextValues();
      values.set(callEndsAt, clock() + limitMs);
      const known = header instanceof Headers ? header : new Headers(header);
      return await pipeline(new LocalRequest(method, known, values, time.signal, read));
    } catch (thrown) {
      const error = toConnectError(thrown);
      // The cause was for the observer. Beyond this point it could only leak: a door may print the errors it sends.
      error.cause = undefined;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
  const unary = (
    method: DescMethodUnary,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
    header: ConstructorParameters<typeof Headers>[0],
    input: Record<string, unknown>,
    contextValues: ContextValues | undefined,
  ) => run(method, signal, timeoutMs, header, () => create(method.input, input), contextValues);
  const unaryEncoded: LocalTransport["unaryEncoded"] = (method, timeoutMs, header, bytes, contextValues) =>
    run(method, undefined, timeoutMs, header, () => decode(method, bytes), contextValues);
  const stream = () => Promise.reject(new ConnectError("There are no streaming calls here.", Code.Unimplemented));
  return { unary: unary as Transport["unary"], unaryEncoded, stream };
}

function decode({ input }: DescMethodUnary, bytes: Uint8Array): Message {
  try {
    return fromBinary(input, bytes);
  } catch {
    throw refusal("malformed_request", `The bytes are not a ${input.name}.`);
  }
}

/** Runs the implementation, and stops waiting for it when the call is aborted. */
function runHandler(handler: Handler, request: UnaryRequest): Promise<UnaryResponse> {
  const { contextValues, method, message, service, signal } = request;
  const origin = contextValues.get(callOrigin);
  if (origin === undefined) throw new Error("the door did not say where the call comes from");
  const deadline = { signal, at: contextValues.get(callEndsAt) };
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    const caller = { principal: contextValues.get(callPrincipal), visitedSessionId: contextValues.get(callVisit) };
    handler(message as never, { ...caller, origin, deadline })
      .then((output) => {
        const response = { stream: false, service, method, header: none, trailer: none } as const;
        resolve({ ...response, message: create(method.output, output) });
      })
      .catch(reject);
  });
}
