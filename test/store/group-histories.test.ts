// Numbers of groups never change after closing: random histories, each beside a model that knows what has to come of it.
// npm test runs some, `npm run test:all -- --only histories` all 10,000.
import type { RowDataPacket } from "mysql2";
import { expect, test } from "vitest";
import { minPeople } from "../../src/domain/groups/disclosure.ts";
import type { Refusal } from "../../src/kernel/errors/refusal.ts";
import { bytesToUuid, uuidToBytes } from "../../src/kernel/ids.ts";
import { closeGroup } from "../../src/services/groups/closing.ts";
import { type GroupOutcome, getGroupNumbers } from "../../src/services/groups/groups.ts";
import { eraseSubject } from "../../src/services/subjects/subject-service.ts";
import { at, someGroup, someId, someRecording, someSession } from "../support/builders.ts";
import { deadline, signal } from "../support/deadline.ts";
import { someCall, testDependencies } from "../support/dependencies.ts";
import { inExtent } from "../support/extent.ts";
import { attentiveSheets } from "../support/groups/sheets.ts";
import { storesOfFile } from "../support/of-file.ts";
import { longForm } from "../support/values-bridge/short-form.ts";
import { randomOf } from "../support/values-bridge/simulated-people.ts";

const definition = longForm();
const { product } = definition;
const sheetOf = attentiveSheets(definition);

/** People in a history: enough for two groups that are told, few enough for two that are alike. */
const people = 11;
const steps = 14;

const hour = 3_600_000;

const database = await storesOfFile();
await database.assessments.insertAssessment({ id: 1, product, version: 1, definition, publishedAt: at(0) }, signal);
/** Use cases some hours later than all sessions. */
const dependencies = testDependencies(database, { clock: () => at(hour).getTime() });
const owner = someId();
for (let person = 1; person <= people; person += 1) await addSession(owner, person, null);
/** A completed session of each person, as rows: histories begin with copies of them. */
const [sessionRows] = await database.connection.query<RowDataPacket[]>(
  "SELECT * FROM sessions WHERE partner_id = ? ORDER BY id",
  [uuidToBytes(owner)],
);

/** Adds a completed session. @returns what became of its insertion */
async function addSession(partnerId: string, person: number, groupId: string | null): Promise<string> {
  const session = someSession({ partnerId, externalId: `person-${person}`, groupId });
  const outcome = await database.sessions.insertSession(session, signal);
  if (outcome !== "inserted") return outcome;
  const completion = { ...someRecording(sheetOf(person)), completedAt: at(person), results: null };
  expect(await database.sessions.saveCompletion(session, 0, completion, signal)).toBe(true);
  return outcome;
}

/** A group as its history makes it. */
interface ModelGroup {
  readonly id: string;
  /** Those with a session in it. */
  readonly people: Set<number>;
  /** Undefined: it is open. */
  closed: ClosedGroup | undefined;
}

interface ClosedGroup {
  readonly told: GroupOutcome;
  readonly stored: StoredNumbers;
  /** Those of its members who are not erased since. */
  readonly held: Set<number>;
  /** Sheets in its numbers, also of those who are erased since. */
  readonly sheets: ReadonlySet<string>;
}

interface StoredNumbers {
  readonly withheld: string | null;
  /** Bytes of the numbers. */
  readonly numbers: string | null;
}

/** What a group has to tell when it closes. @param others sheets of the other group, if that has numbers */
function expectedOutcome(sheets: ReadonlySet<string>, others: ReadonlySet<string>): unknown {
  const size = sheets.size;
  if (size < minPeople) return { reason: "too_few" };
  const shared = sheets.intersection(others).size;
  const parts = shared === 0 ? [size] : [shared, size - shared, others.size - shared];
  const atoms = parts.filter((count) => count > 0);
  const large = atoms.filter((count) => count >= minPeople).length;
  // Two large parts are known from two groups anyway: nothing else of them is one of fewer people.
  const isFine = large === atoms.length || large >= 2;
  return isFine ? { numbers: expect.objectContaining({ members: size }) } : { reason: "disclosive" };
}

function isWithdrawn({ told, held }: NonNullable<ModelGroup["closed"]>): boolean {
  return "numbers" in told && held.size < minPeople;
}

/** Two groups of a partner, each with a session of some people. */
async function startGroups(partnerId: string, pick: (below: number) => number): Promise<ModelGroup[]> {
  const groups = Array.from({ length: 2 }, (): ModelGroup => {
    const [size, start, stride] = [5 + pick(4), pick(people), 1 + pick(people - 1)];
    const members = Array.from({ length: size }, (_, index) => 1 + ((start + index * stride) % people));
    return { id: someId(), people: new Set(members), closed: undefined };
  });
  for (const { id } of groups) await database.groups.insertGroup(someGroup({ id, partnerId, product }), 10_000, signal);
  const columns = Object.keys(sessionRows[0] ?? {});
  const rows = groups.flatMap(({ id, people: members }) =>
    [...members].map((person) => {
      const names = { id: uuidToBytes(someId()), partner_id: uuidToBytes(partnerId), group_id: uuidToBytes(id) };
      const row: Readonly<Record<string, unknown>> = { ...sessionRows[person - 1], ...names };
      return columns.map((column) => row[column]);
    }),
  );
  await database.connection.query("INSERT INTO sessions (??) VALUES ?", [columns, rows]);
  return groups;
}

/** Joining, erasing, closing and reading of groups of one partner, in any order. @returns what its groups told at the end */
async function proveHistory(seed: number): Promise<string[]> {
  const random = randomOf(seed);
  const pick = (below: number) => Math.floor(random() * below);
  const partnerId = someId();
  const call = someCall(partnerId, () => at(hour).getTime());
  const address = (group: ModelGroup) => ({ product, groupId: group.id });
  const groups = await startGroups(partnerId, pick);
  const held = groups.flatMap((group) => [...group.people]);
  const sessions = new Map([...Map.groupBy(held, (person) => person)].map(([person, all]) => [person, all.length]));

  /** How often each person was erased: their answers are other sheets afterwards. */
  const erasures = new Map<number, number>();
  const sheetsOf = (group: ModelGroup) =>
    new Set([...group.people].map((person) => `${person} ${erasures.get(person) ?? 0}`));

  async function join(group: ModelGroup, person: number): Promise<void> {
    const outcome = await addSession(partnerId, person, group.id);
    expect(outcome).toBe(group.closed === undefined ? "inserted" : "group_closed");
    if (outcome !== "inserted") return;
    group.people.add(person);
    sessions.set(person, (sessions.get(person) ?? 0) + 1);
  }

  async function erase(person: number): Promise<void> {
    const subject = { partnerId, clientId: someId(), externalId: `person-${person}` };
    const erased = await eraseSubject(dependencies, subject, deadline).catch(({ code }: Refusal) => code);
    expect(erased).toBe(sessions.get(person) ?? "not_found");
    sessions.delete(person);
    erasures.set(person, 1 + (erasures.get(person) ?? 0));
    for (const group of groups) {
      group.people.delete(person);
      group.closed?.held.delete(person);
    }
  }

  async function close(group: ModelGroup): Promise<void> {
    await closeGroup(dependencies, address(group), call);
    if (group.closed !== undefined) return;
    const outcome = (await getGroupNumbers(dependencies, address(group), call)).outcome;
    const sheets = sheetsOf(group);
    const [other] = groups.flatMap(({ closed }) =>
      closed !== undefined && "numbers" in closed.told ? [closed.sheets] : [],
    );
    expect(outcome).toEqual(expectedOutcome(sheets, other ?? new Set()));
    const stored = (await storedNumbers(partnerId)).get(group.id);
    if (stored === undefined) throw new Error("the group is gone");
    group.closed = { told: outcome, stored, held: new Set("numbers" in outcome ? group.people : []), sheets };
  }

  for (let step = 0; step < steps; step += 1) {
    const group = groups[pick(groups.length)];
    if (group === undefined) continue;
    const action = pick(10);
    if (action < 3) await join(group, 1 + pick(people));
    else if (action < 7) await erase(1 + pick(people));
    else await close(group);
    if (groups.every(({ closed }) => closed === undefined)) continue;
    const now = await storedNumbers(partnerId);
    for (const { id, closed } of groups) {
      if (closed === undefined) expect(now.get(id)).toEqual({ withheld: null, numbers: null });
      else if (isWithdrawn(closed)) expect(now.get(id)).toEqual({ withheld: "withdrawn", numbers: null });
      else expect(now.get(id)).toEqual(closed.stored);
    }
  }
  const ends = groups.map(async (group) => {
    const { outcome } = await getGroupNumbers(dependencies, address(group), call);
    const { closed } = group;
    if (closed === undefined) expect(outcome).toEqual({ reason: "open" });
    else expect(outcome).toEqual(isWithdrawn(closed) ? { reason: "withdrawn" } : closed.told);
    return "numbers" in outcome ? "numbers" : outcome.reason;
  });
  return Promise.all(ends);
}

/** What is stored of the groups of a partner, by id. */
async function storedNumbers(partnerId: string): Promise<Map<string, StoredNumbers>> {
  const [rows] = await database.connection.query<RowDataPacket[]>(
    "SELECT id, withheld, numbers FROM session_groups WHERE partner_id = ?",
    [uuidToBytes(partnerId)],
  );
  return new Map(
    rows.map((row) => [bytesToUuid(row.id), { withheld: row.withheld, numbers: row.numbers?.toString() ?? null }]),
  );
}

/** Histories of one test. They run several at a time, each of a partner of its own. */
const chunk = inExtent([500], [24])[0] ?? 0;
const atOnce = 6;
const firstSeeds = inExtent(
  Array.from({ length: 20 }, (_, index) => 1 + index * 500),
  [1],
);

test.each(firstSeeds.map((first) => [chunk, first, first + chunk - 1]))(
  "numbers never change after closing, and are withdrawn below five people, in %d random histories with erasures (seeds %d to %d)",
  async (_chunk, first, last) => {
    const ends = new Map<string, number>();
    let next = first;
    const run = async () => {
      while (next <= last) {
        const seed = next++;
        const historyEnds = await proveHistory(seed).catch((cause) => {
          throw new Error(`the history of seed ${seed}`, { cause });
        });
        for (const end of historyEnds) ends.set(end, (ends.get(end) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, run));
    // Each end is met, so the histories do show something.
    expect([...ends.keys()].sort()).toEqual(["disclosive", "numbers", "open", "too_few", "withdrawn"]);
  },
);
