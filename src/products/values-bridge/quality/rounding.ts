// Rounds reported numbers, after all comparisons.
import { createRounder } from "../scoring/exact.ts";

const round2 = createRounder(2);
const round4 = createRounder(4);

/** Members with four decimals: indices and variances. Points, errors and seconds have two. */
const membersWithFour: ReadonlySet<string> = new Set([
  "spread",
  "opposites",
  "consistency",
  "consistencyIdeal",
  "consistencyCurrent",
  "agreementIdeal",
  "agreementCurrent",
  "variance",
  "index",
]);

/** Rounds every number in a block, half away from zero: to two decimals, or to four by the member's name. */
export function roundNumbers<T>(block: T): T {
  return roundMember(block, "") as T;
}

function roundMember(value: unknown, name: string): unknown {
  if (typeof value === "number") return membersWithFour.has(name) ? round4(value) : round2(value);
  if (Array.isArray(value)) return value.map((each) => roundMember(each, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, roundMember(each, member)]));
}
