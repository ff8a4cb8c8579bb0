// A call that is refused, in the words of the error table. The pipeline and the transports throw it; each transport
// puts it on its own wire.

import type { ErrorCode } from "./error-table.ts";
import { UntracedError } from "./untraced-error.ts";
import type { Violation } from "./violation.ts";

export interface RefusalOptions {
  readonly violations?: readonly Violation[];
  /** Whether violations were left out. */
  readonly isTruncated?: boolean;
  /** When repeating makes sense. */
  readonly retryAfterSeconds?: number | undefined;
  /** Further facts for programs, by name. */
  readonly facts?: Readonly<Record<string, string>>;
  /** What went wrong, for the log; no caller sees it. */
  readonly cause?: unknown;
}

const none: readonly Violation[] = [];
const noFacts: Readonly<Record<string, string>> = {};

export class Refusal extends UntracedError {
  override readonly name = "Refusal";
  readonly code: ErrorCode;
  readonly violations: readonly Violation[];
  readonly isTruncated: boolean;
  readonly retryAfterSeconds: number | undefined;
  readonly facts: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, detail: string, options: RefusalOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.violations = options.violations ?? none;
    this.isTruncated = options.isTruncated ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.facts = options.facts ?? noFacts;
  }
}

/** The caller left before its request had arrived. Nobody hears of it; it is counted. */
export class CallerGone extends UntracedError {
  override readonly name = "CallerGone";
}

/** The refusal of a request for the violations found in it. */
export function invalidRequest(violations: readonly Violation[], isTruncated = false): Refusal {
  return new Refusal("invalid_request", "The request breaks a rule of the interface.", { violations, isTruncated });
}

/** The one refusal for all that a caller may not know of. */
export function nothingHere(): Refusal {
  return new Refusal("not_found", "There is nothing here that this caller may see.");
}
