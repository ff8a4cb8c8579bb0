// What a request for an export is held to, whoever reads it first.

import type { Violation } from "../errors/violation.ts";
import { versionViolations } from "../formats/version.ts";
import { cursorViolations } from "./export-cursor.ts";
import { groupIdViolations } from "./group-request.ts";

export const maxExportPageSize = 200;

export interface ExportQuery {
  /** The `nextCursor` of a response, or the id of a session; empty: from the first one. */
  readonly after: string;
  /** 0: the default. */
  readonly pageSize: number;
  readonly version?: number | undefined;
  /** Of this group only. */
  readonly groupId?: string | undefined;
}

/** Every violation of a query. */
export function exportQueryViolations({ after, pageSize, version, groupId }: ExportQuery): Violation[] {
  const violations = cursorViolations(after);
  if (pageSize < 0 || pageSize > maxExportPageSize) {
    const detail = `A page has 1 to ${maxExportPageSize} sessions.`;
    violations.push({ path: ["pageSize"], code: "out_of_range", detail });
  }
  return [...violations, ...versionViolations(version), ...groupIdViolations(groupId)];
}
