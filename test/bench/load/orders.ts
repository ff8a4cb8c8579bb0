// What the load process is told to do, and what it reports.
import type { Results } from "../../../src/products/values-bridge/scoring/shapes.ts";

/** The requests of a whole assessment, in order. */
export const wholeAssessment = ["create", "record", "complete", "results"] as const;
export type OperationName = (typeof wholeAssessment)[number];

export type TransportName = "rest" | "grpc";

/** The one set of answers that the load sends, and what comes of it. */
export interface Sample {
  readonly product: string;
  readonly answers: readonly { readonly questionId: number; readonly value: number }[];
  readonly results: Results;
}

/** A server that speaks the protocol of a transport. */
export interface Target {
  readonly transport: TransportName;
  readonly port: number;
  readonly token: string;
  readonly sample: Sample;
}

/** Whole assessments through a transport. */
export interface Order {
  readonly target: Target;
  /** Callers at a time, each with a connection of its own and one request under way. */
  readonly clients: number;
  readonly seconds: number;
}

/** What one order gave. */
export interface LoadReport {
  /** Assessments that ended within the time. */
  readonly completed: number;
  /** All, with those before the clock was started and after it was stopped. */
  readonly total: number;
  readonly seconds: number;
  readonly p99Ms: number;
}
