// Counting sessions for norms, in one transaction.
import { randomInt } from "node:crypto";
import type { Knex } from "knex";
import type { Connection } from "mysql2";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { execute, fetchRows, readRows, write } from "../../database/statement.ts";
import type { CountableSession, NormArithmetic } from "../../domain/norms/norm-arithmetic-port.ts";
import { addsToSet, type CountedSession, type NormSetKey, type NormSetName } from "../../domain/norms/norm-port.ts";
import type { StoredSession } from "../../domain/sessions/session.ts";
import { inOrderOfLocks, keyToRow, kindToNumber, lockSet, saveSet, saveSums, sumsOf } from "./norm-rows.ts";
import { namedSessions, normStatements as statements } from "./norm-statements.ts";

/** Of sessions whose statements were shown in a language that nobody knows. */
const unknownLanguage = "und";

/** Numbers of sets are drawn, since each shard has a server of its own. */
const numbersEnd = 2 ** 32;
/** A number that is drawn may be taken. */
const maxTries = 4;

/** Sessions that add to one set of a partner. */
export interface SetCount {
  readonly name: NormSetName;
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
    const { partnerId } = group.key;
    counts.push({ name: { partnerId, id: await provideSet(db, group.key, signal) }, ...group });
  }
  return counts;
}

async function provideSet(db: Knex, key: NormSetKey, signal: AbortSignal): Promise<number> {
  const values = keyToRow(key);
  for (let tries = 0; tries < maxTries; tries += 1) {
    const [known] = await fetchRows(db, statements.findSet, values, signal);
    if (known !== undefined) return known.id;
    await write(db, statements.insertSet, { ...values, id: randomInt(1, numbersEnd) }, signal);
  }
  throw new Error("a set finds no number that its partner does not have");
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
      partnerId: uuidToBytes(session.partnerId),
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
    const name = { partnerId: uuidToBytes(session.partnerId), id: uuidToBytes(role.first.id) };
    const [first] = await readRows(connection, statements.lockSession, name);
    const [contribution] = await readRows(connection, statements.findContribution, name);
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
  const setIds = new Map<string, number>();
  for (const { name, key, members } of counts.toSorted((a, b) => inOrderOfLocks(a.name, b.name))) {
    const set = await lockSet(connection, name);
    if (set === undefined) throw new Error("a set is not there");
    for (const { session } of members) setIds.set(session.id, name.id);
    const delta = arithmetic.delta(key.assessmentId, key.kind, members.map(countedIn));
    await saveSums(connection, name, arithmetic.add(await sumsOf(connection, name), [delta], 1));
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
