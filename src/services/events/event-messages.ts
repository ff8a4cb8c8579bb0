// Events as messages.
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { DescribedEvent } from "../../domain/events/described-events.ts";
import type { EventSchema } from "../../gen/assessment/v1/event_service_pb.ts";
import { SessionMode } from "../../gen/assessment/v1/session_service_pb.ts";
import { toTimestamp } from "../sessions/session-messages.ts";

const modes = { headless: SessionMode.HEADLESS, hosted: SessionMode.HOSTED } as const;

/** The event as a message. */
export function toEventMessage(event: DescribedEvent): MessageInitShape<typeof EventSchema> {
  const { id, type, timestamp, sequence, sessionId, product, assessmentVersion, mode, externalId, isTest } = event;
  return {
    id,
    type,
    timestamp: toTimestamp(timestamp),
    sequence: BigInt(sequence),
    data: {
      sessionId,
      product,
      ...(assessmentVersion === null ? {} : { assessmentVersion }),
      ...(mode === null ? {} : { mode: modes[mode] }),
      ...(externalId === null ? {} : { externalId }),
      test: isTest,
    },
  };
}
