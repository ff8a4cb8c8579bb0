// Problem details (RFC 9457): the one shape of every error on the HTTP port.

import { details } from "../../kernel/errors/details.ts";
import { type ErrorCode, errorRow } from "../../kernel/errors/error-table.ts";
import { Refusal, UntracedError } from "../../kernel/errors/refusal.ts";
import { inOneLine, pointerTo, type Violation } from "../../kernel/errors/violation.ts";

/** What is wrong with one member of a request. */
export interface ProblemViolation {
  /** JSON pointer to the violation in the body, in its URI fragment form; `#` if it lies outside the body. */
  readonly pointer: string;
  /** The query parameter, if it is one. */
  readonly parameter?: string;
  readonly code: string;
  readonly detail: string;
}

/** Most violations in a problem. */
const maxViolations = 50;
const unavailableRetryAfterSeconds = 1;
const realm = 'Bearer realm="partner-assessment-service"';

/** Facts of a refusal that become members of its problem, by code. */
const publicFacts: Readonly<Partial<Record<ErrorCode, readonly string[]>>> = {
  events_expired: ["oldest"],
  numbers_withheld: ["withheld"],
  endpoint_exists: ["endpointId"],
  invalid_request: ["unanswered"],
  not_found: ["reason"],
};

/** Facts that are lists of integers, separated by commas. */
const listFacts: ReadonlySet<string> = new Set(["unanswered"]);

export interface ProblemOptions {
  /** Further members for programs. */
  readonly members?: Readonly<Record<string, string | readonly number[]>>;
  readonly violations?: readonly ProblemViolation[];
  /** Whether violations were already left out. */
  readonly isTruncated?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error that the HTTP port answers; `code` is one of the error table. */
export class Problem extends UntracedError {
  override readonly name = "Problem";
  readonly code: ErrorCode;
  readonly status: number;
  readonly violations: readonly ProblemViolation[];
  readonly isTruncated: boolean;
  readonly members: Readonly<Record<string, string | readonly number[]>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, detail: string, options: ProblemOptions = {}) {
    super(detail);
    const { violations = [] } = options;
    this.code = code;
    this.status = errorRow(code).httpStatus ?? 500;
    this.violations = violations.slice(0, maxViolations);
    this.isTruncated = (options.isTruncated ?? false) || violations.length > maxViolations;
    this.members = options.members ?? {};
    this.headers = options.headers ?? {};
  }
}

/** The problem of an unknown address. */
export function nothingAtThisAddress(): Problem {
  return new Problem(
    "not_found",
    "There is nothing at this address. Those of the interface begin with /v1/ and do not end with a slash; /docs/interface has them all.",
  );
}

/** The problem for a refusal. */
export function toProblem(refusal: Refusal): Problem {
  const { code, violations, isTruncated, retryAfterSeconds, facts } = refusal;
  return new Problem(code, inOneLine(refusal, details.invalid_request, placeOf), {
    members: Object.fromEntries(
      (publicFacts[code] ?? []).flatMap((name) => (name in facts ? [[name, memberOf(name, facts[name] ?? "")]] : [])),
    ),
    violations: violations.map((violation) => ({
      pointer: pointerOf(violation),
      ...(violation.parameter ? { parameter: violation.parameter } : {}),
      code: violation.code,
      detail: violation.detail,
    })),
    isTruncated,
    headers: headersOf(
      code,
      facts,
      retryAfterSeconds ?? (code === "unavailable" ? unavailableRetryAfterSeconds : undefined),
    ),
  });
}

function memberOf(name: string, fact: string): string | number[] {
  return listFacts.has(name) ? fact.split(",").map(Number) : fact;
}

function headersOf(
  code: ErrorCode,
  facts: Readonly<Record<string, string>>,
  retryAfterSeconds: number | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {};
  const retryAfter = retryAfterSeconds === undefined ? undefined : String(Math.ceil(retryAfterSeconds));
  if (retryAfter !== undefined) headers["retry-after"] = retryAfter;
  if (code === "unauthenticated") {
    headers["www-authenticate"] = facts.token === "missing" ? realm : `${realm}, error="invalid_token"`;
  }
  if (code === "permission_denied" && facts.scope) {
    headers["www-authenticate"] = `${realm}, error="insufficient_scope", scope="${facts.scope}"`;
  }
  if (code === "rate_limited" && facts.limit && facts.window) {
    headers["ratelimit-policy"] = `"default";q=${facts.limit};w=${facts.window}`;
    headers.ratelimit = `"default";r=0;t=${retryAfter ?? facts.window}`;
  }
  return headers;
}

function pointerOf({ path, isOutsideBody }: Violation): string {
  return isOutsideBody ? "#" : pointerTo(path);
}

/** A JSON pointer, or the name of a place outside the body. */
function placeOf(violation: Violation): string {
  const pointer = pointerOf(violation);
  return pointer === "#" ? violation.path.join("/") : pointer;
}

/** The headers of a problem's response. */
export function problemHeaders(problem: Problem): Record<string, string> {
  return {
    "content-type": "application/problem+json",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    ...problem.headers,
  };
}

/** The body of a problem's response, as JSON text. */
export function problemBody(problem: Problem, publicUrl: string, requestId: string): string {
  const { code, status, message, violations, isTruncated, members } = problem;
  return JSON.stringify({
    type: `${publicUrl}/problems/${code}`,
    title: errorRow(code).title,
    status,
    code,
    detail: message,
    requestId,
    ...members,
    ...(violations.length > 0 ? { errors: violations } : {}),
    ...(isTruncated ? { errorsTruncated: true } : {}),
  });
}

/** An error in the shape of RFC 6749. */
export class OAuthError extends Refusal {
  /** For example `invalid_client`. */
  readonly error: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(error: string, description: string, { isBasic = false }: { isBasic?: boolean } = {}) {
    super(error === "invalid_client" ? "unauthenticated" : "invalid_request", description);
    this.error = error;
    this.status = error === "invalid_client" ? 401 : 400;
    this.headers = {
      "cache-control": "no-store",
      ...(isBasic ? { "www-authenticate": 'Basic realm="partner-assessment-service"' } : {}),
    };
  }
}
