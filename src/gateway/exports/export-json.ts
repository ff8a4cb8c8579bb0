// Exported sessions as the JSON of the interface.
import { type ExportedSession, ExportedSessionSchema } from "../../gen/assessment/v1/export_service_pb.ts";
import { toJson } from "../../json/message-json.ts";

/** The parts of a session that an export includes. */
export interface Included {
  readonly answers: boolean;
  readonly results: boolean;
}

const exportedJson = toJson(ExportedSessionSchema);

/** A session with the requested parts. */
export function sessionJson(session: ExportedSession, included: Included): object {
  const { answers, results, ...head } = exportedJson(session);
  return { ...head, ...(included.answers ? { answers: answers ?? [] } : {}), ...(included.results ? { results } : {}) };
}
