// The usage part of the Store port: how many sessions of a partner there were, by day.
import type { SessionMode } from "../sessions/session-port.ts";

/** Names the counts of a partner, a day and a mode. */
export interface UsageKey {
  /** In UTC, as `2026-11-21`. */
  readonly day: string;
  readonly partnerId: string;
  /** Null: it is not known, as of erased sessions. */
  readonly mode: SessionMode | null;
}

/** What is counted of sessions, by the types of their events: `session.created` and so on. */
export const usageCounters = ["created", "started", "completed", "cancelled", "expired", "erased"] as const;

export type UsageCounts = Readonly<Record<(typeof usageCounters)[number], number>>;

/** What happened on that day. Erasing a session counts as such, and takes away nothing. */
export type UsageDay = UsageKey & UsageCounts;

export interface UsageRange {
  /** Undefined: all partners. */
  readonly partnerId: string | undefined;
  readonly from: string;
  /** Not included. */
  readonly until: string;
}

export interface UsageStore {
  /**
   * Counts the next events of the log, at most `limit`, each once whoever is at it. False: all were counted.
   */
  countEvents(limit: number, signal: AbortSignal): Promise<boolean>;
  /** Days in their order, then by partner and mode, after one of them, at most `limit`. @param after null: the first */
  listUsage(range: UsageRange, after: UsageKey | null, limit: number, signal: AbortSignal): Promise<UsageDay[]>;
  /** Until when what came into the log is counted; null: counting has not begun. */
  findCountedAt(signal: AbortSignal): Promise<Date | null>;
}
