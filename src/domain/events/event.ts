// An event: that something happened to a session. It says what and when, and nothing of the person.
import type { SessionMode } from "../sessions/session-port.ts";
import { type EventType, isEventType } from "./event-types.ts";

/** An event of the log. */
export interface LoggedEvent {
  /** Its place among the events of all partners. */
  readonly position: number;
  readonly partnerId: string;
  /** Its place among the events of its partner: ascending, with holes. */
  readonly sequence: number;
  readonly type: EventType;
  /** Id of the session. */
  readonly resourceId: string;
  /** Id of the session's assessment version. */
  readonly assessmentId: number | null;
  /** Null for an erased session. */
  readonly mode: SessionMode | null;
  readonly occurredAt: Date;
  /** When it came into the log. */
  readonly recordedAt: Date;
}

/** The id of an event: made of session and type, so it is the same over retries, replays and restores. */
export function eventId({ resourceId, type }: Pick<LoggedEvent, "resourceId" | "type">): string {
  return `evt_${resourceId.replaceAll("-", "")}_${type.slice(type.indexOf(".") + 1)}`;
}

/** The session and the type that an event's id is made of; undefined where the text is no such id. */
export function parseEventId(id: string): { sessionId: string; type: EventType } | undefined {
  const [, hex = "", name] = /^evt_([0-9a-f]{32})_([a-z]+)$/.exec(id) ?? [];
  const type = `session.${name}`;
  if (!isEventType(type)) return undefined;
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return { sessionId: parts.join("-"), type };
}
