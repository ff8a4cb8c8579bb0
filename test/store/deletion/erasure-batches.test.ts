// Erasing a person with many sessions: page after page, batch after batch, each with its record, until none is left.

import { expect, test } from "vitest";
import { uuidToBytes } from "../../../src/database/statement.ts";
import { eraseSubject } from "../../../src/services/subjects/subject-service.ts";
import { someId } from "../../support/builders.ts";
import { countOf } from "../../support/databases/stores.ts";
import { testDependencies } from "../../support/dependencies.ts";
import { storesOfFile } from "../../support/of-file.ts";

const deadline = { signal: new AbortController().signal, at: Number.POSITIVE_INFINITY };

const database = await storesOfFile();

interface Person {
  readonly partnerId: string;
  readonly externalId: string;
}

const left = ({ partnerId }: Person) =>
  countOf(database.connection, "SELECT COUNT(*) FROM sessions WHERE partner_id = ?", [uuidToBytes(partnerId)]);

/** Stores sessions of a new person: open ones, and completed ones of which several have the same time. */
async function storeMany(open: number, completed: number): Promise<Person> {
  const person = { partnerId: someId(), externalId: "Ada" };
  const row = (completedAt: string | null) => [
    uuidToBytes(someId()),
    ...[
      uuidToBytes(person.partnerId),
      "Ada",
      "values-bridge",
      1,
      "headless",
      1,
      "2026-11-20",
      completedAt,
      Buffer.from([2]),
    ],
  ];
  const timeOf = (index: number) => `2026-11-20 00:00:0${(Math.floor(index / 7) / 1_000).toFixed(3)}`;
  const times = Array.from({ length: completed }, (_, index) => timeOf(index));
  const rows = [...Array.from({ length: open }, () => row(null)), ...times.map(row)];
  const columns =
    "id, partner_id, external_id, product, assessment_id, mode, revision, created_at, completed_at, answers";
  await database.connection.query(`INSERT INTO sessions (${columns}) VALUES ?`, [rows]);
  return person;
}

function erase(person: Person): Promise<number> {
  return eraseSubject(testDependencies(database), person, deadline);
}

test.each([
  ["more than a batch of open sessions", 450, 0],
  ["more than a batch of completed sessions", 0, 450],
  ["a batch of each", 200, 200],
])("%s: erasure removes every session", async (_, open, completed) => {
  const person = await storeMany(open, completed);
  expect(await erase(person)).toBe(open + completed);
  expect(await left(person)).toBe(0);
  await expect(erase(person)).rejects.toMatchObject({ code: "not_found" });
});
