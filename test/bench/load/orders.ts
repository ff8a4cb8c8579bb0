// What the load process is told to do, and what it reports.

import type { Results } from "../../../src/products/values-bridge/scoring/results.ts";

/** The operations of the interface, by short names. */
export const operationNames = [
  "create",
  "status",
  "list",
  "record",
  "complete",
  "results",
  "latest",
  "schema",
  "erase",
] as const;

export type OperationName = (typeof operationNames)[number];

/** The requests of a whole assessment, in order. */
export const wholeAssessment = ["create", "record", "complete", "results"] as const;

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

interface Load {
  /** Callers at a time, each with a connection of its own and one request under way. */
  readonly clients: number;
  readonly seconds: number;
}

/** Whole assessments through a transport. */
export interface WholeOrder extends Load {
  readonly kind: "whole";
  readonly target: Target;
}

/** One operation alone. */
export interface OperationOrder extends Load {
  readonly kind: "operation";
  readonly target: Target;
  readonly operation: OperationName;
  /** Ids of sessions, or external ids, as the operation needs them; none for operations that need none. */
  readonly subjects: readonly string[];
}

export type Order = WholeOrder | OperationOrder;

/** What one order gave. */
export interface LoadReport {
  /** Units of work that ended within the time. */
  readonly completed: number;
  /** All units, with those before the clock was started and after it was stopped. */
  readonly total: number;
  /** How long the clock ran; less than ordered where the subjects were used up. */
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}
