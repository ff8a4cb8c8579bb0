// The error table in the proto is whole, the compiler holds the code to its codes, each reason is provoked by a test, and people get a page for each.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errorRows, toErrorCode } from "../../../src/kernel/errors/error-table.ts";
import { Refusal, unauthenticatedError } from "../../../src/kernel/errors/refusal.ts";
import { convertCallError } from "../../../src/pages/page-error.ts";

test.each([
  ["not_found", 404, 5],
  ["method_not_allowed", 405, undefined],
  ["gateway_unauthenticated", undefined, 16],
])("%s has the statuses that the proto states: %s over HTTP, %s over gRPC", (code, httpStatus, grpcCode) => {
  expect(errorRows.find((row) => row.code === code)).toMatchObject({ httpStatus, grpcCode });
});

test("every reason has a title and a condition", () => {
  for (const { title, when, remedy } of errorRows) {
    expect(title.length > 5 && when.endsWith(".") && remedy.endsWith(".")).toBe(true);
  }
});

test("a reason of a newer core that is not in the table stands for internal", () => {
  expect(toErrorCode("NONSENSE")).toBe("internal");
  expect(toErrorCode("NOT_FOUND")).toBe("not_found");
});

test.each([
  [undefined, "No access token was sent"],
  ["Bearer", "No access token was sent"],
  ["Basic abc", "is for /oauth/token"],
  ["pas_at_abc", "without `Bearer`"],
])("who sends the Authorization header %j reads which way it is wrong", (authorization, text) => {
  expect(unauthenticatedError(undefined, authorization).message).toContain(text);
});

/** Tests that send requests; the ones of the table itself prove nothing here. */
const files = globSync("test/{e2e,gateway,pipeline,services,transport,security,pages,faults}/**/*.ts").map((file) =>
  readFileSync(file, "utf8"),
);

test("every reason is provoked by a test", () => {
  const isProvoked = ({ code, reason }: { code: string; reason: string }) =>
    files.some((text) => text.includes(`"${code}"`) || text.includes(`"${reason}"`));
  expect(errorRows.filter((row) => !isProvoked(row)).map((row) => row.code)).toEqual([]);
});

test("after a lost race the page asks the person to send the same again", () => {
  const error = convertCallError(new Refusal("conflict", "Others kept writing."));
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
  expect(convertCallError(new Refusal(code, "Some detail."))).toMatchObject({ status, page, code });
});

test("an unexpected error is a defect", () => {
  expect(convertCallError(new TypeError("x is not a function"))).toMatchObject({ status: 500, page: "defect" });
});
