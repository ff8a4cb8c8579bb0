// What a request for all that is held of a person is held to, whoever reads it first.

import type { Violation } from "../errors/violation.ts";
import { cursorViolations } from "./export-cursor.ts";

export const maxSubjectExportPageSize = 10;

export interface SubjectExportQuery {
  /** The `nextCursor` of a response, or the id of a session; empty: from the first one. */
  readonly after: string;
  /** 0: the default. */
  readonly pageSize: number;
}

/** Every violation of a query. */
export function subjectExportQueryViolations({ after, pageSize }: SubjectExportQuery): Violation[] {
  const violations = cursorViolations(after);
  if (pageSize < 0 || pageSize > maxSubjectExportPageSize) {
    const detail = `A page has 1 to ${maxSubjectExportPageSize} sessions.`;
    violations.push({ path: ["pageSize"], code: "out_of_range", detail });
  }
  return violations;
}
