// Calls of a core as a transport inside the process would make them.
import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Core } from "../../../src/kernel/calls/core.ts";
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
  return core.call({ method, origin, timeoutMs, header: (name) => header[name], read: () => message });
}
