// Messages of events as the JSON of the interface.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { eventJson } from "../../contract/event-json.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Event } from "../../gen/assessment/v1/event_service_pb.ts";
import { modes } from "./sessions.ts";

/** Event. */
export function toEvent({ id, type, timestamp, sequence, data }: Event) {
  if (data === undefined || timestamp === undefined) throw new Refusal("internal", "The service made a mistake.");
  const { sessionId, product, assessmentVersion = null, externalId = null } = data;
  const mode = modes[data.mode as keyof typeof modes] ?? null;
  const about = { sessionId, product, assessmentVersion, mode, externalId };
  return eventJson({ id, type, timestamp: timestampDate(timestamp), sequence, ...about });
}
