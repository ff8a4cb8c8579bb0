// Messages of sessions, and times, shared by several services.
import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { toForm } from "../../domain/assessments/published-assessment.ts";
import type { StoredSession } from "../../domain/sessions/session.ts";
import { computeState } from "../../domain/sessions/session-states.ts";
import { type Session, type SessionProgress, SessionSchema } from "../../gen/assessment/v1/session_service_pb.ts";
import { fromModel, type ModelOf } from "../../json/message-from-model.ts";

const toSession = fromModel(SessionSchema);

/** A session as a message. `progress` is set if the caller asked for it. @param now milliseconds since 1970 */
export function toSessionMessage(
  session: StoredSession,
  now: number,
  { product, progress }: { readonly product: string; readonly progress?: ModelOf<SessionProgress> | undefined },
): Session {
  const form = toForm(session.assessmentId) === "short" ? "short" : null;
  return toSession({ ...session, sessionId: session.id, product, form, status: computeState(session, now), progress });
}

/** A time as a message; undefined, which a message leaves out, for none. */
export function toTimestamp(date: Date): Timestamp;
export function toTimestamp(date: Date | null): Timestamp | undefined;
export function toTimestamp(date: Date | null): Timestamp | undefined {
  return date === null ? undefined : timestampFromDate(date);
}
