// What could not be loaded is asked for again by the next call: a failure is never remembered.

import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { AssessmentCatalogue } from "../../../src/services/assessments/catalogue.ts";
import { CompletionSigner } from "../../../src/services/hosted/completion-signing.ts";
import { someAssessment } from "../../support/builders.ts";
import { deadline, signal } from "../../support/deadline.ts";
import { storesOfFile } from "../../support/of-file.ts";
import { valuesBridge } from "../../support/values-bridge/opened.ts";
import { longForm } from "../../support/values-bridge/short-form.ts";

/** Time stands still: nothing is asked for again because it is old. */
const standing = { clock: () => 1_000_000, monotonic: () => 1_000_000 };

const database = await storesOfFile();

/** Runs the work while a table is not there. */
async function without(table: string, work: () => Promise<void>): Promise<void> {
  await database.connection.query(`RENAME TABLE ${table} TO away`);
  await work().finally(() => database.connection.query(`RENAME TABLE away TO ${table}`));
}

test.each([
  ["a version by its id", (catalogue: AssessmentCatalogue) => catalogue.getById(1)],
  ["the published version", (catalogue: AssessmentCatalogue) => catalogue.getPublished("small-example")],
  [
    "a version by its number",
    (catalogue: AssessmentCatalogue) => catalogue.getVersion("small-example", 1, "long", deadline),
  ],
])("%s that could not be loaded is loaded by the next call", async (_, load) => {
  await database.assessments.insertAssessment(someAssessment(), signal);
  const catalogue = new AssessmentCatalogue(database.assessments, valuesBridge, standing.monotonic);
  await without("assessments", () => expect(load(catalogue)).rejects.toThrow());
  expect((await load(catalogue)).version).toBe(1);
});

test("the short form of a version that could not be loaded is a fault, and no refusal", async () => {
  const stored = someAssessment({ id: 2, product: "two-forms", definition: longForm() });
  await database.assessments.insertAssessment(stored, signal);
  const catalogue = new AssessmentCatalogue(database.assessments, valuesBridge, standing.monotonic);
  const assessment = await catalogue.getById(2);
  await without("assessments", () =>
    expect(catalogue.getForm(assessment, "short")).rejects.toMatchObject({ code: "ER_NO_SUCH_TABLE" }),
  );
  expect((await catalogue.getForm(assessment, "short")).form).toBe("short");
});

test("signing keys that could not be loaded are loaded by the next call", async () => {
  const signer = new CompletionSigner({ ...database, ...standing, random: randomBytes }, undefined);
  await without("signing_keys", () => expect(signer.listPublicKeys()).rejects.toThrow());
  expect(await signer.listPublicKeys()).toHaveLength(1);
  const completion = { issuer: "https://assess.example", partnerId: "partner-1", sessionId: "session-1" };
  expect(await signer.sign(completion)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
});
