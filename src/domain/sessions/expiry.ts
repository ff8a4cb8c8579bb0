// When a session ends by itself.
import type { Violation } from "../../kernel/errors/violation.ts";

/** Five years: what lies further ahead is a mistake. */
const maxLifetimeMs = 5 * 366 * 24 * 60 * 60 * 1000;

/** Violations of the time at which a session is to expire. @param now milliseconds since 1970 */
export function expiryViolations(expiresAt: Date | null, now: number): Violation[] {
  if (expiresAt === null) return [];
  const violation = (detail: string): Violation[] => [{ path: ["expiresAt"], code: "out_of_range", detail }];
  const ahead = expiresAt.getTime() - now;
  if (ahead > 0 && ahead <= maxLifetimeMs) return [];
  return violation("A session expires in the future, and within five years.");
}
