// Codes that people type.
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createJoinCode, formatJoinCode, parseJoinCode } from "../../../src/domain/groups/join-code.ts";

test("a code has 60 random bits, in characters that do not look alike", () => {
  const codes = Array.from({ length: 200 }, () => createJoinCode(randomBytes));
  expect(new Set(codes).size).toBe(200);
  expect([...new Set(codes.join(""))].toSorted().join("")).toBe("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
  for (const code of codes) expect(parseJoinCode(formatJoinCode(code))).toBe(code);
  expect(formatJoinCode("0123456789AB")).toBe("0123-4567-89AB");
});

test.each(["0110-ABCD-EFGH", "olio-abcd-efgh", "OiLOabcdEFGH", "-0-1-1-0-ABCDEFGH-"])("%s is read as typed", (text) => {
  expect(parseJoinCode(text)).toBe("0110ABCDEFGH");
});

test.each(["", "0110-ABCD-EFG", "0110-ABCD-EFGHJ", "0110-ABCD-EFGU", "0110 ABCD EFGH", "0110-ABCD-EFGÉ"])(
  "%s is no code",
  (text) => {
    expect(parseJoinCode(text)).toBeUndefined();
  },
);
