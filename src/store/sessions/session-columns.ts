// Sessions as tables of columns, and their states in SQL.
import {
  answeredFields,
  type CompletedSession,
  laterFields,
  type NewSession,
  recordingFields,
  type StoredSession,
  sessionFields,
} from "../../domain/sessions/session.ts";
import { plain } from "../../domain/stored-fields.ts";
import { table } from "../table.ts";

export const recordings = table(recordingFields);
export const answeredSessions = table(answeredFields);
export const completedSessions = table({ ...answeredFields, completedAt: plain<CompletedSession["completedAt"]>() });
export const sessions = table(sessionFields);
/** With what finds it for a repeated request. */
export const keyedSessions = table({ ...sessionFields, requestHash: plain<Uint8Array>() });
export const sessionKeys = table({ partnerId: sessionFields.partnerId, id: sessionFields.id });

const nothingLater = Object.fromEntries(Object.keys(laterFields).map((field) => [field, null])) as Pick<
  StoredSession,
  keyof typeof laterFields
>;

/** A session as it is stored once it is inserted. */
export function toStoredSession(session: NewSession): StoredSession {
  return { ...session, ...nothingLater, revision: 0, results: null };
}

/** Whether no end of the session is stored. */
export const isOpenSql = "completed_at IS NULL AND cancelled_at IS NULL";
/** The state of session `s` at the time `:now`, as in `computeState`. */
export const sessionStateSql = `CASE WHEN s.completed_at IS NOT NULL THEN 'completed' WHEN s.cancelled_at IS NOT NULL THEN 'cancelled'
  WHEN s.expires_at <= :now THEN 'expired' ELSE 'in_progress' END`;
