// What the load process of the overload tests is told to do, and what it reports.
import type { OperationName, Target } from "../../bench/load/orders.ts";

/** Requests of one client at a steady rate, whatever becomes of them. */
export interface Stream {
  readonly target: Target;
  readonly operation: OperationName;
  /** Ids of sessions to write to. */
  readonly subjects: readonly string[];
  /** Requests a second; undefined: as many as the connections carry, each with one under way. */
  readonly perSecond: number | undefined;
  /** Connections to send them on. A request that finds none free is not sent. */
  readonly connections: number;
}

export interface LoadOrder {
  readonly streams: readonly Stream[];
  readonly seconds: number;
}

/** What became of one stream. Times are in milliseconds and count from when a request should have been sent. */
export interface StreamReport {
  readonly sent: number;
  /** Requests that were due when every connection had one under way. */
  readonly skipped: number;
  readonly accepted: number;
  /** Answered with a refusal, over REST 429 or 503. */
  readonly refused: number;
  readonly acceptedPerSecond: number;
  readonly acceptedP50Ms: number;
  readonly acceptedP99Ms: number;
  readonly refusedP50Ms: number;
  readonly refusedP99Ms: number;
  /** Answers of other kinds, by what they said. */
  readonly others: Readonly<Record<string, number>>;
}
