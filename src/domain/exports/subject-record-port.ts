// The part of the Store port that reads all that is held of a person.
import type { StoredSession } from "../sessions/session-port.ts";

/** A link or a browser session, without the hash of its token. */
export interface RecordedAccess {
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface RecordedReportLink extends RecordedAccess {
  readonly locale: string | null;
  /** What the partner put on the report: a name, and a day as `YYYY-MM-DD`. */
  readonly name: string | null;
  readonly date: string | null;
}

/** What the answers of a session are for norms. */
export interface NormCounting {
  readonly isCounted: boolean;
  readonly contributes: boolean;
  /** Id of the first session of the pair that it is the second of. */
  readonly retestOf: string | null;
}

/** The group of a session. */
export interface RecordedMembership {
  readonly groupId: string;
  readonly label: string;
  /** Null while it is open. */
  readonly closedAt: Date | null;
  /** Whether the numbers of the group have the answers of the session in them. */
  readonly isCounted: boolean;
}

/** A session with all that is stored with it. */
export interface SubjectRecord {
  readonly session: StoredSession;
  /** Encoded, to be read by the product only; null until scored, and once they are deleted. */
  readonly results: Uint8Array | null;
  readonly normCounting: NormCounting;
  /** Null: it is in none. */
  readonly membership: RecordedMembership | null;
  readonly hostedLinks: readonly RecordedAccess[];
  readonly hostedBrowserSessions: readonly RecordedAccess[];
  readonly reportLinks: readonly RecordedReportLink[];
  readonly reportBrowserSessions: readonly RecordedAccess[];
  /** The last ones, the first of them first. */
  readonly reportViews: readonly { readonly viewedAt: Date; readonly isByLink: boolean }[];
  readonly hasEarlierReportViews: boolean;
}

export interface SubjectRecordStore {
  /**
   * Sessions of a person with an id greater than `after`, ascending, at most `limit`, each with at most `views` views.
   */
  listSubjectRecords(
    person: { readonly partnerId: string; readonly externalId: string },
    after: string,
    limit: number,
    views: number,
    signal: AbortSignal,
  ): Promise<SubjectRecord[]>;
}
