// Refusals of the domain. The pipeline passes them on by code.
import type { Violation } from "../kernel/errors/violation.ts";

/** Codes that the domain refuses with; each one is a reason of proto/assessment/v1/errors.proto. */
export type DomainErrorCode =
  | "unauthenticated"
  | "permission_denied"
  | "not_found"
  | "session_completed"
  | "session_cancelled"
  | "session_expired"
  | "conflict"
  | "invalid_request"
  | "idempotency_key_reused"
  | "events_expired"
  | "endpoint_exists"
  | "endpoint_disabled"
  | "replay_running"
  | "limit_reached"
  | "webhooks_off"
  | "rate_limited"
  | "not_acceptable"
  | "unavailable"
  | "deadline_exceeded";

export interface DomainErrorOptions {
  readonly violations?: readonly Violation[];
  /** When repeating makes sense. */
  readonly retryAfterSeconds?: number;
  /** Further facts for programs, by name. */
  readonly facts?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** A refusal with a code that callers act on. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: DomainErrorCode;
  readonly violations: readonly Violation[];
  readonly retryAfterSeconds: number | undefined;
  readonly facts: Readonly<Record<string, string>>;

  constructor(code: DomainErrorCode, detail: string, options: DomainErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.violations = options.violations ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.facts = options.facts ?? {};
  }
}

/**
 * The one refusal for all that a caller may not know of: what does not exist, what another partner holds and what has
 * no results yet look the same.
 */
export function notFound(): DomainError {
  return new DomainError("not_found", "There is nothing here that this caller may see.");
}

/** The refusal of what is made of a part of a session that a policy of its partner has deleted. */
export function partDeleted(part: "answers" | "results"): DomainError {
  const detail = `A retention policy has deleted the ${part} that this is made of.`;
  return new DomainError("not_found", detail, { facts: { deleted: part } });
}

/** Refuses a request for the violations found in it. */
export function invalidRequest(violations: readonly Violation[]): DomainError {
  return new DomainError("invalid_request", "The request breaks a rule of the interface.", { violations });
}

/** Throws `invalid_request` if there is a violation. */
export function refuseIfAny(violations: readonly Violation[]): void {
  if (violations.length > 0) throw invalidRequest(violations);
}
