// When sessions and links may end, from both sides of each bound.
import { describe, expect, test } from "vitest";
import { expiryViolations, linkExpiryViolations } from "../../../src/domain/sessions/expiry.ts";
import type { Violation } from "../../../src/kernel/errors/violation.ts";
import { dayMs } from "../../../src/kernel/timers.ts";
import { at } from "../../support/builders.ts";

const now = at(0).getTime();
const codesOf = (violations: readonly Violation[]) => violations.map(({ path, code }) => `${path.join(".")} ${code}`);
const [fine, out] = [[], ["expiresAt out_of_range"]];

test.each([
  ["never", null, fine],
  ["now", 0, out],
  ["in a moment", 1, fine],
  ["in five years", 5 * 366 * dayMs, fine],
  ["in five years and a moment", 5 * 366 * dayMs + 1, out],
])("a session that is to end %s", (_, ms, expected) => {
  expect(codesOf(expiryViolations(ms === null ? null : at(ms), now))).toEqual(expected);
});

describe("the link of a session", () => {
  const ofLink = ["linkExpiresAt out_of_range"];

  test.each([
    ["now", 0, ofLink],
    ["in a moment", 1, fine],
    ["in ninety days", 90 * dayMs, fine],
    ["in ninety days and a moment", 90 * dayMs + 1, ofLink],
  ])("that is to end %s", (_, ms, expected) => {
    expect(codesOf(linkExpiryViolations({ mode: "hosted", linkExpiresAt: at(ms) }, now))).toEqual(expected);
  });

  test("may end with the session, and not after it", () => {
    const ends = (ms: number) => ({ mode: "hosted", expiresAt: at(dayMs), linkExpiresAt: at(ms) }) as const;
    expect(codesOf(linkExpiryViolations(ends(dayMs), now))).toEqual(fine);
    expect(codesOf(linkExpiryViolations(ends(dayMs + 1), now))).toEqual(ofLink);
  });

  test("is one of hosted sessions alone", () => {
    expect(codesOf(linkExpiryViolations({ mode: "headless" }, now))).toEqual(fine);
    const asked = { mode: "headless", linkExpiresAt: at(1) } as const;
    expect(codesOf(linkExpiryViolations(asked, now))).toEqual(["linkExpiresAt not_applicable"]);
  });
});
