// Groups in MySQL.

import type { Knex } from "knex";
import type { Connection, RowDataPacket } from "mysql2";
import { MAX } from "uuid";
import { inTransaction } from "../../database/connection.ts";
import {
  bytesToUuid,
  execute,
  executeText,
  fetchRows,
  fetchRowsOf,
  fromRow,
  readRows,
  readRowsOf,
  uuidToBytes,
} from "../../database/statement.ts";
import type { AnsweredSession, CompletionKey, IdempotencyKey } from "../../domain/sessions/session.ts";
import type { TrustedTime } from "../../domain/trusted-clock.ts";
import { outboxStatements } from "../events/unpublished.ts";
import { toAnswered } from "../sessions/session-rows.ts";
import {
  countPeople,
  insertCount,
  insertMembers,
  lockSessions,
  groupStatements as statements,
} from "./group-statements.ts";
import { isTooAlikeInStore } from "./similarity.ts";

/** Why a closed group has no numbers. */
export type GroupWithheld = "too_few" | "too_alike" | "withdrawn";

/** A group to insert. */
export interface NewGroup {
  readonly id: string;
  readonly partnerId: string;
  readonly product: string;
  /** The version that all of its sessions have. */
  readonly assessmentId: number;
  /** The parent group; null: none. */
  readonly parentId: string | null;
  readonly label: string;
  readonly createdAt: Date;
  /** When it closes automatically; null: never. */
  readonly closesAt: Date | null;
  readonly idempotency: Omit<IdempotencyKey, "keptDays"> | null;
}

export interface StoredGroup extends Omit<NewGroup, "idempotency"> {
  /** Null while it is open. */
  readonly closedAt: Date | null;
  /** Why it has no numbers; null while it is open, and if it has numbers. */
  readonly withheld: GroupWithheld | null;
}

/** The key of a group. The group of another partner is not found. */
export type GroupName = Pick<StoredGroup, "partnerId" | "id">;

/** Numbers of people now. */
export interface GroupCounts {
  /** With a session in the group. */
  readonly size: number;
  /** Of those, with an answer to a question. */
  readonly started: number;
  /** Of those, with a completed session. */
  readonly completed: number;
}

/** A session whose answers are in the numbers of a group. */
export interface CountedMember {
  readonly sessionId: string;
  /** UUID that every session of the person has. */
  readonly personId: string;
  /** A hash of the answers, 16 bytes. */
  readonly answersHash: Uint8Array;
}

/** The result of closing a group. */
export interface GroupClosing {
  readonly closedAt: Date;
  /** The numbers as JSON; null: too few people. */
  readonly numbers: string | null;
  /** One session of each person in the numbers; without numbers, nobody. */
  readonly members: readonly CountedMember[];
}

/** The store of groups. */
export function createGroupStore(db: Knex) {
  /** Locks the partner's row, so that no other group of the partner is made or closed meanwhile. */
  async function madeOf(connection: Connection, partnerId: string): Promise<number> {
    const [row] = await readRows(connection, statements.lockCount, { partnerId });
    return row?.made ?? 0;
  }

  return {
    /** Inserts the group; or nothing if its key is taken, its parent closed, or if the partner has `most` groups. */
    insertGroup(
      group: NewGroup,
      most: number,
      signal: AbortSignal,
    ): Promise<"inserted" | "key_taken" | "parent_closed" | "limit_reached"> {
      const { idempotency } = group;
      const { key: idempotencyKey = null, requestHash = null } = idempotency ?? {};
      const values = { ...group, joined: 0, idempotencyKey, requestHash };
      const { partnerId, parentId } = group;
      return inTransaction(db, signal, async (connection) => {
        await executeText(connection, insertCount, [uuidToBytes(partnerId)]);
        const made = await madeOf(connection, partnerId);
        if (idempotency !== null && (await readRows(connection, statements.findByKey, values)).length > 0)
          return "key_taken";
        const [parent] =
          parentId === null ? [] : await readRows(connection, statements.lock, { partnerId, id: parentId });
        if (parent !== undefined && parent.closed_at !== null) return "parent_closed";
        if (made >= most) return "limit_reached";
        await execute(connection, statements.insert, values);
        await execute(connection, statements.count, values);
        return "inserted";
      });
    },

    async findGroup(group: GroupName, signal: AbortSignal): Promise<StoredGroup | undefined> {
      const [row] = await fetchRows(db, statements.find, group, signal);
      return row && toGroup(row);
    },

    async findGroupByKey(
      partnerId: string,
      key: string,
      signal: AbortSignal,
    ): Promise<{ group: StoredGroup; requestHash: Uint8Array } | undefined> {
      const [row] = await fetchRows(db, statements.findByKey, { partnerId, idempotencyKey: key }, signal);
      return row && { group: toGroup(row), requestHash: row.request_hash };
    },

    /** Groups of a product that are older than `before`, newest first. @param before undefined: from the newest */
    async listGroups(
      partnerId: string,
      product: string,
      before: string | undefined,
      limit: number,
      signal: AbortSignal,
    ): Promise<StoredGroup[]> {
      const values = { partnerId, product, before: before ?? MAX, limit };
      return (await fetchRows(db, statements.list, values, signal)).map(toGroup);
    },

    /**
     * The people with a session in each group or in a part of it, by the group's id; a group without any is left out. At
     * most `maxGroupSessions` sessions are read for each group.
     */
    async countPeople(
      partnerId: string,
      groupIds: readonly string[],
      signal: AbortSignal,
    ): Promise<ReadonlyMap<string, GroupCounts>> {
      if (groupIds.length === 0) return new Map();
      const [ids, partner] = [groupIds.map(uuidToBytes), uuidToBytes(partnerId)];
      const rows = await fetchRowsOf(db, countPeople, [ids, partner, ids, partner, partner], signal);
      return new Map(rows.map(({ id, size, started, completed }) => [bytesToUuid(id), { size, started, completed }]));
    },

    /** The parts of a group, by id: no more than a partner may have groups. */
    async listParts(group: GroupName, signal: AbortSignal): Promise<StoredGroup[]> {
      return (await fetchRows(db, statements.listParts, group, signal)).map(toGroup);
    },

    /** The numbers of a closed group as JSON; null: it has none. */
    async findNumbers(group: GroupName, signal: AbortSignal): Promise<string | null> {
      const [row] = await fetchRows(db, statements.findNumbers, group, signal);
      return row?.numbers?.toString() ?? null;
    },

    /** Completed sessions of a group that still have their answers, by id, after `after`. */
    async listCompleted(
      group: GroupName,
      after: CompletionKey["id"],
      limit: number,
      signal: AbortSignal,
    ): Promise<AnsweredSession[]> {
      return (await fetchRows(db, statements.listCompleted, { ...group, after, limit }, signal)).map(toAnswered);
    },

    /**
     * Closes an open group, all or nothing, and one group of a partner at a time. Numbers are left out as `too_alike` if
     * those of a few people could be derived from them and from numbers that the partner got before.
     * @returns `taken`: it was closed already; `changed`: a member was erased meanwhile, or a part is open: nothing was done
     */
    closeGroup(
      group: Pick<StoredGroup, "partnerId" | "id" | "product" | "assessmentId">,
      { closedAt, numbers, members }: GroupClosing,
      signal: AbortSignal,
    ): Promise<"closed" | "taken" | "changed"> {
      const { partnerId, id, product } = group;
      const [partner, groupId] = [uuidToBytes(partnerId), uuidToBytes(id)];
      const rows = members.map(({ sessionId, personId, answersHash }) => {
        return [uuidToBytes(sessionId), partner, groupId, uuidToBytes(personId), Buffer.from(answersHash)];
      });
      return inTransaction(db, signal, async (connection) => {
        // Sessions before groups, as erasures lock them.
        if (rows.length > 0) {
          const ids = rows.map(([sessionId]) => sessionId);
          const held = await readRowsOf(connection, lockSessions, [ids, partner]);
          if (held.length < rows.length) return "changed";
        }
        await madeOf(connection, partnerId);
        const [locked] = await readRows(connection, statements.lock, group);
        if (locked === undefined || locked.closed_at !== null) return "taken";
        if ((await readRows(connection, statements.findOpenPart, group)).length > 0) return "changed";
        let withheld: GroupWithheld | null = numbers === null || rows.length === 0 ? "too_few" : null;
        if (withheld === null) {
          await executeText(connection, insertMembers, [rows]);
          if (await isTooAlikeInStore(connection, { partnerId, id, product, size: rows.length })) {
            await execute(connection, statements.forgetMembers, group);
            withheld = "too_alike";
          }
        }
        const told = withheld === null ? { members: rows.length, numbers } : { members: null, numbers: null };
        await execute(connection, statements.close, { ...group, closedAt, withheld, ...told });
        await execute(connection, outboxStatements.addClosing, { ...group, closedAt });
        return "closed";
      });
    },

    /** The first partner, by id, with an open group that is due to close. */
    async nextDuePartner(after: string, now: TrustedTime, signal: AbortSignal): Promise<string | undefined> {
      const [row] = await fetchRows(db, statements.nextDuePartner, { now, after }, signal);
      return row && bytesToUuid(row.partner_id);
    },

    /** Open groups of a partner that are due to close. */
    async listDue(partnerId: string, now: TrustedTime, limit: number, signal: AbortSignal): Promise<StoredGroup[]> {
      return (await fetchRows(db, statements.listDue, { now, limit, partnerId }, signal)).map(toGroup);
    },
  };
}

function toGroup(row: RowDataPacket): StoredGroup {
  return { ...fromRow<StoredGroup>(row), product: row.product.toString(), label: row.label.toString() };
}
