// Exported sessions as the JSON of the interface.
import { type ExportedSession, ExportedSessionSchema } from "../../gen/assessment/v1/export_service_pb.ts";
import { toJson } from "../../kernel/json/message-json.ts";

/** Which parts of a session an export has. */
export interface Included {
  readonly answers: boolean;
  readonly results: boolean;
}

const exportedJson = toJson(ExportedSessionSchema);

/** A session with the parts that are asked for. */
export function sessionJson(session: ExportedSession, included: Included): object {
  const { answers, results, ...head } = exportedJson(session);
  return { ...head, ...(included.answers ? { answers: answers ?? [] } : {}), ...(included.results ? { results } : {}) };
}
