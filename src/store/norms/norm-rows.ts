// Rows of norms.
import type { Connection, ResultSetHeader, RowDataPacket } from "mysql2";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { execute, type Statement } from "../../database/statement.ts";
import type { NormKind } from "../../domain/norms/norm-arithmetic-port.ts";
import type { NormSetKey } from "../../domain/norms/norm-port.ts";
import type { NormStatements } from "./norm-statements.ts";

/** Stands for all partners together. */
const allPartners = Buffer.alloc(16);
const kindNumbers = { sessions: 1, retests: 2 } as const;

/** A set as it is stored, without its sums. Positions count the contributions that were ever added. */
export interface SetRow {
  readonly id: number;
  readonly key: NormSetKey;
  /** Of the set of all partners; null for that one itself. */
  readonly pooledId: number | null;
  live: number;
  lastPosition: number;
  /** Contributions up to this position were in a release. */
  releasedThrough: number;
  fresh: number;
  /** Contributions that are in no release of the set of all partners after its release of this number. */
  pooledFresh: number;
  pooledRelease: number;
  releases: number;
  removedAt: Date | null;
}

/** The columns that name a set. */
export function keyToRow({ assessmentId, language, kind, partnerId }: NormSetKey) {
  return {
    assessmentId,
    language: Buffer.from(language),
    kind: kindNumbers[kind],
    partnerId: partnerId === null ? allPartners : uuidToBytes(partnerId),
  };
}

export function kindToNumber(kind: NormKind): number {
  return kindNumbers[kind];
}

export function numberToKind(kind: number): NormKind {
  return kind === kindNumbers.sessions ? "sessions" : "retests";
}

export function toSetRow(row: RowDataPacket): SetRow {
  return {
    id: row.id,
    key: {
      assessmentId: row.assessment_id,
      language: row.language.toString(),
      kind: numberToKind(row.kind),
      partnerId: row.partner_id.equals(allPartners) ? null : bytesToUuid(row.partner_id),
    },
    pooledId: row.pooled_id,
    live: row.live,
    lastPosition: row.last_position,
    releasedThrough: row.released_through,
    fresh: row.fresh,
    pooledFresh: row.pooled_fresh,
    pooledRelease: row.pooled_release,
    releases: row.releases,
    removedAt: row.removed_at,
  };
}

/** The rows of a query on a connection that the caller holds. */
export async function rowsOf(
  connection: Connection,
  statement: Statement,
  values: Parameters<typeof execute>[2],
): Promise<RowDataPacket[]> {
  return (await execute(connection, statement, values)) as RowDataPacket[];
}

/** Locks sets, in ascending id as everybody does, so that nobody waits in a circle. */
export async function lockSets(
  connection: Connection,
  statements: NormStatements,
  ids: Iterable<number>,
): Promise<Map<number, SetRow>> {
  const locked = new Map<number, SetRow>();
  for (const id of [...new Set(ids)].sort((one, other) => one - other)) {
    const [row] = await rowsOf(connection, statements.lockSet, { id });
    if (row !== undefined) locked.set(id, toSetRow(row));
  }
  return locked;
}

/** Saves the counters of a set that is locked. */
export async function saveSet(connection: Connection, statements: NormStatements, set: SetRow): Promise<void> {
  const { key: _, pooledId: __, ...counters } = set;
  await execute(connection, statements.saveSet, counters);
}

/** The sums of a set; null for one that was never added to. */
export async function sumsOf(
  connection: Connection,
  statements: NormStatements,
  id: number,
): Promise<Uint8Array | null> {
  const [row] = await rowsOf(connection, statements.findSums, { id });
  return row?.sums ?? null;
}

/**
 * Saves the sums of a set that is locked. One row is updated, not replaced: replacing locks the gap beside it, where
 * another set's sums may have to go.
 */
export async function saveSums(
  connection: Connection,
  statements: NormStatements,
  id: number,
  sums: Uint8Array,
): Promise<void> {
  const values = { id, sums: Buffer.from(sums) };
  const { affectedRows } = (await execute(connection, statements.updateSums, values)) as ResultSetHeader;
  if (affectedRows === 0) await execute(connection, statements.insertSums, values);
}
