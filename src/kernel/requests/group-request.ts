// What requests for groups are held to, whoever reads them first.

import type { Violation } from "../errors/violation.ts";
import { idempotencyKeyViolations, isLongerThan, isUuid } from "../formats.ts";
import { dayMs } from "../timers.ts";

export const maxGroupPageSize = 100;
export const defaultGroupPageSize = 50;
const maxLabelLength = 80;
/** Five years: what lies further ahead is a mistake. */
const maxOpenMs = 5 * 366 * dayMs;
const control = /\p{Cc}/u;

/** What a group is made of, as far as it can be wrong by itself. */
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
  if (isLongerThan(label, maxLabelLength))
    return violation("too_long", `A label has at most ${maxLabelLength} characters.`);
  if (!label.isWellFormed() || control.test(label)) {
    return violation("invalid_characters", "A label has no control characters and no lone surrogates.");
  }
  return [];
}

/** Violations of the time at which a group is to close. @param now milliseconds since 1970 */
export function groupTimeViolations(closesAt: Date | null, now: number): Violation[] {
  if (closesAt === null) return [];
  const ahead = closesAt.getTime() - now;
  if (ahead > 0 && ahead <= maxOpenMs) return [];
  return [{ path: ["closesAt"], code: "out_of_range", detail: "A group closes in the future, and within five years." }];
}

/** Violations of a group that is asked for among sessions. @param groupId undefined: any */
export function groupIdViolations(groupId: string | undefined): Violation[] {
  if (groupId === undefined || isUuid(groupId)) return [];
  return [{ path: ["groupId"], code: "invalid_format", detail: "The id of a group is a UUID." }];
}

/** Every violation of a request for a page of groups, its cursor aside. */
export function groupListViolations(pageSize: number): Violation[] {
  if (pageSize >= 0 && pageSize <= maxGroupPageSize) return [];
  return [{ path: ["pageSize"], code: "out_of_range", detail: `A page has 1 to ${maxGroupPageSize} groups.` }];
}
