// The part of the Store port that lists sessions, newest first: by id, which begins with the time of creation.

import type { Lifecycle, SessionState } from "../../kernel/session-states.ts";
import type { ProgressSource } from "./progress.ts";
import type { SessionMode } from "./session-port.ts";

/** What sessions of a list have in common. Undefined: anything. */
export interface SessionFilter {
  readonly state: SessionState | undefined;
  readonly mode: SessionMode | undefined;
  readonly externalId: string | undefined;
  /** The group that they are in. */
  readonly groupId: string | undefined;
  /** Version of the assessment. */
  readonly version: number | undefined;
  /** Ranges with their beginning and without their end. */
  readonly createdAfter: Date | undefined;
  readonly createdBefore: Date | undefined;
  readonly completedAfter: Date | undefined;
  readonly completedBefore: Date | undefined;
}

/** Sessions that a page looks at, at most. */
export const maxLookedAt = 500;

/** Which part of a list. */
export interface ListPosition {
  /** Sessions older than this one; undefined: from the newest. */
  readonly before: string | undefined;
  /** Most sessions of the page. */
  readonly limit: number;
  /** By the database's clock: what is past its time is expired. */
  readonly now: Date;
}

/** A session in a list, with what its progress follows from. */
export interface ListedSession extends Lifecycle, ProgressSource {
  readonly id: string;
  readonly externalId: string;
  readonly assessmentId: number;
  /** Version of the assessment. */
  readonly version: number;
  readonly mode: SessionMode;
  readonly resultsDeletedAt: Date | null;
  /** The group that it joined; null: none. */
  readonly groupId: string | null;
}

/** A session in the list of its person. */
export interface ListedOutcome extends ListedSession {
  /** Encoded, to be read by the product only; null until scored, and once deleted. */
  readonly results: Uint8Array | null;
}

export interface ListPage<T> {
  readonly sessions: readonly T[];
  /** Where the next page begins; undefined on the last one. */
  readonly next: string | undefined;
}

export interface SessionListStore {
  /**
   * Sessions of a partner in a product that the filter lets pass. At most `maxLookedAt` are looked at, so a page may
   * hold fewer than its limit although there are more.
   */
  listSessions(
    partnerId: string,
    product: string,
    filter: SessionFilter,
    position: ListPosition,
    signal: AbortSignal,
  ): Promise<ListPage<ListedSession>>;
  /** All sessions of a person in a product, with their results. */
  listSubjectSessions(
    partnerId: string,
    product: string,
    externalId: string,
    position: ListPosition,
    signal: AbortSignal,
  ): Promise<ListPage<ListedOutcome>>;
}
