// Groups close once, whatever happens meanwhile, and their numbers never change afterwards.
import { expect, test } from "vitest";
import type { JoinCode } from "../../src/domain/groups/join-code.ts";
import { uuidToBytes } from "../../src/kernel/ids.ts";
import { closeDueGroups, closeGroup } from "../../src/services/groups/closing.ts";
import { getGroupNumbers } from "../../src/services/groups/groups.ts";
import { eraseSubject } from "../../src/services/subjects/subject-service.ts";
import type { NewGroup } from "../../src/store/groups/group-statements.ts";
import { at, someArrivals, someGroup, someId, someJoinCode, someRecording, someSession } from "../support/builders.ts";
import { storeCompleted, storeSession } from "../support/databases/stored-sessions.ts";
import { batchesOf, countOf } from "../support/databases/stores.ts";
import { deadline, signal } from "../support/deadline.ts";
import { someCall, testDependencies } from "../support/dependencies.ts";
import { attentiveSheets } from "../support/groups/sheets.ts";
import { storesOfFile } from "../support/of-file.ts";
import { longForm } from "../support/values-bridge/short-form.ts";

const definition = longForm();
const { product } = definition;
const sheetOf = attentiveSheets(definition);

/** Those whose sheets count. */
const goodSeeds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

const database = await storesOfFile();
await database.assessments.insertAssessment({ id: 1, product, version: 1, definition, publishedAt: at(0) }, signal);

const hour = 3_600_000;
/** Use cases some hours later than all that the tests store. */
const dependencies = () => testDependencies(database, { clock: () => at(hour).getTime() });

async function newGroup(partnerId: string, closesAt: Date | null = null, parentId: string | null = null) {
  const group = someGroup({ partnerId, product, closesAt, parentId });
  await database.groups.insertGroup(group, 10_000, signal);
  return group;
}

type Group = Pick<NewGroup, "partnerId" | "id">;

/** Adds a person who has answered as the seed says, unless with another sheet. */
async function addMember(
  { partnerId, id }: Group,
  externalId: string,
  seed: number,
  completedAt = at(seed),
  sheet = sheetOf(seed),
) {
  await storeCompleted(database, { partnerId, externalId, groupId: id }, { ...someRecording(sheet), completedAt });
}

/** A group of the people from one number to another. */
async function groupOf(last: number, partnerId = someId(), first = 1) {
  const group = await newGroup(partnerId);
  for (let seed = first; seed <= last; seed += 1) await addMember(group, `person-${seed}`, seed);
  return group;
}

const addressOf = ({ id }: { id: string }) => ({ product, groupId: id });
const callOf = ({ partnerId }: { partnerId: string }) => someCall(partnerId, () => at(hour).getTime());
const close = (group: Group) => closeGroup(dependencies(), addressOf(group), callOf(group));
const outcomeOf = async (group: Group) =>
  (await getGroupNumbers(dependencies(), addressOf(group), callOf(group))).outcome;
const membersOf = ({ id }: { id: string }) =>
  countOf(database.connection, "SELECT COUNT(*) FROM group_members WHERE group_id = ?", [uuidToBytes(id)]);
const erase = (partnerId: string, externalId: string) =>
  eraseSubject(dependencies(), { partnerId, externalId }, deadline);

test("concurrent closings of a group make one set of members and one event", async () => {
  const group = await groupOf(6);
  await Promise.all(Array.from({ length: 6 }, () => close(group)));
  expect(await outcomeOf(group)).toMatchObject({ numbers: { members: 6 } });
  expect(await membersOf(group)).toBe(6);
  const events = "SELECT COUNT(*) FROM event_outbox WHERE resource_id = ?";
  expect(await countOf(database.connection, events, [uuidToBytes(group.id)])).toBe(1);
});

test("only one of two groups that close concurrently with nearly the same people has numbers", async () => {
  const partnerId = someId();
  const [one, other] = [await groupOf(6, partnerId), await groupOf(7, partnerId)];
  await Promise.all([close(one), close(other)]);
  const outcomes = [await outcomeOf(one), await outcomeOf(other)];
  expect(outcomes.filter((outcome) => "numbers" in outcome)).toHaveLength(1);
  expect(outcomes.filter((outcome) => "reason" in outcome && outcome.reason === "disclosive")).toHaveLength(1);
});

test("a group is compared with groups that share nobody with it but people with a third one", async () => {
  const partnerId = someId();
  // The whole without its half and its quarter leaves four people, who share no group with the quarter.
  const [half, quarter] = [await newGroup(partnerId), await newGroup(partnerId)];
  const [whole, rest] = [await newGroup(partnerId), await newGroup(partnerId)];
  const add = async (group: Group, from: number, to: number) => {
    for (let seed = from; seed <= to; seed += 1) await addMember(group, `p${seed}`, goodSeeds[seed % 9] ?? 1, at(seed));
  };
  await add(half, 0, 4);
  await add(quarter, 5, 8);
  await add(whole, 0, 8);
  await add(rest, 0, 8);
  for (const group of [half, quarter, whole, rest]) await close(group);
  expect(await Promise.all([half, quarter, whole, rest].map(outcomeOf))).toMatchObject([
    { numbers: { members: 5 } },
    { reason: "too_few" },
    { reason: "disclosive" },
    { reason: "disclosive" },
  ]);
});

test("answers of one person that agree in nine of ten ratings are one sheet, and answered anew they are another", async () => {
  const outcomesOf = async (changed: number) => {
    const partnerId = someId();
    const first = await groupOf(6, partnerId);
    await close(first);
    const second = await newGroup(partnerId);
    for (let seed = 2; seed <= 7; seed += 1) {
      const sheet = sheetOf(seed).map((rating, index) =>
        rating === null || index >= changed ? rating : 1 + (rating % 7),
      );
      await addMember(second, `person-${seed}`, seed, at(seed), sheet);
    }
    await close(second);
    return outcomeOf(second);
  };
  expect(await outcomesOf(10)).toEqual({ reason: "disclosive" });
  expect(await outcomesOf(40)).toMatchObject({ numbers: { members: 6 } });
});

test("a person who answers under another id is the same column, and one who was erased keeps it", async () => {
  const partnerId = someId();
  const first = await groupOf(6, partnerId);
  await close(first);
  const second = await newGroup(partnerId);
  for (let seed = 1; seed <= 7; seed += 1) await addMember(second, `other-${seed}`, seed);
  await close(second);
  expect(await outcomeOf(second)).toEqual({ reason: "disclosive" });
  // Six people had numbers; of one who is gone the group of the other five would tell.
  await erase(partnerId, "person-6");
  const third = await groupOf(5, partnerId);
  await close(third);
  expect(await outcomeOf(third)).toEqual({ reason: "disclosive" });
});

test("answers that a policy has deleted count as copies: nobody can tell any more", async () => {
  const partnerId = someId();
  const first = await groupOf(6, partnerId);
  await close(first);
  await database.connection.query(
    "UPDATE sessions SET answers = '', answers_deleted_at = NOW(3) WHERE partner_id = ?",
    [uuidToBytes(partnerId)],
  );
  const second = await newGroup(partnerId);
  for (let seed = 2; seed <= 7; seed += 1) await addMember(second, `person-${seed}`, 12 + seed);
  await close(second);
  expect(await outcomeOf(second)).toEqual({ reason: "disclosive" });
});

// Who can read numbers alone and has groups made as teams and departments are, tries to get at one person.
test("a department does not reveal a person whose session in its part counts elsewhere", async () => {
  const partnerId = someId();
  const [ones, others] = [goodSeeds.slice(0, 5), goodSeeds.slice(5, 10)];
  const [last = 0] = goodSeeds.slice(10);
  const department = await newGroup(partnerId);
  const parts = [
    await newGroup(partnerId, null, department.id),
    await newGroup(partnerId, null, department.id),
  ] as const;
  for (const seed of [...ones, last]) await addMember(parts[0], `p${seed}`, seed);
  for (const seed of others) await addMember(parts[1], `p${seed}`, seed);
  await addMember(parts[1], `p${last}`, 1 + last, at(99));
  await close(department);
  expect(await Promise.all([...parts, department].map(outcomeOf))).toMatchObject([
    { numbers: { members: 6 } },
    { numbers: { members: 6 } },
    { reason: "disclosive" },
  ]);
});

test("a session completed after a part has closed counts neither there nor in the parent group", async () => {
  const partnerId = someId();
  const department = await newGroup(partnerId);
  const part = await newGroup(partnerId, at(50), department.id);
  for (const seed of goodSeeds.slice(0, 5)) await addMember(part, `p-${seed}`, seed);
  for (const seed of goodSeeds.slice(5, 10)) await addMember(department, `d${seed}`, seed);
  await addMember(part, "p-60", 60);
  await close(department);
  expect(await outcomeOf(part)).toMatchObject({ numbers: { members: 5 } });
  expect(await outcomeOf(department)).toMatchObject({ numbers: { members: 10 } });
});

test.each([
  ["the later completed", [1, 9], [at(1), at(9)]],
  ["the later completed, though it began first,", [9, 1], [at(9), at(1)]],
  ["of those completed in the same moment the later id", [1, 9], [at(9), at(9)]],
] as const)("of a person's two sessions %s counts", async (_which, seeds, times) => {
  const [twice, once] = [await newGroup(someId()), await newGroup(someId())];
  for (const [index, seed] of seeds.entries()) await addMember(twice, "person", seed, times[index]);
  await addMember(once, "person", 9);
  for (const group of [twice, once]) {
    for (let seed = 2; seed <= 5; seed += 1) await addMember(group, `person-${seed}`, seed);
    await close(group);
  }
  expect(await outcomeOf(once)).toMatchObject({ numbers: { members: 5 } });
  expect(await outcomeOf(twice)).toEqual(await outcomeOf(once));
});

test.each([1, 3, 6, 7])("the numbers are of all members, read %i at a time", async (size) => {
  const [group, other] = [await groupOf(6), await groupOf(6)];
  await closeGroup({ ...dependencies(), batchSizes: batchesOf(size) }, addressOf(group), callOf(group));
  await close(other);
  expect(await outcomeOf(group)).toMatchObject({ numbers: { members: 6 } });
  expect(await outcomeOf(group)).toEqual(await outcomeOf(other));
});

test("a closing that is cut short leaves the group open, and a later one closes it", async () => {
  const group = await groupOf(5);
  const groups: typeof database.groups = {
    ...database.groups,
    // No column takes that, which shows when the members are stored already.
    closeGroup: (name, closing, within) =>
      database.groups.closeGroup(
        name,
        { ...closing, outcome: { numbers: " ".repeat(100_000), hasSpread: false } },
        within,
      ),
  };
  await expect(closeGroup({ ...dependencies(), groups }, addressOf(group), callOf(group))).rejects.toBeDefined();
  expect(await outcomeOf(group)).toEqual({ reason: "open" });
  expect(await membersOf(group)).toBe(0);
  await close(group);
  expect(await outcomeOf(group)).toMatchObject({ numbers: { members: 5 } });
});

test("a person erased between computing and closing is in no numbers and in no list of members", async () => {
  const group = await groupOf(6);
  let isErased = false;
  const groups: typeof database.groups = {
    ...database.groups,
    async closeGroup(...args) {
      if (!isErased) await erase(group.partnerId, "person-1");
      isErased = true;
      return database.groups.closeGroup(...args);
    },
  };
  await closeGroup({ ...dependencies(), groups }, addressOf(group), callOf(group));
  expect(await outcomeOf(group)).toMatchObject({ numbers: { members: 5 } });
});

test("a group closes at its time, however late the job runs: a person who completes later does not count", async () => {
  const group = await newGroup(someId(), at(5));
  for (let seed = 1; seed <= 8; seed += 1) await addMember(group, `p-${seed}`, seed);
  expect(await closeDueGroups({ ...dependencies(), clock: () => at(4).getTime() }, signal)).toBe(0);
  expect(await closeDueGroups(dependencies(), signal)).toBe(1);
  expect(await outcomeOf(group)).toMatchObject({ numbers: { members: 5 } });
  expect((await database.groups.findGroup(group, signal))?.closedAt).toEqual(at(5));
  const events = "SELECT COUNT(*) FROM event_outbox WHERE resource_id = ? AND occurred_at = ?";
  expect(await countOf(database.connection, events, [uuidToBytes(group.id), at(5)])).toBe(1);
});

test("a run closes at most fifty groups of a partner, and a group that cannot be closed does not delay others", async () => {
  const [busy, other] = [someId(), someId()];
  const broken = await newGroup(busy, at(1));
  for (let count = 0; count < 60; count += 1) await newGroup(busy, at(2));
  for (let count = 0; count < 2; count += 1) await newGroup(other, at(3));
  const defects: string[] = [];
  const groups: typeof database.groups = {
    ...database.groups,
    async closeGroup(group, ...rest) {
      if (group.id === broken.id) throw new Error("broken");
      return database.groups.closeGroup(group, ...rest);
    },
  };
  const reportDefect = (_error: unknown, source: string) => void defects.push(source);
  const run = () => closeDueGroups({ ...dependencies(), groups, reportDefect }, signal);
  expect(await run()).toBe(49 + 2);
  expect(await run()).toBe(11);
  expect(defects).toEqual(["groups", "groups"]);
  // What could not be closed is due again.
  expect(await closeDueGroups(dependencies(), signal)).toBe(1);
});

test.each([
  [4, "inserted"],
  [5, "group_closed"],
])("a session that is created at %i, in a group that closes at 5, is %s", async (ms, outcome) => {
  const { id: groupId, partnerId } = await newGroup(someId(), at(5));
  const session = someSession({ partnerId, groupId, createdAt: at(ms) });
  expect(await database.sessions.insertSession(session, signal)).toBe(outcome);
});

test("a group holds a thousand sessions, and a partner as many groups as it may have", async () => {
  const { partnerId, id: groupId } = await newGroup(someId());
  await database.connection.query("UPDATE session_groups SET joined = 999 WHERE id = ?", [uuidToBytes(groupId)]);
  const join = () => database.sessions.insertSession(someSession({ partnerId, groupId }), signal);
  expect([await join(), await join()]).toEqual(["inserted", "group_full"]);
  const make = () => database.groups.insertGroup(someGroup({ partnerId, product }), 2, signal);
  expect([await make(), await make()]).toEqual(["inserted", "limit_reached"]);
});

const countsOf = async ({ partnerId, id }: Group) =>
  (await database.groups.countPeople(partnerId, [id], signal)).get(id);

test("a person who completed a session of a group counts as having begun it, whatever is deleted since", async () => {
  const group = await groupOf(2);
  await storeSession(database, { partnerId: group.partnerId, groupId: group.id });
  const sql =
    "UPDATE sessions SET answers = '', first_answer_at = NULL, answers_deleted_at = NOW(3) WHERE group_id = ?";
  await database.connection.query(sql, [uuidToBytes(group.id)]);
  expect(await countsOf(group)).toEqual({ size: 3, started: 2, completed: 2 });
  await erase(group.partnerId, "person-1");
  expect(await countsOf(group)).toEqual({ size: 2, started: 1, completed: 1 });
});

test("a person counts once in a group, however many of their sessions begin and are completed at the same time", async () => {
  const group = await newGroup(someId());
  const { partnerId, id: groupId } = group;
  const sessions = Array.from({ length: 8 }, (_, index) =>
    someSession({ partnerId, groupId, externalId: `person-${index % 2}` }),
  );
  const each = (work: (session: (typeof sessions)[number]) => Promise<unknown>, of = sessions) =>
    Promise.all(of.map(work));
  await each((session) => database.sessions.insertSession(session, signal));
  expect(await countsOf(group)).toEqual({ size: 2, started: 0, completed: 0 });
  const recording = someRecording(sheetOf(1), { arrivals: someArrivals(at(3)) });
  await each((session) => database.sessions.saveAnswers(session, 0, recording, signal), sessions.slice(0, 4));
  expect(await countsOf(group)).toEqual({ size: 2, started: 2, completed: 0 });
  const completion = { ...recording, completedAt: at(9), results: null };
  await each((session) => database.sessions.saveCompletion(session, 0, completion, signal), sessions.slice(4));
  expect(await countsOf(group)).toEqual({ size: 2, started: 2, completed: 2 });
  await erase(partnerId, "person-0");
  expect(await countsOf(group)).toEqual({ size: 1, started: 1, completed: 1 });
});

test("the groups of a page are counted together: a person in two parts counts in each of them, and once in their group", async () => {
  const whole = await newGroup(someId());
  const { partnerId } = whole;
  const [north, south] = [await newGroup(partnerId, null, whole.id), await newGroup(partnerId, null, whole.id)];
  const [other, empty] = [await newGroup(partnerId), await newGroup(partnerId)];
  for (const group of [whole, north, south, other]) {
    const sessions = ["both", group.id].map((externalId) => someSession({ partnerId, externalId, groupId: group.id }));
    for (const session of sessions) await database.sessions.insertSession(session, signal);
  }
  const ids = [whole, north, other, empty].map(({ id }) => id);
  const counts = await database.groups.countPeople(partnerId, ids, signal);
  expect(ids.map((id) => counts.get(id)?.size)).toEqual([4, 2, 2, undefined]);
  expect(await database.groups.countPeople(someId(), ids, signal)).toEqual(new Map());
});

test("a join code admits no more sessions than its number, however many join at once, and no code that it replaced", async () => {
  const partnerId = someId();
  const [department, team] = [await newGroup(partnerId), someGroup({ partnerId, product })];
  await database.groups.insertGroup({ ...team, parentId: department.id }, 10_000, signal);
  const codeOf = (byte: number) => someJoinCode({ hash: Buffer.alloc(32, byte) });
  const [first, second] = [codeOf(1), codeOf(2)];
  const join = (code: JoinCode) =>
    database.sessions.insertSession(
      someSession({ partnerId, groupId: team.id, joinCodeHash: code.hash, createdAt: at(0) }),
      signal,
    );
  const joinAtOnce = async (code: JoinCode) =>
    (await Promise.all(Array.from({ length: 8 }, () => join(code)))).filter((each) => each === "inserted").length;
  const stored = async () => (await database.groups.findGroup(team, signal))?.joinCode;
  expect(await join(first)).toBe("group_closed");
  expect(await database.groups.saveJoinCode(team, first, signal)).toBe(true);
  expect(await joinAtOnce(first)).toBe(3);
  expect(await stored()).toEqual({ ...first, joinedSessions: 3 });
  expect(await database.groups.saveJoinCode(team, second, signal)).toBe(true);
  expect([await join(first), await joinAtOnce(second)]).toEqual(["group_closed", 3]);
  expect((await database.groups.findGroup(department, signal))?.joinCode).toBeNull();
  const people = await database.groups.countPeople(partnerId, [team.id, department.id], signal);
  expect([...people.values()].map(({ size }) => size)).toEqual([6, 6]);
});
