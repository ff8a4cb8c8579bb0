// Taking contributions to norms away, in the transaction that removes the answers which they were made of.
import type { Connection, RowDataPacket } from "mysql2";
import { execute } from "../../database/statement.ts";
import type { Delta, NormArithmetic } from "../../domain/norms/norm-arithmetic-port.ts";
import { bytesToAnswers } from "../sessions/answer-bytes.ts";
import { lockSets, numberToKind, rowsOf, type SetRow, saveSet, saveSums, sumsOf } from "./norm-rows.ts";
import type { NormStatements } from "./norm-statements.ts";

interface Removal {
  readonly delta: Delta;
  readonly position: number;
  readonly pooledPosition: number;
}

/**
 * Takes away what sessions contribute to norms, alone or as one of a pair, and forgets that they were counted. It is
 * called while their rows are locked and still there: the numbers are computed from the answers once more.
 * @param partnerId whose sessions they are
 * @param ids of the sessions whose answers are removed
 * @param at when, by the clock of the service
 */
export async function removeContributions(
  connection: Connection,
  statements: NormStatements,
  partnerId: Buffer,
  ids: readonly Buffer[],
  arithmetic: NormArithmetic,
  at: Date,
): Promise<void> {
  const rows = new Map<string, RowDataPacket>();
  for (const id of ids) {
    const own = await rowsOf(connection, statements.findContribution, { id });
    const paired = await rowsOf(connection, statements.findContributionsWith, { id });
    for (const row of [...own, ...paired]) rows.set(row.session_id.toString("hex"), row);
  }
  const bySet = new Map<number, Removal[]>();
  for (const row of rows.values()) {
    await execute(connection, statements.deleteContribution, { id: row.session_id });
    if (row.set_id === null) continue;
    const kind = numberToKind(row.kind);
    const sessionIds = row.other_session_id === null ? [row.session_id] : [row.other_session_id, row.session_id];
    const answers = await Promise.all(sessionIds.map((id) => answersOf(connection, statements, { partnerId, id })));
    const delta = arithmetic.delta(row.assessment_id, kind, [answers]);
    const removals = bySet.get(row.set_id) ?? [];
    removals.push({ delta, position: row.position, pooledPosition: row.pooled_position });
    bySet.set(row.set_id, removals);
  }
  await takeAway(connection, statements, bySet, arithmetic, at);
}

async function answersOf(
  connection: Connection,
  statements: NormStatements,
  session: { readonly partnerId: Buffer; readonly id: Buffer },
) {
  const [row] = await rowsOf(connection, statements.findAnswers, session);
  return bytesToAnswers(row?.answers ?? Buffer.alloc(0));
}

async function takeAway(
  connection: Connection,
  statements: NormStatements,
  bySet: ReadonlyMap<number, readonly Removal[]>,
  arithmetic: NormArithmetic,
  at: Date,
): Promise<void> {
  const wanted: number[] = [];
  for (const id of bySet.keys()) {
    const [row] = await rowsOf(connection, statements.findSetById, { id });
    wanted.push(id, ...(row?.pooled_id === null || row === undefined ? [] : [row.pooled_id]));
  }
  const sets = await lockSets(connection, statements, wanted);
  const byPooled = new Map<number, Removal[]>();
  for (const [id, removals] of bySet) {
    const set = sets.get(id);
    const pooled = set?.pooledId == null ? undefined : sets.get(set.pooledId);
    if (set === undefined || pooled === undefined) throw new Error("a contribution to a set that is not there");
    const isPooledFresh = ({ pooledPosition }: Removal) => pooledPosition > pooled.releasedThrough;
    const known = set.pooledRelease === pooled.releases ? set.pooledFresh : 0;
    set.pooledFresh = known - removals.filter(isPooledFresh).length;
    set.pooledRelease = pooled.releases;
    await subtract(connection, statements, set, removals, arithmetic, at);
    byPooled.set(pooled.id, [
      ...(byPooled.get(pooled.id) ?? []),
      ...removals.map((each) => ({ ...each, position: each.pooledPosition })),
    ]);
  }
  for (const [id, removals] of byPooled) {
    const pooled = sets.get(id);
    if (pooled !== undefined) await subtract(connection, statements, pooled, removals, arithmetic, at);
  }
}

async function subtract(
  connection: Connection,
  statements: NormStatements,
  set: SetRow,
  removals: readonly Removal[],
  arithmetic: NormArithmetic,
  at: Date,
): Promise<void> {
  const fresh = removals.filter(({ position }) => position > set.releasedThrough).length;
  set.live -= removals.length;
  set.fresh -= fresh;
  if (fresh < removals.length) set.removedAt ??= at;
  const sums = await sumsOf(connection, statements, set.id);
  const deltas = removals.map(({ delta }) => delta);
  await saveSums(connection, statements, set.id, arithmetic.add(sums, deltas, -1));
  await saveSet(connection, statements, set);
}
