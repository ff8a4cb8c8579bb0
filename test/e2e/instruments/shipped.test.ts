// The instrument of a release is published where there is none, and follows nobody's own.
import { afterEach, beforeEach, expect, test } from "vitest";
import { prepareDatabase } from "../../../src/cli/migrate.ts";
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import { publishAssessment } from "../../../src/services/assessments/assessment-service.ts";
import { openTestStores, type TestStores } from "../../support/databases/stores.ts";
import { deadline } from "../../support/deadline.ts";
import { testDependencies } from "../../support/dependencies.ts";
import { longForm } from "../../support/values-bridge/short-form.ts";

let database: TestStores;
beforeEach(async () => {
  database = await openTestStores();
});
afterEach(() => database.close());

const own = (): Definition => ({ ...longForm(), title: "Values, in the words of our house" });

/** What `pas migrate` does about the instrument. */
async function upgrade() {
  return (await prepareDatabase({ say: () => undefined }, database.address)).instrument;
}

async function publish(definition: Definition): Promise<void> {
  await publishAssessment(testDependencies(database), JSON.stringify(definition), deadline);
}

async function published(): Promise<[version: number, title: string][]> {
  const versions = await database.assessments.listAssessments("values-bridge", deadline.signal);
  return versions.map(({ version, definition }) => [version, definition.title]);
}

test("the instrument of this release is published as version 1, once, where there is none", async () => {
  expect(await upgrade()).toBe("published");
  expect(await upgrade()).toBe("kept");
  expect(await published()).toEqual([[1, longForm().title]]);
});

test("several upgrades at once publish one version", async () => {
  const outcomes = await Promise.all([1, 2, 3, 4].map(upgrade));
  expect(outcomes.toSorted()).toEqual(["kept", "kept", "kept", "published"]);
  expect(await published()).toEqual([[1, longForm().title]]);
});

test("an instrument of an operator's own stays the published one", async () => {
  await publish(own());
  expect(await upgrade()).toBe("kept");
  expect(await published()).toEqual([[1, own().title]]);
});
