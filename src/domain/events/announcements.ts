// The events of a session to publish: a function of its row and of the outbox, never of a process's memory.
import type { EventType } from "../../kernel/event-types.ts";
import type { EndTimes } from "../../kernel/session-states.ts";
import type { SessionMode } from "../sessions/session.ts";
import type { EventName } from "./event.ts";

/** The columns of a session's row that its events follow from. */
export interface LockedSession extends EndTimes {
  readonly id: string;
  readonly partnerId: string;
  readonly assessmentId: number;
  readonly mode: SessionMode;
  readonly createdAt: Date;
  /** Null also for answers without times. */
  readonly startedAt: Date | null;
  readonly hasAnswers: boolean;
  readonly isScored: boolean;
  /** Bits of the types that are in the log: `marked`. */
  readonly published: number;
  /** When the row was last written, by the database's clock. */
  readonly unpublishedSince: Date;
}

export interface Announcement extends Pick<EventName, "type" | "occurrence"> {
  readonly occurredAt: Date;
}

interface MarkedType {
  readonly type: EventType;
  /** Of `published`; 0 if it comes from the outbox. */
  readonly bit: number;
  /** Since when it has unpublished events; null: it has none. */
  readonly since: (session: LockedSession) => Date | null;
}

const completedBit = 4;

/**
 * The types whose event follows from the row, in the order in which one session can have them, and the expiry, which comes
 * between them: an expired session may have been reopened. All other events come from the outbox.
 */
const marked: readonly MarkedType[] = [
  { type: "session.created", bit: 1, since: ({ createdAt }) => createdAt },
  {
    type: "session.started",
    bit: 2,
    since: ({ startedAt, hasAnswers, completedAt, unpublishedSince }) =>
      startedAt ?? (hasAnswers ? (completedAt ?? unpublishedSince) : null),
  },
  { type: "session.expired", bit: 0, since: () => null },
  { type: "session.completed", bit: completedBit, since: ({ completedAt }) => completedAt },
  {
    type: "session.scored",
    bit: 8,
    since: ({ isScored, published, completedAt, unpublishedSince }) => {
      if (!isScored) return null;
      // Scoring is part of the completion unless the completion was published without it.
      const isLater = (published & completedBit) !== 0;
      return isLater ? unpublishedSince : (completedAt ?? unpublishedSince);
    },
  },
  { type: "session.cancelled", bit: 32, since: ({ cancelledAt }) => cancelledAt },
];

/**
 * The unpublished events of a session, in the order in which they happened.
 * @param others events of the session in the outbox
 */
export function announcementsOf(session: LockedSession, others: readonly Announcement[] = []): Announcement[] {
  const own = marked.flatMap(({ type, bit, since }): Announcement[] => {
    const occurredAt = (session.published & bit) === 0 ? since(session) : null;
    return occurredAt === null ? [] : [{ type, occurrence: 1, occurredAt }];
  });
  return [...own, ...others].sort(inOrder);
}

/** The bits of all published types, including those that are due now. */
export function publishedWith(session: LockedSession): number {
  return marked.reduce((bits, { bit, since }) => (since(session) === null ? bits : bits | bit), session.published);
}

/** Times alone give no order: the clocks of processes differ. */
function inOrder(one: Announcement, other: Announcement): number {
  return (
    positionOf(one.type) - positionOf(other.type) ||
    one.occurrence - other.occurrence ||
    one.occurredAt.getTime() - other.occurredAt.getTime()
  );
}

function positionOf(type: EventType): number {
  const position = marked.findIndex((each) => each.type === type);
  return position < 0 ? marked.length : position;
}
