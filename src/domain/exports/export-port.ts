// The export part of the Store port. Sessions may be read from a replica, which lags behind.
import type { StoredSession } from "../sessions/session-port.ts";

/** A session without what only its calls need. */
export type ExportedSession = Omit<StoredSession, "partnerId" | "redirectUrl" | "locale" | "personAccess">;

/** A session with what it holds. */
export interface StoredExport extends ExportedSession {
  /**
   * Its place among the completed sessions of the person in its product, in the order of completion, from 1. Null until
   * it is completed, and if the person has more than `maxAttempts` sessions.
   */
  readonly attempt: number | null;
  /** Encoded, to be read by the product only; null until scored, and once deleted. */
  readonly results: Uint8Array | null;
}

/** Sessions of a person up to which they are counted: a look at each of them is taken for each row. */
export const maxAttempts = 100;

/** What the database itself has of a session. */
export interface StillStored extends Pick<StoredSession, "id" | "answersDeletedAt" | "resultsDeletedAt"> {
  readonly hasAnswers: boolean;
}

export interface ExportStore {
  /**
   * Sessions of a partner with an id greater than `after`, ascending, at most `limit`.
   * @param groupId of this group only; undefined: all
   */
  listExports(
    partnerId: string,
    groupId: string | undefined,
    after: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<StoredExport[]>;
  /** Those of the sessions that are not erased, in any order; never from a replica. */
  listStored(partnerId: string, ids: readonly string[], signal: AbortSignal): Promise<StillStored[]>;
  /**
   * When the newest session of a partner was created that is there to be read; 1970 if there is none. Ids of times to
   * come are left out: they are of a test twin, or of a clock that was wrong, and do not tell how far a replica is.
   * @param now milliseconds since 1970
   */
  findNewestTime(partnerId: string, now: number, signal: AbortSignal): Promise<Date>;
}
