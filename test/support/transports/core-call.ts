// Calls of a core as a transport inside the process would make them.
import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { type AdmittedCall, CallContext, type Core, makeCall } from "../../../src/kernel/calls/core.ts";
import type { Transport } from "../../../src/kernel/telemetry.ts";

export interface CoreCallOptions {
  readonly transport?: Transport;
  readonly timeoutMs?: number;
  /** Metadata by lower-case name. */
  readonly header?: Readonly<Record<string, string>>;
}

/** Calls an rpc with a message that is at hand. */
export function callCore<M extends DescMethodUnary>(
  core: Core,
  method: M,
  message: MessageInitShape<M["input"]>,
  { transport = "internal", timeoutMs, header = {} }: CoreCallOptions = {},
): Promise<MessageShape<M["output"]>> {
  const origin = { transport, address: "127.0.0.1", requestId: "test", traceparent: undefined, isTrusted: false };
  return makeCall(
    core,
    method,
    { origin, timeoutMs, context: new CallContext(), header: (name) => header[name] },
    () => message,
  );
}

/** A call that a test's core has admitted: it never ends by itself. */
export function admittedCall<M extends DescMethodUnary>(call: Partial<AdmittedCall<M>> = {}): AdmittedCall<M> {
  return {
    maxBytes: 1 << 20,
    caller: undefined,
    address: "",
    run: () => new Promise<never>(() => undefined),
    end: (error) => error as Error,
    ...call,
  };
}
