// What stands in a person's way, for every error that a call can end with.
import { expect, test } from "vitest";
import { Refusal } from "../../../src/kernel/errors/refusal.ts";
import { fromCallError } from "../../../src/pages/page-error.ts";

test("after a lost race the page asks the person to send the same again", () => {
  const error = fromCallError(new Refusal("conflict", "Others kept writing."));
  expect(error).toMatchObject({ page: "unavailable", status: 503, code: "conflict", retryAfterSeconds: 1 });
});

test.each([
  ["unavailable", 503, "unavailable"],
  ["deadline_exceeded", 504, "unavailable"],
  ["rate_limited", 429, "tooMany"],
  ["unauthenticated", 403, "noBrowserSession"],
  ["not_found", 404, "nothingHere"],
  ["payload_too_large", 413, "invalid"],
  ["internal", 500, "defect"],
] as const)("%s is answered with %i, as the page %s", (code, status, page) => {
  expect(fromCallError(new Refusal(code, "Some detail."))).toMatchObject({ status, page, code });
});

test("an unexpected error is a defect", () => {
  expect(fromCallError(new TypeError("x is not a function"))).toMatchObject({ status: 500, page: "defect" });
});
