// The part of the Store port that keeps what partners decide of their sessions in general.

import type { DataClass, SessionMode } from "../sessions/session-port.ts";
import type { TrustedTime } from "../trusted-clock.ts";

/** What a partner decides of its sessions of one mode. Null: it decides nothing. */
export interface SessionPolicy {
  readonly partnerId: string;
  readonly mode: SessionMode;
  /** A session expires so many days after its creation, unless its request says otherwise. */
  readonly expiresAfterDays: number | null;
  /** A completed session is deleted so many days after its completion. */
  readonly deleteCompletedAfterDays: number | null;
  /** A session that is not completed is deleted so many days after its creation. */
  readonly deleteOpenAfterDays: number | null;
  /** The answers of a completed session are deleted so many days after its completion. */
  readonly deleteAnswersAfterDays: number | null;
  /** The results of a completed session are deleted so many days after its completion. */
  readonly deleteResultsAfterDays: number | null;
}

/** What a policy deletes: a whole session that is completed or is not, or a part of a completed one. */
export type Deletion = "completed" | "open" | DataClass;

/** What a policy deletes of a session. */
export interface RetainedSession {
  readonly id: string;
  /** Both parts, or either of the other two alone. */
  readonly deletions: readonly Deletion[];
}

/** Some of the sessions that a policy deletes. */
export interface RetainedPage {
  readonly sessions: readonly RetainedSession[];
  /** The last session that was looked at; undefined: there is none after it that could be due. */
  readonly lookedAt: string | undefined;
}

export interface SessionPolicyStore {
  findPolicy(partnerId: string, mode: SessionMode, signal: AbortSignal): Promise<SessionPolicy | undefined>;
  savePolicy(policy: SessionPolicy, signal: AbortSignal): Promise<void>;
  /** Policies after one of them, by partner and mode, at most `limit`, with where the last look at each got to. */
  listPolicies(
    after: Pick<SessionPolicy, "partnerId" | "mode"> | undefined,
    limit: number,
    signal: AbortSignal,
  ): Promise<(SessionPolicy & { readonly resumeAfter: string | undefined })[]>;
  /** Keeps where a look at a policy's sessions got to. */
  saveProgress(
    policy: Pick<SessionPolicy, "partnerId" | "mode">,
    resumeAfter: string | undefined,
    signal: AbortSignal,
  ): Promise<void>;
  /** Looks at so many of the partner's oldest sessions after one of them for those that the policy deletes by now. */
  listDeletable(
    policy: SessionPolicy,
    after: string | undefined,
    most: number,
    now: TrustedTime,
    signal: AbortSignal,
  ): Promise<RetainedPage>;
}
