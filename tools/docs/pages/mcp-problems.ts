// What the MCP server says of errors, from the error table.
import { errorRows } from "../../../src/kernel/errors/error-table.ts";

/** The table as JSON, by code. */
export function mcpProblems(): string {
  const rows = errorRows.map(({ code, title, httpStatus, when, remedy }) => [
    code,
    { title, ...(httpStatus === undefined ? {} : { httpStatus }), when, whatToDo: remedy },
  ]);
  return `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`;
}
