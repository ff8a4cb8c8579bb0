// Counting sessions for norms, in one transaction.
import type { Knex } from "knex";
import type { Connection } from "mysql2";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { execute, fetchRows, readRows, write } from "../../database/statement.ts";
import type { CountableSession, NormArithmetic } from "../../domain/norms/norm-arithmetic-port.ts";
import { addsToSet, type CountedSession, type NormSetKey } from "../../domain/norms/norm-port.ts";
import type { StoredSession } from "../../domain/sessions/session-port.ts";
import { keyToRow, kindToNumber, lockSets, saveSet, saveSums, sumsOf } from "./norm-rows.ts";
import { namedSessions, normStatements as statements } from "./norm-statements.ts";

/** Of sessions whose statements were shown in a language that nobody knows. */
const unknownLanguage = "und";

/** Sessions that add to one set of a partner. */
export interface SetCount {
  readonly id: number;
  readonly key: NormSetKey;
  readonly members: readonly CountedSession[];
}

/** The sets that sessions add to; those that are not there yet are made. */
export async function findSetCounts(
  db: Knex,
  sessions: readonly CountedSession[],
  signal: AbortSignal,
): Promise<SetCount[]> {
  const groups = new Map<string, { key: NormSetKey; members: CountedSession[] }>();
  for (const each of sessions) {
    const { session, role } = each;
    if (!addsToSet(role)) continue;
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
    counts.push({ id: await provideSet(db, group.key, signal), ...group });
  }
  return counts;
}

async function provideSet(db: Knex, key: NormSetKey, signal: AbortSignal): Promise<number> {
  const values = keyToRow(key);
  const [known] = await fetchRows(db, statements.findSet, values, signal);
  if (known !== undefined) return known.id;
  await write(db, statements.insertSet, values, signal);
  const [made] = await fetchRows(db, statements.findSet, values, signal);
  return made?.id;
}

/** Adds the sessions that are still to be counted, and marks them. */
export async function countInTransaction(
  connection: Connection,
  sessions: readonly CountedSession[],
  counts: readonly SetCount[],
  arithmetic: NormArithmetic,
): Promise<void> {
  const kept = await lockThem(connection, sessions);
  if (kept.size === 0) return;
  const remaining = counts
    .map((count) => ({ ...count, members: count.members.filter(({ session }) => kept.has(session.id)) }))
    .filter(({ members }) => members.length > 0);
  const setIds = await addUp(connection, remaining, arithmetic);
  const rows = sessions.filter(({ session, role }) => kept.has(session.id) && role.name !== "none");
  // Everybody inserts in the order of the key, so that nobody waits in a circle.
  for (const { session, subjectId, role } of rows.toSorted((a, b) => (a.subjectId < b.subjectId ? -1 : 1))) {
    await execute(connection, statements.insertContribution, {
      sessionId: uuidToBytes(session.id),
      kind: kindToNumber(role.name === "retest" ? "retests" : "sessions"),
      subjectId: uuidToBytes(subjectId),
      assessmentId: session.assessmentId,
      otherSessionId: role.name === "retest" ? uuidToBytes(role.first.id) : null,
      setId: setIds.get(session.id) ?? null,
    });
  }
  const marked = sessions.map(({ session }) => session).filter(({ id }) => kept.has(id));
  await execute(connection, statements.markCounted, namedSessions(marked));
}

/** The ids of sessions that are locked now, together with the first ones of their pairs. */
async function lockThem(connection: Connection, sessions: readonly CountedSession[]): Promise<Set<string>> {
  const names = namedSessions(sessions.map(({ session }) => session));
  const locked = new Set(
    (await readRows(connection, statements.lockUncounted, names)).map(({ id }) => bytesToUuid(id)),
  );
  for (const { session, role } of sessions) {
    if (role.name !== "retest" || !locked.has(session.id)) continue;
    // Counted by this very transaction, just before.
    if (locked.has(role.first.id)) continue;
    const id = uuidToBytes(role.first.id);
    const partnerId = uuidToBytes(session.partnerId);
    const [first] = await readRows(connection, statements.lockSession, { partnerId, id });
    const [contribution] = await readRows(connection, statements.findContribution, { id });
    if (first === undefined || contribution === undefined) locked.delete(session.id);
  }
  return locked;
}

/** Adds the members up. @returns the set of each session */
async function addUp(
  connection: Connection,
  counts: readonly SetCount[],
  arithmetic: NormArithmetic,
): Promise<Map<string, number>> {
  const sets = await lockSets(
    connection,
    counts.map(({ id }) => id),
  );
  const setIds = new Map<string, number>();
  for (const { id, key, members } of counts) {
    const set = sets.get(id);
    if (set === undefined) throw new Error("a set is not there");
    for (const { session } of members) setIds.set(session.id, id);
    const delta = arithmetic.delta(key.assessmentId, key.kind, members.map(countedIn));
    await saveSums(connection, id, arithmetic.add(await sumsOf(connection, id), [delta], 1));
    const { length } = members;
    await saveSet(connection, { ...set, live: set.live + length, fresh: set.fresh + length });
  }
  return setIds;
}

function countedIn({ session, role }: CountedSession): readonly CountableSession[] {
  const countable = ({ answers, completedAt, mode }: StoredSession): CountableSession => {
    if (completedAt === null) throw new RangeError("a session that is not completed is no contribution");
    return { answers, completedAt, isHosted: mode === "hosted" };
  };
  return role.name === "retest" ? [countable(role.first), countable(session)] : [countable(session)];
}
