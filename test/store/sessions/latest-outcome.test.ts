// The latest outcome of a person: the completed session with the greatest completion time, then the greatest id.
import { expect, test } from "vitest";
import type { NewSession } from "../../../src/domain/sessions/session.ts";
import { at, someAssessment, someId, someResults } from "../../support/builders.ts";
import { storeCompleted } from "../../support/databases/stored-sessions.ts";
import { signal } from "../../support/deadline.ts";
import { storesOfFile } from "../../support/of-file.ts";

const versions = [
  someAssessment({ id: 1, product: "small-example", version: 1 }),
  someAssessment({ id: 2, product: "small-example", version: 2 }),
  someAssessment({ id: 3, product: "other-example", version: 1 }),
];

const database = await storesOfFile();
for (const version of versions) await database.assessments.insertAssessment(version, signal);

async function complete(session: Partial<NewSession>, completedAt: Date): Promise<string> {
  const product = session.assessmentId === 3 ? "other-example" : "small-example";
  return (await storeCompleted(database, { product, ...session }, { completedAt, results: someResults() })).id;
}

function latest(person: { partnerId: string; externalId: string }, product = "small-example") {
  return database.sessions.findLatestCompleted(product, person.partnerId, person.externalId, signal);
}

function newPerson() {
  return { partnerId: someId(), externalId: "Ada" };
}

test("the latest completion wins by a millisecond, in whatever order sessions began or ended", async () => {
  const person = newPerson();
  await complete({ ...person, createdAt: at(5) }, at(1000));
  const last = await complete({ ...person, createdAt: at(0) }, at(1002));
  await complete({ ...person, createdAt: at(9) }, at(1001));
  expect((await latest(person))?.id).toBe(last);
});

test("the greatest id wins among sessions completed in the same millisecond", async () => {
  const person = newPerson();
  const ids = ["8", "f", "1"].map((digit) => `00000000-0000-7000-8000-${digit.repeat(2)}${someId().slice(-10)}`);
  for (const id of ids) await complete({ ...person, id }, at(1));
  expect((await latest(person))?.id).toBe(ids[1]);
});

test("sessions of all versions of the product count, those of another product do not", async () => {
  const person = newPerson();
  await complete({ ...person, assessmentId: 2 }, at(1));
  const last = await complete({ ...person, assessmentId: 1 }, at(2));
  const other = await complete({ ...person, assessmentId: 3 }, at(3));
  expect((await latest(person))?.id).toBe(last);
  expect((await latest(person, "other-example"))?.id).toBe(other);
  expect(await latest(person, "third-example")).toBeUndefined();
});
