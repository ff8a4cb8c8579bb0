// Taking contributions to norms away, in the transaction that removes the answers which they were made of.
import type { Connection, RowDataPacket } from "mysql2";
import { bytesToUuid } from "../../database/rows.ts";
import { execute, readRows } from "../../database/statement.ts";
import type { CountableSession, Delta, NormArithmetic } from "../../domain/norms/norm-arithmetic-port.ts";
import { countableOf, inOrderOfLocks, lockSet, numberToKind, saveSet, saveSums, sumsOf } from "./norm-rows.ts";
import { normStatements as statements } from "./norm-statements.ts";

/**
 * Takes away what sessions contribute to norms, alone or as one of a pair, and forgets that they were counted. It is
 * called while their rows are locked and still there: the numbers are computed from the answers once more.
 * @param partnerId whose sessions they are
 * @param ids of the sessions whose answers are removed
 */
export async function removeContributions(
  connection: Connection,
  partnerId: Buffer,
  ids: readonly Buffer[],
  arithmetic: NormArithmetic,
): Promise<void> {
  const rows = new Map<string, RowDataPacket>();
  for (const id of ids) {
    const own = await readRows(connection, statements.findContribution, { partnerId, id });
    const paired = await readRows(connection, statements.findContributionsWith, { partnerId, id });
    for (const row of [...own, ...paired]) rows.set(row.session_id.toString("hex"), row);
  }
  const bySet = new Map<number, Delta[]>();
  for (const row of rows.values()) {
    await execute(connection, statements.deleteContribution, { partnerId, id: row.session_id });
    if (row.set_id === null) continue;
    const kind = numberToKind(row.kind);
    const sessionIds = row.other_session_id === null ? [row.session_id] : [row.other_session_id, row.session_id];
    const sessions: CountableSession[] = [];
    for (const id of sessionIds) {
      const [session] = await readRows(connection, statements.findCountable, { partnerId, id });
      if (session === undefined) throw new Error("a contribution of a session that is not there");
      sessions.push(countableOf(session));
    }
    const delta = arithmetic.delta(row.assessment_id, kind, [sessions]);
    bySet.set(row.set_id, [...(bySet.get(row.set_id) ?? []), delta]);
  }
  const names = [...bySet.keys()].map((id) => ({ partnerId: bytesToUuid(partnerId), id }));
  for (const name of names.toSorted(inOrderOfLocks)) {
    const deltas = bySet.get(name.id) ?? [];
    const set = await lockSet(connection, name);
    if (set === undefined) throw new Error("a contribution to a set that is not there");
    await saveSums(connection, name, arithmetic.add(await sumsOf(connection, name), deltas, -1));
    // The numbers are computed anew, however few have gone.
    const live = set.live - deltas.length;
    await saveSet(connection, { ...set, live, fresh: Math.max(1, live) });
  }
}
