// Usage: how many sessions a partner had, by day. Counts name no person and no session, so erasing does not change them.

import type { Message } from "@bufbuild/protobuf";
import type { GetUsageRequest } from "../../gen/assessment/v1/partner_service_pb.ts";
import { type Deadline, dayMs } from "../../kernel/environment.ts";
import { invalidFieldError, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import { isCalendarDay } from "../../kernel/formats.ts";
import type { Dependencies } from "../dependencies.ts";
import { getPartner } from "../identity/partners.ts";

const defaultDays = 30;
const maxDays = 366;

/** The usage of a partner, by day and mode. Throws `invalid_request` and `not_found`. */
export async function getUsage(deps: Dependencies, request: Omit<GetUsageRequest, keyof Message>, deadline: Deadline) {
  throwIfInvalid(["from" as const, "until" as const].flatMap((name) => findDayViolations(name, request[name])));
  const until = request.until || addDays(formatDay(deps.clock()), 1);
  const from = request.from || addDays(until, -defaultDays);
  if (from < addDays(until, -maxDays)) {
    throw invalidFieldError(["from"], "out_of_range", `At most ${maxDays} days are returned.`);
  }
  const { id: partnerId } = await getPartner(deps, request.partnerId, deadline);
  const days = await deps.usage.listUsage({ partnerId, from, until }, deadline.signal);
  // Events are counted once they are in the log.
  const ageMs = 1_000 * (await deps.events.findUnpublishedAge(deadline.signal));
  return { days, countedAt: new Date(deps.clock() - ageMs) };
}

/** @param day a valid date, of the years 1000 to 9999, or empty */
function findDayViolations(name: string, day: string): Violation[] {
  if (day === "" || (/^[1-9]\d{3}-\d\d-\d\d$/.test(day) && isCalendarDay(day))) return [];
  return [{ path: [name], code: "invalid_format", detail: "A day is written as 2026-11-21." }];
}

/** The day of a time in UTC. @param time milliseconds since 1970 */
function formatDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The day that is the given number of days later. */
function addDays(day: string, days: number): string {
  return formatDay(Date.parse(day) + days * dayMs);
}
