// The event part of the Store port: the log, who writes it, and who reads it.

import type { EventType } from "../../kernel/event-types.ts";
import type { SessionMode, SessionName } from "../sessions/session.ts";
import type { TrustedTime } from "../trusted-clock.ts";
import type { LoggedEvent } from "./event.ts";

/** A position in the order of sessions that are to be announced: by the time of their last write, then by id. */
export interface UnpublishedPosition {
  readonly since: Date;
  readonly id: string;
}

/** What one transaction of the sequencer did. */
export interface SequencerPass {
  /** By the database's clock, when it began. */
  readonly now: Date;
  /** The events that it brought into the log. */
  readonly published: readonly PublishedEvent[];
  /** The last position that it looked at; undefined if there was none. */
  readonly last: UnpublishedPosition | undefined;
  /** Whether it looked at all there is. */
  readonly isEnd: boolean;
}

export interface PublishedEvent {
  readonly type: EventType;
  /** Of the session; null if it is not known any more. */
  readonly mode: SessionMode | null;
  /** Milliseconds from the write to the log. */
  readonly lagMs: number;
}

export interface SequencerStore {
  /**
   * Gives positions to what is to be announced of sessions after the position, and of what was erased: at most `limit`
   * of both, in one transaction. Sessions that somebody else is writing right now are left for later. Undefined:
   * another process is at it.
   */
  publish(after: UnpublishedPosition, limit: number, signal: AbortSignal): Promise<SequencerPass | undefined>;
}

/** Where a log begins and ends. */
export interface LogBounds {
  /** Events up to here are no longer kept. */
  readonly expired: number;
  /** The last number that was given. */
  readonly head: number;
}

/** Some events of a log, in its order. */
export interface LogPage {
  /** Without those whose type only a newer release knows. */
  readonly events: readonly LoggedEvent[];
  /** The number of the last event that was read; the one asked for if there was none after it. */
  readonly last: number;
  /** Whether nothing came after it. */
  readonly isEnd: boolean;
}

export interface EventStore {
  /** Events of a partner with a sequence greater than `after`, ascending, at most `limit`. */
  listEvents(partnerId: string, after: number, limit: number, signal: AbortSignal): Promise<LogPage>;
  /** Events of all partners with a position greater than `after`, ascending, at most `limit`. */
  listAllEvents(after: number, limit: number, signal: AbortSignal): Promise<LogPage>;
  /** The sequences of a partner's log. */
  findPartnerBounds(partnerId: string, signal: AbortSignal): Promise<LogBounds>;
  /** The positions of the whole log. */
  findBounds(signal: AbortSignal): Promise<LogBounds>;
  /** Seconds since the oldest write that is still to be announced; 0 if there is none. */
  findUnpublishedAge(signal: AbortSignal): Promise<number>;
  /** The external ids of those of the sessions that are there, by session id. */
  findExternalIds(sessions: readonly SessionName[], signal: AbortSignal): Promise<ReadonlyMap<string, string>>;
  /**
   * Removes at most `limit` events that came into the log so many days before `now`, the oldest first; tells whether
   * there may be more.
   */
  expireEvents(retentionDays: number, limit: number, now: TrustedTime, signal: AbortSignal): Promise<boolean>;
  /** Leaves out 2^32 numbers of every log, so that none is given twice that a lost part of the database has given. */
  skipAhead(signal: AbortSignal): Promise<void>;
}
