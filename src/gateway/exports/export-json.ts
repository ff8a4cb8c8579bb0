// Exported sessions, and the export of a person, as the JSON of the interface.
import {
  type ExportedSession,
  ExportedSessionSchema,
  type ExportSessionsRequest,
} from "../../gen/assessment/v1/export_service_pb.ts";
import { type HeldSession, HeldSessionSchema } from "../../gen/assessment/v1/held_session_pb.ts";
import { type Subject, SubjectSchema } from "../../gen/assessment/v1/session_service_pb.ts";
import { createJsonWriter } from "../../json/messages.ts";
import { type ExportText, maxExportMs } from "./export-stream.ts";

/** The parts of a session that an export leaves out. */
export type ExportContent = Pick<ExportSessionsRequest, "withoutAnswers" | "withoutResults">;

const writeExportedSession = createJsonWriter(ExportedSessionSchema);
const writeSubject = createJsonWriter(SubjectSchema);
const writeHeldSession = createJsonWriter(HeldSessionSchema);

/** A session with the requested parts. */
export function toSessionJson(session: ExportedSession, { withoutAnswers, withoutResults }: ExportContent): object {
  const { answers = [], results, ...head } = writeExportedSession(session);
  return { ...head, ...(withoutAnswers ? {} : { answers }), ...(withoutResults ? {} : { results }) };
}

/** SubjectExport, in chunks, because a session takes a millisecond and more. */
export function createSubjectExportText(product: string, subject: Subject): ExportText<HeldSession> {
  const head = JSON.stringify({ subject: writeSubject(subject), product }).slice(0, -1);
  return {
    head: `${head},"sessions":[`,
    row: (session) => JSON.stringify(writeHeldSession(session)),
    separator: ",",
    tail: (nextCursor, atEnd) => `],"nextCursor":${JSON.stringify(nextCursor)},"atEnd":${atEnd}}`,
    maxMs: maxExportMs,
  };
}
