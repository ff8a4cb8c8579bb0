// The interface of tracing in a process.
import type { StoreObserver } from "../../database/connection.ts";
import type { CallEvent, CallTracing, RequestEvent } from "../../kernel/telemetry.ts";

export interface Tracing extends CallTracing {
  /** Ends the span of a call, or records one that failed or was slow and that nobody recorded. */
  readonly endCall: (event: CallEvent) => void;
  /** The same for a request on the HTTP port. */
  readonly endRequest: (event: RequestEvent) => void;
  /** An observer of the store that also records the statements and waits of recorded calls. */
  readonly alsoStatements: (observer: StoreObserver) => StoreObserver;
  /** Sends the remaining spans, with a timeout of two seconds. */
  stop(): Promise<void>;
}

export interface TracingOptions {
  /** Where an OTLP/HTTP collector accepts traces. */
  readonly url: string;
  readonly serviceName: string;
  /** Share of calls that are recorded, 0 to 1. */
  readonly share: number;
  /** Returns 0 to below 1, once for each call. */
  readonly random: () => number;
  /** Notified of spans that were exported, or failed to be. */
  readonly observe: (outcome: "exported" | "failed", spans: number) => void;
}
