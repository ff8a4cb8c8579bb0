// Every error that leaves the pipeline, in the words of the error table.

import { DomainError } from "../domain/errors.ts";
import { CallerGone, Refusal } from "../kernel/errors/refusal.ts";

/**
 * The error as callers may see it. Refusals keep their words. Anything unknown becomes `internal` with fixed words, and
 * stays behind as the cause for the log.
 */
export function toRefusal(error: unknown): Refusal | CallerGone {
  if (error instanceof Refusal || error instanceof CallerGone) return error;
  if (error instanceof DomainError) {
    const { code, message, violations, retryAfterSeconds, facts, cause } = error;
    return new Refusal(code, message, { violations, retryAfterSeconds, facts, cause });
  }
  return new Refusal("internal", "The service made a mistake; the request id leads to its cause.", { cause: error });
}

/** The deadline of the call or of the service passed. */
export function deadlinePassed(): Refusal {
  return new Refusal("deadline_exceeded", "The deadline passed.");
}
