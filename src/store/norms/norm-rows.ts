// Rows of norms.
import type { Connection, ResultSetHeader, RowDataPacket } from "mysql2";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { execute, readRows } from "../../database/statement.ts";
import type { CountableSession, NormKind } from "../../domain/norms/norm-arithmetic-port.ts";
import type { NormSetKey, NormSetName } from "../../domain/norms/norm-port.ts";
import { bytesToAnswers } from "../sessions/answer-bytes.ts";
import { normStatements as statements } from "./norm-statements.ts";

const kindNumbers = { sessions: 1, retests: 2 } as const;

/** A set as it is stored, without its sums. */
export interface SetRow {
  readonly id: number;
  readonly key: NormSetKey;
  /** Contributions. */
  live: number;
  /** How many of them have come since the numbers were computed; all, if any has gone. */
  fresh: number;
}

/** The columns that name a set. */
export function keyToRow({ assessmentId, language, kind, partnerId }: NormSetKey) {
  return {
    assessmentId,
    language: Buffer.from(language),
    kind: kindNumbers[kind],
    partnerId: uuidToBytes(partnerId),
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
      partnerId: bytesToUuid(row.partner_id),
    },
    live: row.live,
    fresh: row.fresh,
  };
}

/** Names a set: partners may have sets of the same number. */
export function setToRow({ partnerId, id }: NormSetName) {
  return { partnerId: uuidToBytes(partnerId), id };
}

/** Everybody locks sets in this order, so that nobody waits in a circle. */
export function inOrderOfLocks(one: NormSetName, other: NormSetName): number {
  if (one.partnerId !== other.partnerId) return one.partnerId < other.partnerId ? -1 : 1;
  return one.id - other.id;
}

/** Locks a set; undefined if there is none. */
export async function lockSet(connection: Connection, name: NormSetName): Promise<SetRow | undefined> {
  const [row] = await readRows(connection, statements.lockSet, setToRow(name));
  return row && toSetRow(row);
}

/** Saves the counters of a set that is locked. */
export async function saveSet(connection: Connection, { id, key, live, fresh }: SetRow): Promise<void> {
  await execute(connection, statements.saveSet, { ...setToRow({ ...key, id }), live, fresh });
}

/** What of a stored session is counted. @param row answers, completed_at and mode, maybe with a prefix */
export function countableOf(row: RowDataPacket, prefix = ""): CountableSession {
  return {
    answers: bytesToAnswers(row[`${prefix}answers`]),
    completedAt: row[`${prefix}completed_at`],
    isHosted: row[`${prefix}mode`] === "hosted",
  };
}

/** The sums of a set; null for one that was never added to. */
export async function sumsOf(connection: Connection, name: NormSetName): Promise<Uint8Array | null> {
  const [row] = await readRows(connection, statements.findSums, setToRow(name));
  return row?.sums ?? null;
}

/**
 * Saves the sums of a set that is locked. One row is updated, not replaced: replacing locks the gap beside it, where
 * another set's sums may have to go.
 */
export async function saveSums(connection: Connection, name: NormSetName, sums: Uint8Array): Promise<void> {
  const values = { ...setToRow(name), sums: Buffer.from(sums) };
  const { affectedRows } = (await execute(connection, statements.updateSums, values)) as ResultSetHeader;
  if (affectedRows === 0) await execute(connection, statements.insertSums, values);
}
