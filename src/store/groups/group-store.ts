// Groups in MySQL.
import type { Knex } from "knex";
import type { Connection, RowDataPacket } from "mysql2";
import { inTransaction } from "../../database/connection.ts";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { execute, executeText, fetchRows, inserts, readRows, readRowsOf } from "../../database/statement.ts";
import type { GroupName, GroupStore, StoredGroup } from "../../domain/groups/group-port.ts";
import { putInOutbox } from "../events/outbox.ts";
import { toSession } from "../sessions/session-rows.ts";
import { isTooAlike } from "./alike.ts";
import { insertCount, insertMembers, lockSessions, groupStatements as statements } from "./group-statements.ts";

const [firstId, lastId] = [Buffer.alloc(16), Buffer.alloc(16, 0xff)];

/** The group part of the Store port. */
export function createGroupStore(db: Knex): GroupStore {
  async function madeOf(connection: Connection, partnerId: Buffer): Promise<number> {
    const [row] = await readRows(connection, statements.lockCount, { partnerId });
    return row?.made ?? 0;
  }

  return {
    insertGroup(group, most, signal) {
      const { idempotency } = group;
      const values = {
        ...nameToRow(group),
        product: Buffer.from(group.product),
        assessmentId: group.assessmentId,
        label: Buffer.from(group.label),
        createdAt: group.createdAt,
        closesAt: group.closesAt,
        joined: 0,
        idempotencyKey: idempotency === null ? null : Buffer.from(idempotency.key),
        requestHash: idempotency === null ? null : Buffer.from(idempotency.requestHash),
      };
      return inTransaction(db, signal, async (connection) => {
        await executeText(connection, insertCount, [values.partnerId]);
        const made = await madeOf(connection, values.partnerId);
        // Its own id is taken where an earlier try did happen.
        if (!(await inserts(connection, statements.insert, values)))
          return idempotency === null ? "inserted" : "key_taken";
        if (made >= most) {
          await execute(connection, statements.remove, values);
          return "limit_reached";
        }
        await execute(connection, statements.count, values);
        return "inserted";
      });
    },

    async findGroup(group, signal) {
      const [row] = await fetchRows(db, statements.find, nameToRow(group), signal);
      return row && toGroup(row);
    },

    async findGroupByKey(partnerId, key, signal) {
      const values = { partnerId: uuidToBytes(partnerId), idempotencyKey: Buffer.from(key) };
      const [row] = await fetchRows(db, statements.findByKey, values, signal);
      return row && { group: toGroup(row), requestHash: row.request_hash };
    },

    async listGroups(partnerId, product, before, limit, signal) {
      const values = {
        partnerId: uuidToBytes(partnerId),
        product: Buffer.from(product),
        before: before === undefined ? lastId : uuidToBytes(before),
        limit,
      };
      return (await fetchRows(db, statements.list, values, signal)).map(toGroup);
    },

    async findNumbers(group, signal) {
      const [row] = await fetchRows(db, statements.findNumbers, nameToRow(group), signal);
      return row?.numbers?.toString() ?? null;
    },

    async listCompleted(group, after, limit, signal) {
      const values = { ...nameToRow(group), after: uuidToBytes(after), limit };
      return (await fetchRows(db, statements.listCompleted, values, signal)).map(toSession);
    },

    closeGroup(group, { closedAt, numbers, members }, { mostDifferent }, signal) {
      const name = nameToRow(group);
      const { partnerId, id } = name;
      const rows = members.map((each) => [uuidToBytes(each.sessionId), partnerId, id, uuidToBytes(each.personId)]);
      return inTransaction(db, signal, async (connection) => {
        // Sessions before groups, as erasures lock them.
        if (rows.length > 0) {
          const ids = rows.map(([sessionId]) => sessionId);
          const held = await readRowsOf(connection, lockSessions, [ids, partnerId]);
          if (held.length < rows.length) return "changed";
        }
        await madeOf(connection, partnerId);
        const [locked] = await readRows(connection, statements.lock, name);
        if (locked === undefined || locked.closed_at !== null) return "taken";
        const closing = { ...name, closedAt, members: null, withheld: null, numbers: null };
        if (numbers === null || rows.length === 0) {
          await execute(connection, statements.close, { ...closing, withheld: "too_few" });
          await announce(connection, group, closedAt);
          return "closed";
        }
        await executeText(connection, insertMembers, [rows]);
        const people = rows.map(([, , , personId]) => personId).filter((personId) => personId !== undefined);
        const product = Buffer.from(group.product);
        if (await isTooAlike(connection, { partnerId, id, product, people, mostDifferent })) {
          await execute(connection, statements.forgetMembers, name);
          await execute(connection, statements.close, { ...closing, withheld: "too_alike" });
          await announce(connection, group, closedAt);
          return "closed";
        }
        const withNumbers = { ...closing, members: rows.length, numbers: Buffer.from(numbers) };
        await execute(connection, statements.close, withNumbers);
        await announce(connection, group, closedAt);
        return "closed";
      });
    },

    async nextDuePartner(after, now, signal) {
      const values = { now, after: after === "" ? firstId : uuidToBytes(after) };
      const [row] = await fetchRows(db, statements.nextDuePartner, values, signal);
      return row && bytesToUuid(row.partner_id);
    },

    async listDue(partnerId, now, limit, signal) {
      const values = { now, limit, partnerId: uuidToBytes(partnerId) };
      return (await fetchRows(db, statements.listDue, values, signal)).map(toGroup);
    },
  };
}

function announce(
  connection: Connection,
  { partnerId, id, assessmentId }: GroupName & Pick<StoredGroup, "assessmentId">,
  occurredAt: Date,
): Promise<void> {
  const resource = { partnerId: uuidToBytes(partnerId), resourceId: uuidToBytes(id) };
  return putInOutbox(connection, { ...resource, type: "group.closed", occurrence: 1, assessmentId, occurredAt });
}

function nameToRow({ partnerId, id }: GroupName) {
  return { partnerId: uuidToBytes(partnerId), id: uuidToBytes(id) };
}

function toGroup(row: RowDataPacket): StoredGroup {
  return {
    id: bytesToUuid(row.id),
    partnerId: bytesToUuid(row.partner_id),
    product: row.product.toString(),
    assessmentId: row.assessment_id,
    label: row.label.toString(),
    createdAt: row.created_at,
    closesAt: row.closes_at,
    closedAt: row.closed_at,
    withheld: row.withheld,
    counts: { size: row.size, started: row.started, completed: row.completed },
  };
}
