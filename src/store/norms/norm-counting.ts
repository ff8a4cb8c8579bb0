// Counting sessions for norms, in one transaction.
import type { Knex } from "knex";
import type { Connection } from "mysql2";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { execute, fetchRows, write } from "../../database/statement.ts";
import type { Delta, NormArithmetic } from "../../domain/norms/norm-arithmetic-port.ts";
import type { CountedSession, NormSetKey } from "../../domain/norms/norm-port.ts";
import type { AnswerSheet } from "../../domain/sessions/session-port.ts";
import { keyToRow, kindToNumber, lockSets, rowsOf, saveSet, saveSums, sumsOf } from "./norm-rows.ts";
import { type NormStatements, namedSessions } from "./norm-statements.ts";

/** Of sessions whose statements were shown in a language that nobody knows. */
const unknownLanguage = "und";

/** Sessions that add to one set of a partner. */
export interface SetCount {
  readonly id: number;
  readonly pooledId: number;
  readonly key: NormSetKey;
  readonly members: readonly CountedSession[];
}

/** The sets that sessions add to; those that are not there yet are made. */
export async function findSetCounts(
  db: Knex,
  statements: NormStatements,
  sessions: readonly CountedSession[],
  signal: AbortSignal,
): Promise<SetCount[]> {
  const groups = new Map<string, { key: NormSetKey; members: CountedSession[] }>();
  for (const each of sessions) {
    const { session, role } = each;
    if (role.name === "none" || (role.name === "first" && !role.contributes)) continue;
    const { assessmentId, partnerId, shownLanguage } = session;
    const kind = role.name === "first" ? "sessions" : "retests";
    const key = { assessmentId, language: shownLanguage ?? unknownLanguage, kind, partnerId } as const;
    const name = JSON.stringify(key);
    const group = groups.get(name) ?? { key, members: [] };
    group.members.push(each);
    groups.set(name, group);
  }
  const counts: SetCount[] = [];
  for (const group of groups.values()) {
    const pooledId = await provideSet(db, statements, { ...group.key, partnerId: null }, null, signal);
    counts.push({ id: await provideSet(db, statements, group.key, pooledId, signal), pooledId, ...group });
  }
  return counts;
}

async function provideSet(
  db: Knex,
  statements: NormStatements,
  key: NormSetKey,
  pooledId: number | null,
  signal: AbortSignal,
): Promise<number> {
  const values = keyToRow(key);
  const [known] = await fetchRows(db, statements.findSet, values, signal);
  if (known !== undefined) return known.id;
  await write(db, statements.insertSet, { ...values, pooledId }, signal);
  const [made] = await fetchRows(db, statements.findSet, values, signal);
  return made?.id;
}

/** Adds the sessions that are still to be counted, and marks them. */
export async function countInTransaction(
  connection: Connection,
  statements: NormStatements,
  sessions: readonly CountedSession[],
  counts: readonly SetCount[],
  arithmetic: NormArithmetic,
): Promise<void> {
  const kept = await lockThem(connection, statements, sessions);
  if (kept.size === 0) return;
  const remaining = counts
    .map((count) => ({ ...count, members: count.members.filter(({ session }) => kept.has(session.id)) }))
    .filter(({ members }) => members.length > 0);
  const places = await addUp(connection, statements, remaining, arithmetic);
  const rows = sessions.filter(({ session, role }) => kept.has(session.id) && role.name !== "none");
  // Everybody inserts in the order of the key, so that nobody waits in a circle.
  for (const { session, subjectId, role } of rows.toSorted((a, b) => (a.subjectId < b.subjectId ? -1 : 1))) {
    const place = places.get(session.id);
    await execute(connection, statements.insertContribution, {
      sessionId: uuidToBytes(session.id),
      kind: kindToNumber(role.name === "retest" ? "retests" : "sessions"),
      subjectId: uuidToBytes(subjectId),
      assessmentId: session.assessmentId,
      otherSessionId: role.name === "retest" ? uuidToBytes(role.first.id) : null,
      setId: place?.setId ?? null,
      position: place?.position ?? 0,
      pooledPosition: place?.pooledPosition ?? 0,
    });
  }
  const marked = sessions.map(({ session }) => session).filter(({ id }) => kept.has(id));
  await execute(connection, statements.markCounted, namedSessions(marked));
}

/** The ids of sessions that are locked now, together with the first ones of their pairs. */
async function lockThem(
  connection: Connection,
  statements: NormStatements,
  sessions: readonly CountedSession[],
): Promise<Set<string>> {
  const names = namedSessions(sessions.map(({ session }) => session));
  const locked = new Set((await rowsOf(connection, statements.lockUncounted, names)).map(({ id }) => bytesToUuid(id)));
  for (const { session, role } of sessions) {
    if (role.name !== "retest" || !locked.has(session.id)) continue;
    // Counted by this very transaction, just before.
    if (locked.has(role.first.id)) continue;
    const id = uuidToBytes(role.first.id);
    const partnerId = uuidToBytes(session.partnerId);
    const [first] = await rowsOf(connection, statements.lockSession, { partnerId, id });
    const [contribution] = await rowsOf(connection, statements.findContribution, { id });
    if (first === undefined || contribution === undefined) locked.delete(session.id);
  }
  return locked;
}

interface Place {
  readonly setId: number;
  readonly position: number;
  readonly pooledPosition: number;
}

async function addUp(
  connection: Connection,
  statements: NormStatements,
  counts: readonly SetCount[],
  arithmetic: NormArithmetic,
): Promise<Map<string, Place>> {
  const sets = await lockSets(
    connection,
    statements,
    counts.flatMap(({ id, pooledId }) => [id, pooledId]),
  );
  const places = new Map<string, Place>();
  const deltas = new Map<number, Delta[]>();
  for (const { id, pooledId, key, members } of counts) {
    const [set, pooled] = [sets.get(id), sets.get(pooledId)];
    if (set === undefined || pooled === undefined) throw new Error("a set is not there");
    if (set.pooledRelease !== pooled.releases) set.pooledFresh = 0;
    set.pooledRelease = pooled.releases;
    set.pooledFresh += members.length;
    for (const { session } of members) {
      for (const each of [set, pooled]) {
        each.live += 1;
        each.fresh += 1;
        each.lastPosition += 1;
      }
      places.set(session.id, { setId: id, position: set.lastPosition, pooledPosition: pooled.lastPosition });
    }
    const delta = arithmetic.delta(key.assessmentId, key.kind, members.map(answersOf));
    for (const each of [id, pooledId]) deltas.set(each, [...(deltas.get(each) ?? []), delta]);
  }
  for (const [id, added] of deltas) {
    const set = sets.get(id);
    if (set === undefined) continue;
    const sums = arithmetic.add(await sumsOf(connection, statements, id), added, 1);
    await saveSums(connection, statements, id, sums);
    await saveSet(connection, statements, set);
  }
  return places;
}

function answersOf({ session, role }: CountedSession): readonly AnswerSheet[] {
  return role.name === "retest" ? [role.first.answers, session.answers] : [session.answers];
}
