// Groups in MySQL.

import { MAX } from "uuid";
import type { Database } from "../../database/database.ts";
import type { SheetId } from "../../domain/groups/disclosure.ts";
import type { JoinCode } from "../../domain/groups/join-code.ts";
import type { CompletionKey } from "../../domain/sessions/session.ts";
import { bytesToUuid, uuidToBytes } from "../../kernel/ids.ts";
import { outboxStatements } from "../events/unpublished.ts";
import { lockPartner } from "../partner-lock.ts";
import {
  type GroupWithheld,
  groups,
  joinCodes,
  type NewGroup,
  type StoredGroup,
  groupStatements as statements,
} from "./group-statements.ts";

/** The key of a group. The group of another partner is not found. */
export type GroupKey = Pick<StoredGroup, "partnerId" | "id">;

/** A session whose answers are in the numbers of a group. */
export interface CountedMember {
  readonly sessionId: string;
  /** UUID that every session of the person has. */
  readonly personId: string;
  /** A hash of the answers, 16 bytes. */
  readonly answersHash: Uint8Array;
  readonly sheetId: SheetId;
}

/** The result of closing a group. */
export interface GroupClosing {
  readonly closedAt: Date;
  /** `countClosings` of the partner before sheets and groups were read. */
  readonly closings: number;
  /** One session of each person in the numbers; without numbers, nobody. */
  readonly members: readonly CountedMember[];
  /** The numbers as JSON, and whether they have a spread; or why there are none. */
  readonly outcome:
    | { readonly numbers: string; readonly hasSpread: boolean }
    | { readonly withheld: Exclude<GroupWithheld, "withdrawn"> };
}

/** The store of groups. */
export function createGroupStore(db: Database) {
  return {
    /** Inserts the group; or nothing if its key is taken, its parent closed, or if the partner has `most` groups. */
    insertGroup(
      group: NewGroup,
      most: number,
      signal: AbortSignal,
    ): Promise<"inserted" | "key_taken" | "parent_closed" | "limit_reached"> {
      const { idempotency } = group;
      const { key: idempotencyKey = null, requestHash = null } = idempotency ?? {};
      const values = {
        ...groups.toRow({ ...group, closedAt: null, withheld: null, joinCode: null }),
        idempotencyKey,
        requestHash,
      };
      const { partnerId, parentId } = group;
      return db.runTransaction(signal, async (connection) => {
        await lockPartner(connection, partnerId);
        const [counts] = await connection.findAll(statements.lockCounts, { partnerId });
        if (idempotency !== null && (await connection.findAll(statements.findByKey, values)).length > 0)
          return "key_taken";
        const [parent] =
          parentId === null ? [] : await connection.findAll(statements.lock, { partnerId, id: parentId });
        if (parent !== undefined && parent.closed_at !== null) return "parent_closed";
        if (counts?.group_count >= most) return "limit_reached";
        await connection.execute(statements.insert, values);
        await connection.execute(statements.countGroup, values);
        return "inserted";
      });
    },

    findGroup: (group: GroupKey, signal: AbortSignal) => db.findOne(statements.find, group, signal),

    /** The group of any partner whose join code has the hash. */
    findGroupByJoinCode: (hash: Uint8Array, signal: AbortSignal) =>
      db.findOne(statements.findByJoinCode, { hash }, signal),

    /** Gives an open group a join code in place of its last one. False: it is closed, and nothing was done. */
    saveJoinCode: ({ partnerId, id }: GroupKey, joinCode: JoinCode, signal: AbortSignal) =>
      db.writeOne(statements.saveJoinCode, { partnerId, id, ...joinCodes.toRow(joinCode) }, signal),

    /** Ends the join code of a group now, unless it has ended or there is none. */
    endJoinCode: ({ partnerId, id }: GroupKey, now: Date, signal: AbortSignal) =>
      db.write(statements.endJoinCode, { partnerId, id, now }, signal),

    findGroupByKey: (partnerId: string, idempotencyKey: string, signal: AbortSignal) =>
      db.findOne(statements.findByKey, { partnerId, idempotencyKey }, signal),

    /** Groups of a product that are older than `before`, newest first. @param before undefined: from the newest */
    listGroups(partnerId: string, product: string, before: string | undefined, limit: number, signal: AbortSignal) {
      return db.findAll(statements.list, { partnerId, product, before: before ?? MAX, limit }, signal);
    },

    /**
     * The people with a session in each group or in a part of it, by the group's id; a group without any is left out. At
     * most `maxGroupSessions` sessions are read for each group.
     */
    async countPeople(partnerId: string, groupIds: readonly string[], signal: AbortSignal) {
      if (groupIds.length === 0) return new Map();
      const rows = await db.findAll(statements.countPeople, { partnerId, groupIds }, signal);
      return new Map(rows.map(({ id, size, started, completed }) => [bytesToUuid(id), { size, started, completed }]));
    },

    /** The parts of a group, by id: no more than a partner may have groups. */
    listParts: (group: GroupKey, signal: AbortSignal) => db.findAll(statements.listParts, group, signal),

    /** The numbers of a closed group as JSON; null: it has none. */
    findNumbers: async (group: GroupKey, signal: AbortSignal): Promise<string | null> =>
      (await db.findOne(statements.findNumbers, group, signal))?.numbers?.toString() ?? null,

    /** Completed sessions of a group that still have their answers, by id, after `after`. */
    listCompleted: (group: GroupKey, after: CompletionKey["id"], limit: number, signal: AbortSignal) =>
      db.findAll(statements.listCompleted, { ...group, after, limit }, signal),

    /** The number of groups of the partner that have numbers so far. */
    countClosings: async (partnerId: string, signal: AbortSignal): Promise<number> =>
      (await db.findOne(statements.countClosings, { partnerId }, signal))?.closings ?? 0,

    /**
     * Closes an open group, all or nothing.
     * @returns `taken`: it was closed already; `changed`: a member was erased meanwhile, a part is open, or another group of
     * the partner got numbers: nothing was done
     */
    closeGroup(
      group: GroupKey & Pick<StoredGroup, "assessmentId">,
      { closedAt, closings, members, outcome }: GroupClosing,
      signal: AbortSignal,
    ): Promise<"closed" | "taken" | "changed"> {
      const { partnerId } = group;
      const [partner, groupId] = [uuidToBytes(partnerId), uuidToBytes(group.id)];
      return db.runTransaction(signal, async (connection) => {
        // Sessions before groups, as erasures lock them.
        if (members.length > 0) {
          const ids = members.map(({ sessionId }) => sessionId);
          const lockedRows = await connection.findAll(statements.lockSessions, { partnerId, ids });
          if (lockedRows.length < members.length) return "changed";
        }
        const [counts] = await connection.findAll(statements.lockCounts, { partnerId });
        const [lockedGroup] = await connection.findAll(statements.lock, group);
        if (lockedGroup === undefined || lockedGroup.closed_at !== null) return "taken";
        if ((await connection.findAll(statements.findOpenPart, group)).length > 0) return "changed";
        if ("numbers" in outcome) {
          if ((counts?.closings ?? 0) !== closings) return "changed";
          const rows = members.map(({ sessionId, personId, answersHash, sheetId }, place) => {
            const [sheet, session, person] = [sheetId, sessionId, personId].map(uuidToBytes);
            return [groupId, place, partner, sheet, session, person, Buffer.from(answersHash)];
          });
          await connection.execute(statements.insertMembers, { rows });
          await connection.execute(statements.countClosing, group);
        }
        const columns =
          "numbers" in outcome
            ? { ...outcome, held: members.length, withheld: null }
            : { ...outcome, held: null, numbers: null, hasSpread: false };
        await connection.execute(statements.close, { ...group, closedAt, ...columns });
        await connection.execute(outboxStatements.addClosing, { ...group, closedAt });
        return "closed";
      });
    },

    /** The first partner, by id, with an open group that is due to close. */
    async findNextDuePartner(after: string, now: Date, signal: AbortSignal): Promise<string | undefined> {
      const row = await db.findOne(statements.nextDuePartner, { now, after }, signal);
      return row && bytesToUuid(row.partner_id);
    },

    /** Open groups of a partner that are due to close. */
    listDue: (partnerId: string, now: Date, limit: number, signal: AbortSignal) =>
      db.findAll(statements.listDue, { now, limit, partnerId }, signal),
  };
}
