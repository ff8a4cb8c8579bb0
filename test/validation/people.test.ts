// Who counts, once each; and that no output tells of a person.
import { expect, test } from "vitest";
import { pilot } from "../../tools/validation/seeded/plans.ts";
import { seededStudy } from "../../tools/validation/seeded/study.ts";
import { inTurns } from "../support/extent.ts";
import { read } from "./support/found.ts";
import { validated } from "./support/kit.ts";

const study = seededStudy({ ...pilot, people: 150, again: 110, careless: 20 });
const lines = study.csv.trim().split("\r\n");
const [head = "", ...rows] = lines;
const columns = head.split(",");
const only = ["items", "reliability", "retest", "criteria"];

type Cells = Record<string, string>;

/** A row by its columns. */
const cellsOf = (row: string): Cells => Object.fromEntries(row.split(",").map((cell, at) => [columns[at] ?? "", cell]));

/** The rows, after a change of their cells. */
function changeRows(change: (cells: Cells, index: number) => void): string[] {
  return rows.map((row, index) => {
    const cells = cellsOf(row);
    change(cells, index);
    return columns.map((column) => cells[column]).join(",");
  });
}

function withRows(kept: readonly string[]) {
  return { ...study, csv: `${[head, ...kept].join("\r\n")}\r\n` };
}

test("a person counts once, with the first session; a careless one does not count; both are reported", () => {
  const failed = rows.filter((row) => cellsOf(row).grade === "fail").length;
  expect(failed).toBeGreaterThan(5);
  const { counts } = read(validated(study, { only: [] }).json);
  expect(counts).toMatchObject({
    sessions: 280,
    gradedFail: failed,
    ofPeopleCountedAlready: 110,
    people: 170 - failed,
  });
  // The second sitting of everybody taken away changes nothing but the counts.
  const first = rows.filter((row) => cellsOf(row).attempt === "1");
  const items = (csv: readonly string[]) => JSON.parse(validated(withRows(csv), { only: ["items"] }).json).items;
  expect(items(first)).toStrictEqual(items(rows));
  // Rows in another order are the same people.
  expect(items(rows.toReversed())).toStrictEqual(items(rows));
});

test("a session that comes again at the end of an export counts once, as it was last", () => {
  // Whoever goes on with an export gets the sessions of its last minute a second time: here one was open before.
  const opened = changeRows((cells, index) => {
    if (index === 0) cells.status = "in_progress";
  });
  const again = withRows([...opened, ...rows.slice(0, 120)]);
  expect(opened[0]).not.toBe(rows[0]);
  const whole = JSON.parse(validated(study, { only, retest: true, withCriteria: true }).json);
  const report = JSON.parse(validated(again, { only, retest: true, withCriteria: true }).json);
  const counts = { ...whole.counts, sessions: 400, cameAgain: 120 };
  expect(report).toStrictEqual({ ...whole, counts });
});

const gaps = [
  [6.9, 0],
  [7.1, 1],
  [89.9, 1],
  [90.1, 0],
] as const;

test.each(inTurns(gaps, 3, 0))("a second session %d days after the first one is a retest: %d", (days, isOne) => {
  // The last of the second sessions.
  const moved = rows.findLastIndex((row) => cellsOf(row).attempt === "2");
  const person = cellsOf(rows[moved] ?? "").external_id;
  const first = rows.map(cellsOf).find(({ external_id, attempt }) => external_id === person && attempt === "1");
  const completedAt = Date.parse(first?.completed_at ?? "") + days * 86_400_000;
  const changed = changeRows((cells, index) => {
    if (index === moved) cells.completed_at = new Date(completedAt).toISOString();
  });
  expect(changed).not.toEqual(rows);
  const { counts, retest } = read(validated(withRows(changed), { only: ["retest"], retest: true }).json);
  expect([counts.repeatedTooSoonOrLate, retest.n]).toEqual([1 - isOne, 109 + isOne]);
});

test("the page reports the retest of every value, also centred, of the three totals and of the order", () => {
  expect(study.csv).toContain("total_harmony");
  const { json, html } = validated(study, { only: ["retest"], retest: true });
  const rowsOf = (score: string) => html.split(`<td>${score}</td><td class="number">`).length - 1;
  const lives = ["Life wanted", "Life today"];
  expect([...lives, ...lives.map((life) => `${life}, centred`), "Gap"].map(rowsOf)).toEqual([19, 19, 19, 19, 19]);
  expect(["Total gap", "Total conflict", "Total harmony"].map(rowsOf)).toEqual([1, 1, 1]);
  const { values, order } = read(json).retest;
  expect(values).toHaveLength(5 * 19);
  expect(order.map(({ life }) => life)).toEqual(["ideal", "current"]);
  for (const { correlation, firstPlaces, firstPlacesByChance } of order) {
    expect(correlation.toSorted((one, other) => one - other)).toEqual(correlation);
    expect(firstPlacesByChance).toBeCloseTo(25 / 19, 4);
    expect(firstPlaces).toBeGreaterThan(2 * firstPlacesByChance);
    expect(firstPlaces).toBeLessThan(5);
  }
});

test("people who answer the same again have the same order, and readiness to agree is in raw scores alone", () => {
  const all = rows.map(cellsOf);
  const firsts = new Map(all.filter(({ attempt }) => attempt === "1").map((cells) => [cells.external_id, cells]));
  const same = changeRows((cells) => {
    const first = firsts.get(cells.external_id) ?? cells;
    for (const column of columns.filter((each) => /^(q\d{3}|v\d{2}_gap)$/.test(each))) {
      cells[column] = first[column] ?? "";
    }
  });
  const { values, order } = read(validated(withRows(same), { only: ["retest"], retest: true }).json).retest;
  for (const { correlation, firstPlaces } of order) expect([correlation, firstPlaces]).toEqual([[1, 1, 1], 5]);
  for (const { icc } of values) expect(icc).toBeGreaterThan(0.999);
});

test("the version's number and the state of translations are in both outputs", () => {
  const { version } = JSON.parse(study.codebook);
  expect(version).toBe(1);
  const { json, html } = validated(study, { only: [] });
  const languages = [
    { language: "en", is: "as the statements were written" },
    ...["de", "es", "fr", "it", "nl"].map((language) => ({ language, is: "translation, draft" })),
  ];
  expect(JSON.parse(json)).toMatchObject({ version, languages });
  expect(html).toContain("version 1");
  expect(html).toContain("translation, draft");
});

test("sessions of other versions, open ones and those with a missing answer are left out, and reported", () => {
  const changed = changeRows((cells, index) => {
    if (index === 0) cells.version = "2";
    if (index === 1) cells.status = "expired";
    if (index === 2) cells.q152 = "";
  });
  expect(changed[0]).not.toBe(rows[0]);
  const { counts } = read(validated(withRows(changed), { only: [] }).json);
  expect(counts).toMatchObject({ sessions: 280, ofOtherVersions: 1, notCompleted: 1, incomplete: 1 });
});

test("no output has a number of one person, or anything of an erased one", () => {
  const erased = "person-00007";
  const rest = rows.filter((row) => !row.includes(erased));
  expect(rest).toHaveLength(278);
  const outputs = validated(withRows(rest), { only, retest: true, withCriteria: true });
  const all = validated(study, { only, retest: true, withCriteria: true });
  for (const { json, html } of [outputs, all]) {
    expect(`${json}${html}`).not.toMatch(/person-\d|careless-\d|00000000-0000-7000/);
  }
  expect(read(outputs.json).counts).toMatchObject({ sessions: 278, people: Number(read(all.json).counts.people) - 1 });
  expect(outputs.json).not.toBe(all.json);
  // The same people without that one, in a study that never had them, give the same bytes.
  expect(validated(withRows(rest.toSorted()), { only, retest: true, withCriteria: true })).toStrictEqual(outputs);
});

test("an export that does not match its codebook is refused with what to do", () => {
  const swapped = study.codebook.replace('"inverse":true', '"inverse":false');
  expect(swapped).not.toBe(study.codebook);
  expect(() => validated({ ...study, codebook: swapped }, { only: [] })).toThrow(/not those of its answers.*codebook/);
  const old = JSON.stringify({ ...JSON.parse(study.codebook), columns: [] });
  expect(() => validated({ ...study, codebook: old }, { only: [] })).toThrow(/which value each statement is of/);
  const csv = study.csv.replaceAll(",q152,", ",q999,");
  expect(() => validated({ ...study, csv }, { only: [] })).toThrow(/lacks the columns q152/);
});
