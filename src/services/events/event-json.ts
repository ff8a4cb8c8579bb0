// An event as a message and as JSON: the feed and the webhooks send the same.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type EventDataSchema, EventSchema } from "../../gen/assessment/v1/event_service_pb.ts";
import { SessionMode } from "../../gen/assessment/v1/session_service_pb.ts";
import { type EventType, type ResourceKind, resourceOf } from "../../kernel/event-types.ts";
import { byWord } from "../../kernel/json/members.ts";
import { type JsonObject, toJson } from "../../kernel/json/message-json.ts";

const modes = byWord(SessionMode);
const messageJson = toJson(EventSchema);

export interface EventFacts {
  readonly id: string;
  readonly type: EventType;
  readonly timestamp: Date;
  readonly sequence: number | bigint;
  /** Id of the session, or of what else it happened to. */
  readonly resourceId: string;
  readonly product: string;
  /** Null members are left out. */
  readonly assessmentVersion: number | null;
  readonly mode: keyof typeof modes | null;
  readonly externalId: string | null;
  /** Whether it is an event of a test twin. */
  readonly isTest: boolean;
}

/** The member of `data` that names what an event happened to. */
const idOf: Readonly<Record<ResourceKind, (id: string) => MessageInitShape<typeof EventDataSchema>>> = {
  session: (sessionId) => ({ sessionId }),
  group: (groupId) => ({ groupId }),
};

/** The event as a message. */
export function toEventMessage(event: EventFacts): MessageInitShape<typeof EventSchema> {
  const { id, type, timestamp, sequence, resourceId, product, assessmentVersion, mode, externalId, isTest } = event;
  return {
    id,
    type,
    timestamp: timestampFromDate(timestamp),
    sequence: BigInt(sequence),
    data: {
      ...idOf[resourceOf(type)](resourceId),
      product,
      ...(assessmentVersion === null ? {} : { assessmentVersion }),
      ...(mode === null ? {} : { mode: modes[mode] }),
      ...(externalId === null ? {} : { externalId }),
      test: isTest,
    },
  };
}

/** The event as JSON. */
export function eventJson(event: EventFacts): JsonObject {
  return messageJson(create(EventSchema, toEventMessage(event)));
}
