// The states of sessions as columns and conditions, from the table of states.
import type { RowDataPacket } from "mysql2";
import { type EndTimes, ends } from "../../kernel/session-states.ts";

const columns = ends.map(({ state, at }) => ({ state, column: at.replace("At", "_at") }));

/** The columns of the times at which sessions ended. */
export const endColumns = columns.map(({ column }) => column).join(", ");
/** Whether a session has come to no end that is written down. */
export const hasNotEnded = columns.map(({ column }) => `${column} IS NULL`).join(" AND ");

const cases = columns.map(({ state, column }) => `WHEN s.${column} IS NOT NULL THEN '${state}'`).join(" ");
/** The state of session `s` at the time `:now`, as `stateOf` tells it. */
export const stateOfSession = `CASE ${cases} WHEN s.expires_at <= :now THEN 'expired' ELSE 'in_progress' END`;

/** A row with `endColumns`. */
export function toEndTimes(row: RowDataPacket): EndTimes {
  return { completedAt: row.completed_at, cancelledAt: row.cancelled_at };
}
