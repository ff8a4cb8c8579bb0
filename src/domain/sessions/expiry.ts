// When sessions and links expire, and groups close.

import { dayMs } from "../../kernel/environment.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import type { StoredSession } from "./session.ts";

/** Five years: a time further ahead is a mistake. */
const maxAheadMs = 5 * 366 * dayMs;

/** Violations of the time at which a session is to expire, or a group to close. @param now milliseconds since 1970 */
export function findEndViolations(name: "expiresAt" | "closesAt", end: Date | null, now: number): Violation[] {
  const ahead = end === null ? 1 : end.getTime() - now;
  if (ahead > 0 && ahead <= maxAheadMs) return [];
  const event = name === "expiresAt" ? "A session expires" : "A group closes";
  return [{ path: [name], code: "out_of_range", detail: `${event} in the future, and within five years.` }];
}

/** Anybody who has a link can answer: with a longer lifetime it would not be a link for one visit. */
const maxLinkDays = 90;

/**
 * Violations of the time at which the link of a session is to expire; undefined: after the default lifetime.
 * @param session its `expiresAt` is null unless the caller states it. @param now milliseconds since 1970
 */
export function findLinkExpiryViolations(
  linkExpiresAt: Date | undefined,
  { mode, expiresAt }: Pick<StoredSession, "mode" | "expiresAt">,
  now: number,
): Violation[] {
  if (linkExpiresAt === undefined) return [];
  const violation = (code: string, detail: string): Violation[] => [{ path: ["linkExpiresAt"], code, detail }];
  if (mode !== "hosted") return violation("not_applicable", "Only hosted sessions have a link.");
  const ahead = linkExpiresAt.getTime() - now;
  if (!(ahead > 0 && ahead <= maxLinkDays * dayMs)) {
    return violation("out_of_range", `A link expires in the future, and within ${maxLinkDays} days.`);
  }
  if (expiresAt === null || linkExpiresAt <= expiresAt) return [];
  return violation("out_of_range", "A link expires when its session does, or before.");
}
