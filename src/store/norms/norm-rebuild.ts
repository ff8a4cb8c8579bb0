// Recomputing the sums of a set from stored answers, beside everything else that goes on: they are read in a snapshot,
// and only what differs is put right under the lock of the set.
import type { Knex } from "knex";
import type { Connection, RowDataPacket } from "mysql2";
import { onConnection } from "../../database/connection.ts";
import { execute, readRows } from "../../database/statement.ts";
import type { Delta, NormArithmetic } from "../../domain/norms/norm-arithmetic-port.ts";
import type { NormSetName, Rebuilt } from "../../domain/norms/norm-port.ts";
import { countableOf, lockSet, type SetRow, saveSet, saveSums, setToRow, sumsOf, toSetRow } from "./norm-rows.ts";
import { normStatements as statements } from "./norm-statements.ts";

const page = 500;
const beforeAllIds = Buffer.alloc(16);

/** What the stored answers give, and what is stored. */
interface Recomputed {
  readonly set: SetRow;
  readonly sums: Delta;
  readonly stored: Uint8Array | null;
  readonly live: number;
  /** Contributions whose answers are gone: of sessions that a release without norms has erased. */
  readonly orphans: readonly RowDataPacket[];
}

/** Recomputes one set. */
export function rebuildSet(
  db: Knex,
  name: NormSetName,
  arithmetic: NormArithmetic,
  signal: AbortSignal,
): Promise<Rebuilt> {
  return onConnection(db, signal, async (connection) => {
    const session = connection.promise();
    await session.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    await session.query("START TRANSACTION WITH CONSISTENT SNAPSHOT");
    const found = await recompute(connection, name, arithmetic).finally(() => session.query("COMMIT"));
    const { set, live, sums } = found;
    const stored = readSums(found, arithmetic);
    const hasChanged = live !== set.live || sums.some((sum, place) => sum !== stored[place]);
    if (hasChanged) {
      await session.beginTransaction();
      await putRight(connection, found, arithmetic).catch(async (error: unknown) => {
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

async function recompute(connection: Connection, name: NormSetName, arithmetic: NormArithmetic): Promise<Recomputed> {
  const { partnerId, id: setId } = setToRow(name);
  const [row] = await readRows(connection, statements.findSetById, { partnerId, id: setId });
  if (row === undefined) throw new Error("a set is not there");
  const set = toSetRow(row);
  const { assessmentId, kind } = set.key;
  const sums = arithmetic.read(assessmentId, kind, null);
  const orphans: RowDataPacket[] = [];
  let live = 0;
  let after = beforeAllIds;
  for (;;) {
    const values = { setId, partnerId, after, limit: page };
    const rows = await readRows(connection, statements.listContributions, values);
    const last = rows.at(-1);
    if (last === undefined) break;
    const isWhole = (each: RowDataPacket) =>
      each.answers !== null && (kind === "sessions" || each.other_answers !== null);
    const whole = rows.filter(isWhole);
    orphans.push(...rows.filter((each) => !isWhole(each)));
    const contributions = whole.map((each) =>
      kind === "sessions" ? [countableOf(each)] : [countableOf(each, "other_"), countableOf(each)],
    );
    for (const [place, sum] of arithmetic.delta(assessmentId, kind, contributions).entries()) {
      sums[place] = (sums[place] ?? 0) + sum;
    }
    live += whole.length;
    after = last.session_id;
  }
  return { set, sums, stored: await sumsOf(connection, name), live, orphans };
}

/** Adds the differences that the snapshot showed to what is stored by now. */
async function putRight(connection: Connection, found: Recomputed, arithmetic: NormArithmetic): Promise<void> {
  const { set: before, sums, live, orphans } = found;
  const name = { partnerId: before.key.partnerId, id: before.id };
  const set = await lockSet(connection, name);
  if (set === undefined) return;
  const corrected = arithmetic.add(
    arithmetic.add(await sumsOf(connection, name), [sums], 1),
    [readSums(found, arithmetic)],
    -1,
  );
  await saveSums(connection, name, corrected);
  const { partnerId } = setToRow(name);
  for (const { session_id: id } of orphans) await execute(connection, statements.deleteContribution, { partnerId, id });
  const liveNow = set.live + live - before.live;
  await saveSet(connection, { ...set, live: liveNow, fresh: Math.max(1, liveNow) });
}
