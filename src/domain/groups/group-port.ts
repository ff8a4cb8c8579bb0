// The group part of the Store port.
import type { CompletionKey, IdempotencyKey, StoredSession } from "../sessions/session-port.ts";
import type { TrustedTime } from "../trusted-clock.ts";

/** Why a closed group has no numbers. */
export type GroupWithheld = "too_few" | "too_alike" | "withdrawn";

/** A group to insert. */
export interface NewGroup {
  readonly id: string;
  readonly partnerId: string;
  readonly product: string;
  /** The version that all of its sessions have. */
  readonly assessmentId: number;
  readonly label: string;
  readonly createdAt: Date;
  /** When it closes by itself; null: it does not. */
  readonly closesAt: Date | null;
  readonly idempotency: Omit<IdempotencyKey, "keptDays"> | null;
}

export interface StoredGroup extends Omit<NewGroup, "idempotency"> {
  /** Null while it is open. */
  readonly closedAt: Date | null;
  /** Why it has no numbers; null while it is open, and if it has some. */
  readonly withheld: GroupWithheld | null;
  readonly counts: GroupCounts;
}

/** Names a group. Whoever names another partner's finds and changes nothing. */
export type GroupName = Pick<StoredGroup, "partnerId" | "id">;

/** How many people there are now. */
export interface GroupCounts {
  /** With a session in the group. */
  readonly size: number;
  /** Of those, who have answered a question. */
  readonly started: number;
  /** Of those, who have completed a session. */
  readonly completed: number;
}

/** A session whose answers are in the numbers of a group. */
export interface CountedMember {
  readonly sessionId: string;
  /** UUID that every session of the person has. */
  readonly personId: string;
}

/** How a group closes. */
export interface GroupClosing {
  readonly closedAt: Date;
  /** The numbers as JSON; null: fewer members count than numbers take. */
  readonly numbers: string | null;
  /** One session of each person in the numbers; without numbers, nobody. */
  readonly members: readonly CountedMember[];
}

/** How many people two groups may differ by, at most, to be too alike; at least one. */
export interface AlikeRule {
  readonly mostDifferent: number;
}

export interface GroupStore {
  /** Inserts the group, or nothing where its key is taken, or where the partner has `most` groups. */
  insertGroup(group: NewGroup, most: number, signal: AbortSignal): Promise<"inserted" | "key_taken" | "limit_reached">;
  findGroup(group: GroupName, signal: AbortSignal): Promise<StoredGroup | undefined>;
  findGroupByKey(
    partnerId: string,
    key: string,
    signal: AbortSignal,
  ): Promise<{ group: StoredGroup; requestHash: Uint8Array } | undefined>;
  /** Groups of a product that are older than `before`, newest first. @param before undefined: from the newest */
  listGroups(
    partnerId: string,
    product: string,
    before: string | undefined,
    limit: number,
    signal: AbortSignal,
  ): Promise<StoredGroup[]>;
  /** The numbers of a closed group as JSON; null: it has none. */
  findNumbers(group: GroupName, signal: AbortSignal): Promise<string | null>;
  /** Completed sessions of a group that still have their answers, by id, after `after`. */
  listCompleted(
    group: GroupName,
    after: CompletionKey["id"],
    limit: number,
    signal: AbortSignal,
  ): Promise<StoredSession[]>;
  /**
   * Closes an open group, all or nothing, and one group of a partner at a time. Numbers are left out as `too_alike` where
   * the members differ from those of numbers that the partner got before by 1 to `mostDifferent` people.
   * @returns `taken`: it was closed already; `changed`: a member was erased meanwhile, and nothing was done
   */
  closeGroup(
    group: Pick<StoredGroup, "partnerId" | "id" | "product" | "assessmentId">,
    closing: GroupClosing,
    rule: AlikeRule,
    signal: AbortSignal,
  ): Promise<"closed" | "taken" | "changed">;
  /** The first partner, by id, of whom an open group's time to close has come. @param after "" or an id that comes before */
  nextDuePartner(after: string, now: TrustedTime, signal: AbortSignal): Promise<string | undefined>;
  /** Open groups of a partner whose time to close has come. */
  listDue(partnerId: string, now: TrustedTime, limit: number, signal: AbortSignal): Promise<StoredGroup[]>;
}
