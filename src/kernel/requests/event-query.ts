// What a request for events is held to, whoever reads it first.
import type { Violation } from "../errors/violation.ts";
import { cursorNow, readCursor } from "./event-cursor.ts";

export const maxEventPageSize = 500;
export const maxEventWaitSeconds = 20;

export interface EventQuery {
  readonly after: string;
  /** 0: the default. */
  readonly pageSize: number;
  readonly waitSeconds: number;
}

/** Every violation of a query, its types aside. */
export function eventQueryViolations({ after, pageSize, waitSeconds }: EventQuery): Violation[] {
  const violations: Violation[] = [];
  if (after !== cursorNow && readCursor(after) === undefined) {
    const detail = "A cursor is the `next` of a response, `now`, or empty.";
    violations.push({ path: ["after"], code: "invalid_format", detail });
  }
  if (pageSize < 0 || pageSize > maxEventPageSize) {
    const detail = `A page has 1 to ${maxEventPageSize} events.`;
    violations.push({ path: ["pageSize"], code: "out_of_range", detail });
  }
  if (waitSeconds < 0 || waitSeconds > maxEventWaitSeconds) {
    const detail = `The wait is 0 to ${maxEventWaitSeconds} seconds.`;
    violations.push({ path: ["waitSeconds"], code: "out_of_range", detail });
  }
  return violations;
}
