// What a request for an export is held to, whoever reads it first.

import type { Violation } from "../errors/violation.ts";
import { versionFaults } from "../formats/version.ts";
import { cursorFaults } from "./export-cursor.ts";

export const maxExportPageSize = 200;

export interface ExportQuery {
  /** The `nextCursor` of a response, or the id of a session; empty: from the first one. */
  readonly after: string;
  /** 0: the default. */
  readonly pageSize: number;
  readonly version?: number | undefined;
}

/** Every fault of a query. */
export function exportQueryFaults({ after, pageSize, version }: ExportQuery): Violation[] {
  const faults = cursorFaults(after);
  if (pageSize < 0 || pageSize > maxExportPageSize) {
    const detail = `A page has 1 to ${maxExportPageSize} sessions.`;
    faults.push({ path: ["pageSize"], code: "out_of_range", detail });
  }
  return [...faults, ...versionFaults(version)];
}
