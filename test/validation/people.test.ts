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
const only = ["items", "reliability", "retest", "criteria"];

function withRows(kept: readonly string[]) {
  return { ...study, csv: `${[head, ...kept].join("\r\n")}\r\n` };
}

test("a person counts once, with the first session; a careless one does not count; both are reported", () => {
  const gradeAt = head.split(",").indexOf("grade");
  const failed = rows.filter((row) => row.split(",")[gradeAt] === "fail").length;
  expect(failed).toBeGreaterThan(5);
  const { counts } = read(validated(study, { only: [] }).json);
  expect(counts).toMatchObject({
    sessions: 280,
    gradedFail: failed,
    ofPeopleCountedAlready: 110,
    people: 170 - failed,
  });
  // The second sitting of everybody taken away changes nothing but the counts.
  const first = rows.filter((row) => row.split(",")[head.split(",").indexOf("attempt")] === "1");
  const items = (csv: readonly string[]) => JSON.parse(validated(withRows(csv), { only: ["items"] }).json).items;
  expect(items(first)).toStrictEqual(items(rows));
  // Rows in another order are the same people.
  expect(items(rows.toReversed())).toStrictEqual(items(rows));
});

test("a session that comes again at the end of an export counts once, as it was last", () => {
  const columns = head.split(",");
  // Whoever goes on with an export gets the sessions of its last minute a second time: here one was open before.
  const opened = rows.map((row, index) => {
    const cells = row.split(",");
    if (index === 0) cells[columns.indexOf("status")] = "in_progress";
    return cells.join(",");
  });
  const again = withRows([...opened, ...rows.slice(0, 120)]);
  expect(opened[0]).not.toBe(rows[0]);
  const whole = JSON.parse(validated(study, { only, retest: true, withCriteria: true }).json);
  const found = JSON.parse(validated(again, { only, retest: true, withCriteria: true }).json);
  const counts = { ...whole.counts, sessions: 400, cameAgain: 120 };
  expect(found).toStrictEqual({ ...whole, counts });
});

const gaps = [
  [6.9, 0],
  [7.1, 1],
  [89.9, 1],
  [90.1, 0],
] as const;

test.each(inTurns(gaps, 3, 0))("a second session %d days after the first one is a retest: %d", (days, isOne) => {
  const columns = head.split(",");
  const [name, attempt, completed] = ["external_id", "attempt", "completed_at"].map((column) =>
    columns.indexOf(column),
  );
  const cellsOf = (row: string) => row.split(",");
  const firstOf = new Map(rows.map(cellsOf).map((cells) => [cells[name ?? 0], cells[completed ?? 0] ?? ""]));
  for (const cells of rows.map(cellsOf))
    if (cells[attempt ?? 0] === "1") firstOf.set(cells[name ?? 0], cells[completed ?? 0] ?? "");
  // The last of the second sessions.
  const moved = rows.findLastIndex((row) => cellsOf(row)[attempt ?? 0] === "2");
  const at = (cells: string[]) => Date.parse(firstOf.get(cells[name ?? 0]) ?? "") + days * 86_400_000;
  const changed = rows.map((row, index) => {
    const cells = cellsOf(row);
    if (index === moved) cells[completed ?? 0] = new Date(at(cells)).toISOString();
    return cells.join(",");
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
  const columns = head.split(",");
  const [person, attempt] = [columns.indexOf("external_id"), columns.indexOf("attempt")];
  const answersOf = new Map(
    rows.map((row) => row.split(",")).flatMap((cells) => (cells[attempt] === "1" ? [[cells[person], cells]] : [])),
  );
  const same = rows.map((row) => {
    const cells = row.split(",");
    const first = answersOf.get(cells[person]) ?? cells;
    const isAnswer = (index: number) => /^(q\d{3}|v\d{2}_gap)$/.test(columns[index] ?? "");
    return cells.map((cell, index) => (isAnswer(index) ? (first[index] ?? cell) : cell)).join(",");
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
  const columns = head.split(",");
  const changed = rows.map((row, index) => {
    const cells = row.split(",");
    if (index === 0) cells[columns.indexOf("version")] = "2";
    if (index === 1) cells[columns.indexOf("status")] = "expired";
    if (index === 2) cells[columns.indexOf("q152")] = "";
    return cells.join(",");
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
