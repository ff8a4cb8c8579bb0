// What a table of faults holds.
import type { FaultCode } from "../../../../src/products/values-bridge/definition/check/faults.ts";

/** What is changed in `soundDefinition()`, and the one fault that this is. */
export type FaultCase = [
  name: string,
  changes: Readonly<Record<string, unknown>>,
  pointer: string,
  code: FaultCode,
  message: string,
];
