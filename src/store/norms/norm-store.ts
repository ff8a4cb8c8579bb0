// Norms in MySQL: accumulators by set, who contributes, and what is released.
import type { Knex } from "knex";
import type { Connection, RowDataPacket } from "mysql2";
import { inTransaction, repeatable } from "../../database/connection.ts";
import { isDuplicateKey } from "../../database/database-errors.ts";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { execute, fetchRows } from "../../database/statement.ts";
import type { FirstSession, NormSetState, NormStore } from "../../domain/norms/norm-port.ts";
import { toSession } from "../sessions/session-rows.ts";
import { countInTransaction, findSetCounts } from "./norm-counting.ts";
import { rebuildSet } from "./norm-rebuild.ts";
import { keyToRow, lockSets, numberToKind, rowsOf, type SetRow, saveSet, sumsOf, toSetRow } from "./norm-rows.ts";
import { type NormStatements, named, normStatements } from "./norm-statements.ts";

/** The norm part of the Store port. */
export function createNormStore(db: Knex): NormStore {
  const statements = normStatements(db);
  return {
    async listUncounted(after, limit, signal) {
      const values = { completedAt: after.completedAt, id: uuidToBytes(after.id), limit };
      return (await fetchRows(db, statements.listUncounted, values, signal)).map(toSession);
    },

    async findFirstSessions(subjectIds, signal) {
      const rows = await fetchRows(db, statements.findFirstSessions, named(subjectIds.map(uuidToBytes)), signal);
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
      const counts = await findSetCounts(db, statements, sessions, signal);
      try {
        await inTransaction(db, signal, (connection) =>
          countInTransaction(connection, statements, sessions, counts, arithmetic),
        );
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    async listReleasable(live, fresh, signal) {
      return (await fetchRows(db, statements.listReleasable, { live, fresh }, signal)).map(({ id }) => id);
    },

    release(setId, make, signal) {
      return inTransaction(db, signal, async (connection) => {
        const set = (await lockSets(connection, statements, [setId])).get(setId);
        const sums = await sumsOf(connection, statements, setId);
        if (set === undefined || sums === null) return false;
        const made = make(await stateOf(connection, statements, set), sums);
        if (made === null) return false;
        await execute(connection, statements.saveRelease, {
          id: setId,
          releasedAt: made.releasedAt,
          contributions: set.live,
          numbers: Buffer.from(made.numbers),
        });
        set.releasedThrough = set.lastPosition;
        set.fresh = 0;
        set.releases += 1;
        set.removedAt = null;
        await saveSet(connection, statements, set);
        return true;
      });
    },

    async withdraw(removedBefore, signal) {
      const due = await fetchRows(db, statements.listRemoved, { before: removedBefore }, signal);
      for (const { id } of due) {
        await inTransaction(db, signal, async (connection) => {
          const set = (await lockSets(connection, statements, [id])).get(id);
          // Released anew in between?
          if (set?.removedAt == null || set.removedAt > removedBefore) return;
          await execute(connection, statements.deleteRelease, { id });
        });
      }
    },

    findSet(key, signal) {
      return repeatable(db, signal, async (connection) => {
        const [row] = await rowsOf(connection, statements.findSet, keyToRow(key));
        if (row === undefined) return undefined;
        const state = await stateOf(connection, statements, toSetRow(row));
        const [release] = await rowsOf(connection, statements.findRelease, { id: row.id });
        return {
          state,
          release:
            release === undefined
              ? null
              : { releasedAt: release.released_at, contributions: release.contributions, numbers: release.numbers },
        };
      });
    },

    async listSets(after, limit, signal) {
      const rows = await fetchRows(db, statements.listSets, { after, limit }, signal);
      return rows.map((row) => ({ id: row.id, assessmentId: row.assessment_id }));
    },

    rebuild: (setId, arithmetic, signal) => rebuildSet(db, statements, setId, arithmetic, signal),
  };
}

function personOf(row: RowDataPacket): string {
  return `${row.subject_id.toString("hex")} ${row.assessment_id}`;
}

async function stateOf(connection: Connection, statements: NormStatements, set: SetRow): Promise<NormSetState> {
  const { id, key, live, fresh, releases, removedAt } = set;
  if (key.partnerId !== null) return { key, live, fresh, freshOfLargest: 0, releases, removedAt };
  const [row] = await rowsOf(connection, statements.freshOfLargest, { id, release: releases });
  return { key, live, fresh, freshOfLargest: row?.fresh ?? 0, releases, removedAt };
}
