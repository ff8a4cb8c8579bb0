// Recomputing the sums of a set from stored answers, beside everything else that goes on: they are read in a snapshot,
// and only what differs is put right under the lock of the set.
import type { Knex } from "knex";
import type { Connection, RowDataPacket } from "mysql2";
import { onConnection } from "../../database/connection.ts";
import { execute } from "../../database/statement.ts";
import type { Delta, NormArithmetic, NormKind } from "../../domain/norms/norm-arithmetic-port.ts";
import type { Rebuilt } from "../../domain/norms/norm-port.ts";
import { bytesToAnswers } from "../sessions/answer-bytes.ts";
import { lockSets, rowsOf, type SetRow, saveSet, saveSums, sumsOf, toSetRow } from "./norm-rows.ts";
import type { NormStatements } from "./norm-statements.ts";

const page = 500;
const beforeAllIds = Buffer.alloc(16);

/** What the stored answers give, and what is stored. */
interface Recomputed {
  readonly set: SetRow;
  readonly sums: Delta;
  readonly stored: Uint8Array | null;
  readonly live: number;
  readonly fresh: number;
  /** Contributions whose answers are gone: of sessions that a release without norms has erased. */
  readonly orphans: readonly RowDataPacket[];
}

/** Recomputes one set. */
export function rebuildSet(
  db: Knex,
  statements: NormStatements,
  setId: number,
  arithmetic: NormArithmetic,
  signal: AbortSignal,
): Promise<Rebuilt> {
  return onConnection(db, signal, async (connection) => {
    const session = connection.promise();
    await session.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    await session.query("START TRANSACTION WITH CONSISTENT SNAPSHOT");
    const found = await recompute(connection, statements, setId, arithmetic).finally(() => session.query("COMMIT"));
    const { set, live, fresh, sums } = found;
    const stored = readSums(found, arithmetic);
    const hasChanged = live !== set.live || fresh !== set.fresh || sums.some((sum, place) => sum !== stored[place]);
    if (hasChanged) {
      await session.beginTransaction();
      await putRight(connection, statements, found, arithmetic).catch(async (error: unknown) => {
        await session.rollback();
        throw error;
      });
      await session.commit();
    }
    return { contributions: live, hasChanged };
  });
}

function readSums({ set: { key }, stored }: Recomputed, arithmetic: NormArithmetic): Delta {
  return arithmetic.read(key.assessmentId, key.kind, stored);
}

async function recompute(
  connection: Connection,
  statements: NormStatements,
  setId: number,
  arithmetic: NormArithmetic,
): Promise<Recomputed> {
  const [row] = await rowsOf(connection, statements.findSetById, { id: setId });
  if (row === undefined) throw new Error("a set is not there");
  const set = toSetRow(row);
  const { assessmentId, kind } = set.key;
  const isPooled = set.pooledId === null;
  const sources = isPooled ? await rowsOf(connection, statements.listOfPooled, { id: setId }) : [row];
  const sums = arithmetic.read(assessmentId, kind, null);
  const orphans: RowDataPacket[] = [];
  let [live, fresh] = [0, 0];
  for (const { id, partner_id: partnerId } of sources) {
    let after = beforeAllIds;
    for (;;) {
      const values = { setId: id, partnerId, after, limit: page };
      const rows = await rowsOf(connection, statements.listContributions, values);
      const whole = rows.filter((each) => answersOf(each, kind).every((bytes) => bytes !== null));
      orphans.push(...rows.filter((each) => !whole.includes(each)));
      const contributions = whole.map((each) => answersOf(each, kind).map((bytes) => bytesToAnswers(bytes)));
      for (const [place, sum] of arithmetic.delta(assessmentId, kind, contributions).entries()) {
        sums[place] = (sums[place] ?? 0) + sum;
      }
      live += whole.length;
      const positionOf = (each: RowDataPacket) => (isPooled ? each.pooled_position : each.position);
      fresh += whole.filter((each) => positionOf(each) > set.releasedThrough).length;
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.session_id;
    }
  }
  return { set, sums, stored: await sumsOf(connection, statements, setId), live, fresh, orphans };
}

function answersOf(row: RowDataPacket, kind: NormKind) {
  return kind === "sessions" ? [row.answers] : [row.other_answers, row.answers];
}

/** Adds the differences that the snapshot showed to what is stored by now. */
async function putRight(
  connection: Connection,
  statements: NormStatements,
  found: Recomputed,
  arithmetic: NormArithmetic,
): Promise<void> {
  const { set: before, sums, live, fresh, orphans } = found;
  const wanted = before.pooledId === null ? [before.id] : [before.id, before.pooledId];
  const sets = await lockSets(connection, statements, wanted);
  const set = sets.get(before.id);
  if (set === undefined) return;
  const corrected = arithmetic.add(
    arithmetic.add(await sumsOf(connection, statements, set.id), [sums], 1),
    [readSums(found, arithmetic)],
    -1,
  );
  await saveSums(connection, statements, set.id, corrected);
  set.live += live - before.live;
  set.fresh += fresh - before.fresh;
  const pooled = before.pooledId === null ? undefined : sets.get(before.pooledId);
  if (pooled !== undefined) {
    const lost = orphans.filter(({ pooled_position: position }) => position > pooled.releasedThrough);
    if (set.pooledRelease === pooled.releases) set.pooledFresh -= lost.length;
    for (const { session_id: id } of orphans) await execute(connection, statements.deleteContribution, { id });
  }
  await saveSet(connection, statements, set);
}
