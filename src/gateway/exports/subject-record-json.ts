// The export of a person as JSON.

import { type HeldSession, HeldSessionSchema } from "../../gen/assessment/v1/held_session_pb.ts";
import { type Subject, SubjectSchema } from "../../gen/assessment/v1/session_service_pb.ts";
import { toJson } from "../../json/message-json.ts";
import type { ExportText } from "./export-stream.ts";

const subjectJson = toJson(SubjectSchema);
const sessionJson = toJson(HeldSessionSchema);

/** SubjectExport, in chunks, because a session takes a millisecond and more. */
export function subjectExportText(product: string, subject: Subject): ExportText<HeldSession> {
  const head = JSON.stringify({ subject: subjectJson(subject), product }).slice(0, -1);
  return {
    batchSize: 2,
    head: `${head},"sessions":[`,
    row: (session) => JSON.stringify(sessionJson(session)),
    separator: ",",
    tail: (nextCursor, atEnd) => `],"nextCursor":${JSON.stringify(nextCursor)},"atEnd":${atEnd}}`,
  };
}
