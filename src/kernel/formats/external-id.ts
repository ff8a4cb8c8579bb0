// The rules of external ids: the names that partners have for persons.

import type { Violation } from "../errors/violation.ts";
import { isLongerThan } from "./texts.ts";

/** Begins the external ids that the service gives to anonymous persons. */
export const anonymousPrefix = "anon_";
const controlCharacter = /\p{Cc}/u;
/** Unicode code points. */
export const maxExternalIdLength = 255;

/**
 * Violations of an external id that a partner gives to a person.
 * Lengths are counted in Unicode code points; the text is compared byte for byte, so nothing is trimmed or folded.
 */
export function externalIdViolations(externalId: string, path: Violation["path"]): Violation[] {
  const violation = (code: string, detail: string): Violation[] => [{ path, code, detail }];
  if (!externalId.isWellFormed()) return violation("invalid_characters", "The text holds a lone surrogate.");
  if (externalId === "") return violation("too_short", "An external id has at least 1 character.");
  if (isLongerThan(externalId, maxExternalIdLength)) {
    return violation("too_long", `An external id has at most ${maxExternalIdLength} characters.`);
  }
  if (controlCharacter.test(externalId)) return violation("invalid_characters", "Control characters are not allowed.");
  if (externalId === "." || externalId === "..") {
    return violation("reserved", "URL clients fold `.` and `..` away, so they cannot name a person.");
  }
  if (externalId.startsWith(anonymousPrefix)) {
    return violation("reserved", `The prefix \`${anonymousPrefix}\` is kept for anonymous persons.`);
  }
  return [];
}
