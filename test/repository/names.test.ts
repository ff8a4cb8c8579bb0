import { expect, test } from "vitest";
import { participleNames } from "../../tools/house/names.ts";

test("few constants and parameters of src are named by a participle alone", () => {
  const names = participleNames();
  expect(names.length, names.join("\n")).toBeLessThanOrEqual(20);
});
