// Norms in MySQL: accumulators by set, who contributes, and the numbers that are made of them.
import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import { inTransaction } from "../../database/connection.ts";
import { isDuplicateKey } from "../../database/database-errors.ts";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { execute, fetchRows } from "../../database/statement.ts";
import type { FirstSession, NormSetName, NormStore } from "../../domain/norms/norm-port.ts";
import { toSession } from "../sessions/session-rows.ts";
import { countInTransaction, findSetCounts } from "./norm-counting.ts";
import { rebuildSet } from "./norm-rebuild.ts";
import { keyToRow, lockSet, numberToKind, saveSet, setToRow, sumsOf } from "./norm-rows.ts";
import { namedSessions, normStatements as statements } from "./norm-statements.ts";
import { toRow as poolToRow } from "./pool-store.ts";

/** The norm part of the Store port. */
export function createNormStore(db: Knex): NormStore {
  return {
    async listUncounted(after, limit, signal) {
      const values = { completedAt: after.completedAt, id: uuidToBytes(after.id), limit };
      return (await fetchRows(db, statements.listUncounted, values, signal)).map(toSession);
    },

    async findFirstSessions(subjects, signal) {
      const values = namedSessions(subjects.map(({ partnerId, subjectId: id }) => ({ partnerId, id })));
      const rows = await fetchRows(db, statements.findFirstSessions, values, signal);
      const isPaired = new Set(rows.filter(({ kind }) => numberToKind(kind) === "retests").map(personOf));
      return rows
        .filter(({ kind }) => numberToKind(kind) === "sessions")
        .map(
          (row): FirstSession => ({
            subjectId: bytesToUuid(row.subject_id),
            assessmentId: row.assessment_id,
            sessionId: bytesToUuid(row.session_id),
            contributes: row.set_id !== null,
            hasRetest: isPaired.has(personOf(row)),
          }),
        );
    },

    async count(sessions, arithmetic, signal) {
      const counts = await findSetCounts(db, sessions, signal);
      try {
        await inTransaction(db, signal, (connection) => countInTransaction(connection, sessions, counts, arithmetic));
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    async listStale(limit, signal) {
      return (await fetchRows(db, statements.listStale, { limit }, signal)).map(toSetName);
    },

    saveNumbers(name, make, signal) {
      return inTransaction(db, signal, async (connection) => {
        const set = await lockSet(connection, name);
        if (set === undefined) return;
        const made = make(set.key, await sumsOf(connection, name));
        if (made === null) await execute(connection, statements.deleteNumbers, setToRow(name));
        else {
          const { computedAt, people, numbers } = made;
          const values = { ...setToRow(name), computedAt, people, numbers: Buffer.from(numbers) };
          await execute(connection, statements.saveNumbers, values);
        }
        await saveSet(connection, { ...set, fresh: 0 });
      });
    },

    async findNumbers(key, signal) {
      const [row] = await fetchRows(db, statements.findNumbers, keyToRow(key), signal);
      return row && { computedAt: row.computed_at, people: row.people, numbers: row.numbers };
    },

    async findNextPool(after, signal) {
      const values = poolToRow(after ?? { assessmentId: 0, language: "" });
      const [row] = await fetchRows(db, statements.findNextPool, values, signal);
      return row && { assessmentId: row.assessment_id, language: row.language.toString() };
    },

    async listSets(after, limit, signal) {
      const rows = await fetchRows(db, statements.listSets, { ...setToRow(after), limit }, signal);
      return rows.map((row) => ({ ...toSetName(row), assessmentId: row.assessment_id }));
    },

    rebuild: (set, arithmetic, signal) => rebuildSet(db, set, arithmetic, signal),
  };
}

function toSetName({ partner_id: partnerId, id }: RowDataPacket): NormSetName {
  return { partnerId: bytesToUuid(partnerId), id };
}

function personOf(row: RowDataPacket): string {
  return `${row.subject_id.toString("hex")} ${row.assessment_id}`;
}
