// Where a call comes from: set by the door that takes it in, read by the pipeline.
import { type ContextKey, createContextKey } from "@connectrpc/connect";

export type Door = "rest" | "web" | "grpc" | "connect" | "internal";

export interface CallOrigin {
  readonly door: Door;
  /** The caller's network address. */
  readonly address: string;
  /** Names the request in logs and answers. */
  readonly requestId: string;
  /** W3C trace context as received. */
  readonly traceparent: string | undefined;
  /**
   * Whether the door belongs to the service itself and has already counted the request against its limits, by
   * Introspect. Only doors in this process, and clients with the scope `gateway`, are trusted so.
   */
  readonly isTrusted: boolean;
}

/** Context value of a call; a call without one is refused. */
export const callOrigin: ContextKey<CallOrigin | undefined> = createContextKey<CallOrigin | undefined>(undefined);
