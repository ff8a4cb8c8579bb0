// What is to be announced of a session: a function of its row, never of what a process remembers.
import type { SessionMode } from "../sessions/session-port.ts";
import { bitOf, type EventType } from "./event-types.ts";

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
  /** Bits of the types that the log has. */
  readonly published: number;
  /** When the row was last written, by the database's clock. */
  readonly unpublishedSince: Date;
}

export interface Announcement {
  readonly type: EventType;
  readonly occurredAt: Date;
}

/** The order in which one session can have them. One that expired may have been reopened. */
const order: readonly EventType[] = [
  "session.created",
  "session.started",
  "session.expired",
  "session.completed",
  "session.scored",
  "session.cancelled",
];

/** What has not been announced of a session yet, in the order in which it happened. */
export function announcementsOf(session: CapturedSession): Announcement[] {
  const due = happenedTo(session) & ~session.published;
  const types = order.filter((type) => (due & bitOf(type)) !== 0);
  return types.map((type) => ({ type, occurredAt: timeOf(type, session) }));
}

/** The bits of all that has been announced, once what is due was. */
export function publishedWith(session: CapturedSession): number {
  return session.published | happenedTo(session);
}

function happenedTo(session: CapturedSession): number {
  const { startedAt, hasAnswers, completedAt, isScored, cancelledAt, expiredAt } = session;
  return (
    bitOf("session.created") |
    (startedAt !== null || hasAnswers ? bitOf("session.started") : 0) |
    (completedAt !== null ? bitOf("session.completed") : 0) |
    (isScored ? bitOf("session.scored") : 0) |
    (cancelledAt !== null ? bitOf("session.cancelled") : 0) |
    (expiredAt !== null ? bitOf("session.expired") : 0)
  );
}

function timeOf(type: EventType, session: CapturedSession): Date {
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
      const isLater = (published & bitOf("session.completed")) !== 0;
      return isLater ? unpublishedSince : (completedAt ?? unpublishedSince);
    }
    case "session.cancelled":
      return cancelledAt ?? unpublishedSince;
    case "session.expired":
      return expiredAt ?? unpublishedSince;
    case "session.erased":
      throw new Error("a session that is there was not erased");
  }
}
