// What a request for an export is held to, whoever reads it first.

import type { Violation } from "../errors/violation.ts";
import { versionFaults } from "../formats/version.ts";

export const maxExportPageSize = 200;

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export interface ExportQuery {
  /** Id of a session; empty: from the first one. */
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

/** What is wrong with a cursor. */
export function cursorFaults(after: string): Violation[] {
  if (after === "" || uuidPattern.test(after)) return [];
  const detail = "A cursor is the `nextCursor` of a response, the id of a session, or empty.";
  return [{ path: ["after"], code: "invalid_format", detail }];
}
