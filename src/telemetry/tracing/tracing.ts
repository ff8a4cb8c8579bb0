// Tracing as a process has it.

import type { End, StoreObserver } from "../../database/connection.ts";
import type { CallEvent, CallTracing, RequestEvent } from "../../kernel/telemetry.ts";

export interface Tracing extends CallTracing {
  /** Ends the span of a call, or records one that failed or was slow and that nobody recorded. */
  readonly endCall: (event: CallEvent) => void;
  /** The same for a request on the HTTP port. */
  readonly endRequest: (event: RequestEvent) => void;
  /** Records what the store does for a call that is recorded. */
  readonly database: StoreObserver;
  /** Does work without waiting, and records it as a part of a call that is recorded. */
  readonly measured: <T>(name: string, work: () => T) => T;
  /** Sends what is left, and takes two seconds for that at most. */
  stop(): Promise<void>;
}

export interface TracingOptions {
  /** Of an OTLP/HTTP collector, without the path of traces. */
  readonly endpoint: string;
  readonly serviceName: string;
  /** Share of calls that are recorded, 0 to 1. */
  readonly share: number;
  /** 0 to below 1, for each call. */
  readonly random: () => number;
  /** Notified of spans that were sent, or that no collector took. */
  readonly observe: (outcome: "exported" | "failed", spans: number) => void;
}

/** An observer that tells another one too, if there is another. */
export function withTracing(observer: StoreObserver, tracing: Pick<Tracing, "database"> | undefined): StoreObserver {
  if (tracing === undefined) return observer;
  const { database } = tracing;
  return {
    beginWait: () => both(observer.beginWait(), database.beginWait()),
    beginStatement: (summary, sql) =>
      both(observer.beginStatement(summary, sql), database.beginStatement(summary, sql)),
  };
}

/** What is not to be ended. */
export const nothing: End = () => undefined;

function both(one: End, other: End): End {
  if (other === nothing) return one;
  return (error) => {
    one(error);
    other(error);
  };
}
