// What a request for usage is held to, whoever reads it first.

import type { Violation } from "../errors/violation.ts";
import { isCalendarDay } from "../formats.ts";
import { dayMs } from "../timers.ts";

export const maxUsagePageSize = 1000;

export interface UsageQuery {
  /** First day in UTC, as `2026-11-21`; empty: 30 days before `until`. */
  readonly from: string;
  /** The day after the last; empty: tomorrow. */
  readonly until: string;
  /** 0: the default. */
  readonly pageSize: number;
}

/** Every violation of a query. */
export function usageQueryViolations({ from, until, pageSize }: UsageQuery): Violation[] {
  const violations: Violation[] = [];
  for (const [name, day] of Object.entries({ from, until })) {
    if (day !== "" && !isDay(day)) {
      violations.push({ path: [name], code: "invalid_format", detail: "A day is written as 2026-11-21." });
    }
  }
  if (pageSize < 0 || pageSize > maxUsagePageSize) {
    const detail = `A page has 1 to ${maxUsagePageSize} entries.`;
    violations.push({ path: ["pageSize"], code: "out_of_range", detail });
  }
  return violations;
}

/** Whether a text is a day of the calendar, of the years 1000 to 9999. */
export function isDay(text: string): boolean {
  return /^[1-9]\d{3}-\d\d-\d\d$/.test(text) && isCalendarDay(text);
}

/** The day of a time in UTC. @param time milliseconds since 1970; NaN gives an empty text */
export function dayOf(time: number): string {
  return Number.isNaN(time) ? "" : new Date(time).toISOString().slice(0, 10);
}

/** The day that comes so many days later. */
export function addDays(day: string, days: number): string {
  return dayOf(Date.parse(day) + days * dayMs);
}
