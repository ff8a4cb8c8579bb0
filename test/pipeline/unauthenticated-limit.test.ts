// Behind one address are many: what one of them makes up keeps no other out. test/e2e/limits.test.ts shows it over every transport.
import { expect, test } from "vitest";
import { UnauthenticatedLimit } from "../../src/pipeline/limits/unauthenticated-limit.ts";

const address = "203.0.113.1";

test("a token that was good before takes turns with others of its network", () => {
  const limit = new UnauthenticatedLimit({ requests: 2, seconds: 60 }, () => 0);
  limit.markValid("good");
  expect(limit.toCaller(address, "good")).toEqual({ partner: address, client: "good" });
  expect(limit.toCaller(address, "nonsense")).toEqual({ partner: address, client: address });
});
