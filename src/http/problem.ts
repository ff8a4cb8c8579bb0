// Problem details (RFC 9457): the one shape of every error on the HTTP port.
import { errorRow } from "../contract/error-table.ts";

/** One fault of a request. */
export interface ProblemFault {
  /** JSON pointer to the fault in the body, in its URI fragment form; `#` where it lies outside the body. */
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** Most faults in one answer. */
const maxFaults = 50;

export interface ProblemOptions {
  readonly faults?: readonly ProblemFault[];
  /** Whether faults were left out before they came here. */
  readonly isTruncated?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error that the HTTP port answers; `code` is one of the error table. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: string;
  readonly status: number;
  readonly faults: readonly ProblemFault[];
  readonly isTruncated: boolean;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: string, detail: string, options: ProblemOptions = {}) {
    super(detail);
    const { faults = [] } = options;
    this.code = code;
    this.status = errorRow(code).httpStatus ?? 500;
    this.faults = faults.slice(0, maxFaults);
    this.isTruncated = (options.isTruncated ?? false) || faults.length > maxFaults;
    this.headers = options.headers ?? {};
  }
}

/** The headers of a problem's answer. */
export function problemHeaders(problem: Problem): Record<string, string> {
  return {
    "content-type": "application/problem+json",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    ...problem.headers,
  };
}

/** The body of a problem's answer, as JSON text. */
export function problemBody(problem: Problem, publicUrl: string, requestId: string): string {
  const { code, status, message, faults, isTruncated } = problem;
  return JSON.stringify({
    type: `${publicUrl}/problems/${code}`,
    title: errorRow(code).title,
    status,
    code,
    detail: message,
    requestId,
    ...(faults.length > 0 ? { errors: faults } : {}),
    ...(isTruncated ? { errorsTruncated: true } : {}),
  });
}
