// Messages of events as the JSON of the interface.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Event } from "../../gen/assessment/v1/event_service_pb.ts";
import { SessionMode, SessionModeSchema } from "../../gen/assessment/v1/session_service_pb.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { eventJson } from "../../kernel/event-json.ts";
import { enumWord } from "../../transport/http/bodies/message-json.ts";

/** Event. */
export function toEvent({ id, type, timestamp, sequence, data }: Event) {
  if (data === undefined || timestamp === undefined) throw new Refusal("internal", "The service made a mistake.");
  const { sessionId, product, assessmentVersion = null, externalId = null } = data;
  const mode = data.mode === SessionMode.UNSPECIFIED ? null : enumWord(SessionModeSchema, data.mode);
  const about = { sessionId, product, assessmentVersion, mode, externalId, isTest: data.test };
  return eventJson({ id, type, timestamp: timestampDate(timestamp), sequence, ...about });
}
