// An event: something happened to a session, or to another resource. It has the type and the time, and no personal data.

import { formatUuid } from "../../kernel/ids.ts";
import type { SessionMode } from "../sessions/session.ts";
import { type ObjectOf, plain, uuid } from "../stored-fields.ts";
import { type EventType, eventTypeField, eventTypes } from "./event-types.ts";

/** The key of an event. */
export interface EventKey {
  /** Id of the session or other resource. */
  readonly resourceId: string;
  readonly type: EventType;
  /** 1 for the first event of its type and resource, 2 for the next one. */
  readonly occurrence: number;
}

export const loggedEventFields = {
  resourceId: uuid,
  type: eventTypeField,
  occurrence: plain<number>(),
  /** Its position among the events of all partners. */
  position: plain<number>(),
  partnerId: uuid,
  /** Its position among the events of its partner: ascending, with gaps. */
  sequence: plain<number>(),
  /** That of the session. */
  assessmentId: plain<number | null>(),
  /** Null for an erased session, and for resources other than sessions. */
  mode: plain<SessionMode | null>(),
  occurredAt: plain<Date>(),
  /** When it was added to the log. */
  recordedAt: plain<Date>(),
};

/** An event of the log. */
export interface LoggedEvent extends ObjectOf<typeof loggedEventFields> {}

/** The part of an id for each type: its words, without that of the session. */
const names: ReadonlyMap<EventType, string> = new Map(
  eventTypes.map((type) => [type, type.replace("session.", "").replace(".", "_")]),
);
const typesByName: ReadonlyMap<string, EventType> = new Map([...names].map(([type, name]) => [name, type]));

/**
 * The id of an event: built from resource, type and occurrence, so it is the same over retries, replays and restores. Such as
 * `evt_019b2f7c41d27a3e9c0d5f1a2b3c4d5e_expired`, and `…_expired_2` when that happens again.
 */
export function computeEventId({ resourceId, type, occurrence }: EventKey): string {
  const id = `evt_${resourceId.replaceAll("-", "")}_${names.get(type)}`;
  return occurrence === 1 ? id : `${id}_${occurrence}`;
}

/** The key in an event's id; undefined if the text is not an event id. */
export function parseEventId(id: string): EventKey | undefined {
  const [, hex = "", name = "", again = "1"] = /^evt_([0-9a-f]{32})_([a-z_]+?)(?:_([1-9][0-9]{0,8}))?$/.exec(id) ?? [];
  const type = typesByName.get(name);
  const event = type && { resourceId: formatUuid(hex), type, occurrence: Number(again) };
  // The first one has no number.
  return event && computeEventId(event) === id ? event : undefined;
}
