// What is to be announced of a session: a function of its row and of the outbox, never of what a process remembers.
import type { EventType } from "../../kernel/event-types.ts";
import type { SessionMode } from "../sessions/session-port.ts";
import type { EventName } from "./event.ts";

/** A session's row, as far as events follow from it. */
export interface CapturedSession {
  readonly id: string;
  readonly partnerId: string;
  readonly assessmentId: number;
  readonly mode: SessionMode;
  readonly createdAt: Date;
  /** Null also where an older release stored the first answers. */
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly cancelledAt: Date | null;
  /** When it expired for the first time. */
  readonly expiredAt: Date | null;
  readonly hasAnswers: boolean;
  readonly isScored: boolean;
  /** Bits of the types that the log has: `marks`. */
  readonly published: number;
  /** When the row was last written, by the database's clock. */
  readonly unpublishedSince: Date;
}

export interface Announcement extends Pick<EventName, "type" | "occurrence"> {
  readonly occurredAt: Date;
}

/** The bits of `published`: of the types whose first event follows from the row. All other events come by the outbox. */
const marks = {
  "session.created": 1,
  "session.started": 2,
  "session.completed": 4,
  "session.scored": 8,
  "session.cancelled": 32,
  "session.expired": 64,
} as const satisfies Partial<Record<EventType, number>>;
type MarkedType = keyof typeof marks;

/** The order in which one session can have them. One that expired may have been reopened. */
const order: readonly MarkedType[] = [
  "session.created",
  "session.started",
  "session.expired",
  "session.completed",
  "session.scored",
  "session.cancelled",
];

/**
 * What has not been published of a session yet, in the order in which it happened.
 * @param others what the outbox holds of it
 */
export function announcementsOf(session: CapturedSession, others: readonly Announcement[] = []): Announcement[] {
  const due = happenedTo(session) & ~session.published;
  const marked = order
    .filter((type) => (due & marks[type]) !== 0)
    .map((type) => ({ type, occurrence: 1, occurredAt: timeOf(type, session) }));
  return [...marked, ...others].sort(inOrder);
}

/** The bits of all that has been announced, once what is due was. */
export function publishedWith(session: CapturedSession): number {
  return session.published | happenedTo(session);
}

/** By clocks alone nothing can be put in order: those of processes differ. */
function inOrder(one: Announcement, other: Announcement): number {
  return (
    placeOf(one.type) - placeOf(other.type) ||
    one.occurrence - other.occurrence ||
    one.occurredAt.getTime() - other.occurredAt.getTime()
  );
}

function placeOf(type: EventType): number {
  const place = order.indexOf(type as MarkedType);
  return place < 0 ? order.length : place;
}

function happenedTo(session: CapturedSession): number {
  const { startedAt, hasAnswers, completedAt, isScored, cancelledAt, expiredAt } = session;
  return (
    marks["session.created"] |
    (startedAt !== null || hasAnswers ? marks["session.started"] : 0) |
    (completedAt !== null ? marks["session.completed"] : 0) |
    (isScored ? marks["session.scored"] : 0) |
    (cancelledAt !== null ? marks["session.cancelled"] : 0) |
    (expiredAt !== null ? marks["session.expired"] : 0)
  );
}

function timeOf(type: MarkedType, session: CapturedSession): Date {
  const { createdAt, startedAt, completedAt, cancelledAt, expiredAt, unpublishedSince, published } = session;
  switch (type) {
    case "session.created":
      return createdAt;
    case "session.started":
      return startedAt ?? completedAt ?? unpublishedSince;
    case "session.completed":
      return completedAt ?? unpublishedSince;
    case "session.scored": {
      // Scoring is part of the completion unless that was announced without it.
      const isLater = (published & marks["session.completed"]) !== 0;
      return isLater ? unpublishedSince : (completedAt ?? unpublishedSince);
    }
    case "session.cancelled":
      return cancelledAt ?? unpublishedSince;
    case "session.expired":
      return expiredAt ?? unpublishedSince;
  }
}
