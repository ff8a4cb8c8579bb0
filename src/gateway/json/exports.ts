// Exported sessions as the JSON of the interface.
import type { ExportedSession } from "../../gen/assessment/v1/export_service_pb.ts";
import { SessionModeSchema, SessionStatusSchema } from "../../gen/assessment/v1/session_service_pb.ts";
import { enumWord } from "../../http/bodies/message-json.ts";
import { toResults } from "../../values-bridge/json/results.ts";
import { toDateTime } from "./sessions.ts";

/** Which parts of a session an export has. */
export interface Included {
  readonly answers: boolean;
  readonly results: boolean;
}

/** ExportedSession; parts that are not included are no members. */
export function toExported(session: ExportedSession, { answers, results }: Included) {
  return {
    sessionId: session.sessionId,
    externalId: session.externalId,
    mode: enumWord(SessionModeSchema, session.mode),
    status: enumWord(SessionStatusSchema, session.status),
    assessmentVersion: session.assessmentVersion,
    createdAt: toDateTime(session.createdAt),
    completedAt: toDateTime(session.completedAt),
    answersDeletedAt: toDateTime(session.answersDeletedAt),
    resultsDeletedAt: toDateTime(session.resultsDeletedAt),
    ...(answers ? { answers: session.answers.map(({ questionId, value }) => ({ questionId, value })) } : {}),
    ...(results ? { results: toResults(session.results) } : {}),
  };
}
