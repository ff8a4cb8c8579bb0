// Published versions of assessments: never changed, never numbered twice.
import { expect, test } from "vitest";
import type { Definition } from "../../src/products/values-bridge/definition/definition.ts";
import { at, someAssessment } from "../support/builders.ts";
import { signal } from "../support/deadline.ts";
import { storesOfFile } from "../support/of-file.ts";
import { largestDefinition, soundDefinition } from "../support/values-bridge/definition.ts";

const database = await storesOfFile();

test("the greatest id is 0 without any version, then the greatest over all products", async () => {
  expect(await database.assessments.findGreatestAssessmentId(signal)).toBe(0);
  for (const id of [7, 90, 30]) {
    const assessment = someAssessment({ id, product: `product-${id}` });
    expect(await database.assessments.insertAssessment(assessment, signal)).toBe(true);
  }
  expect(await database.assessments.findGreatestAssessmentId(signal)).toBe(90);
});

test.each<[string, Definition]>([
  ["of other scripts", { ...soundDefinition(), title: "Werte für Zoë \u{1f642}", language: "de-CH" }],
  ["as large as definitions get", largestDefinition()],
])("a version comes back with its definition, %s, member for member", async (_, definition) => {
  const id = (await database.assessments.findGreatestAssessmentId(signal)) + 1;
  const assessment = someAssessment({ id, product: `round-trip-${id}`, version: 3, definition, publishedAt: at(999) });
  expect(await database.assessments.insertAssessment(assessment, signal)).toBe(true);
  expect(await database.assessments.findAssessment(id, signal)).toEqual(assessment);
});

test("the latest version is the greatest one, not the last inserted, and versions are listed newest first", async () => {
  const product = "latest";
  const [second, tenth, first] = [2, 10, 1].map((version) => someAssessment({ id: 110 - version, product, version }));
  for (const version of [second, tenth, first]) {
    if (version !== undefined) await database.assessments.insertAssessment(version, signal);
  }
  expect(await database.assessments.findLatestAssessmentId(product, signal)).toBe(100);
  expect(await database.assessments.listAssessments(product, signal)).toEqual([tenth, second, first]);
});

test("a version whose id or number is taken is not inserted and changes nothing", async () => {
  const first = someAssessment({ id: 301, product: "taken", version: 1 });
  await database.assessments.insertAssessment(first, signal);
  const sameId = someAssessment({ id: 301, product: "taken", version: 2, publishedAt: at(5) });
  const sameVersion = someAssessment({ id: 302, product: "taken", version: 1, publishedAt: at(5) });
  expect(await database.assessments.insertAssessment(sameId, signal)).toBe(false);
  expect(await database.assessments.insertAssessment(sameVersion, signal)).toBe(false);
  expect(await database.assessments.listAssessments("taken", signal)).toEqual([first]);
});
