// Validates the request for a new group, beyond the bounds of its message.
import type { Violation } from "../../kernel/errors/violation.ts";
import { idempotencyKeyViolations } from "../../kernel/formats.ts";
import { dayMs } from "../../kernel/timers.ts";

/** Five years: a time further ahead is a mistake. */
const maxOpenMs = 5 * 366 * dayMs;

/** The fields of a new group that can be checked by themselves. */
export interface GroupRequest {
  readonly label: string;
  readonly idempotencyKey: string | undefined;
}

/** Every violation of a request for a new group, its time aside. */
export function groupRequestViolations({ label, idempotencyKey }: GroupRequest): Violation[] {
  return [...labelViolations(label), ...(idempotencyKey === undefined ? [] : idempotencyKeyViolations(idempotencyKey))];
}

function labelViolations(label: string): Violation[] {
  const violation = (code: string, detail: string): Violation[] => [{ path: ["label"], code, detail }];
  if (label.trim() === "") return violation("too_short", "A label has at least one character that is no blank.");
  if (!/\p{Cc}/u.test(label)) return [];
  return violation("invalid_characters", "A label has no control characters.");
}

/** Violations of the time at which a group is to close. @param now milliseconds since 1970 */
export function groupTimeViolations(closesAt: Date | null, now: number): Violation[] {
  if (closesAt === null) return [];
  const ahead = closesAt.getTime() - now;
  if (ahead > 0 && ahead <= maxOpenMs) return [];
  return [{ path: ["closesAt"], code: "out_of_range", detail: "A group closes in the future, and within five years." }];
}
