// Mutants that no test can notice, since they change nothing that anybody could see. Each was looked at; they are left out
// of the scores. test/repository/mutation.test.ts holds that their texts are still there.

export interface EquivalentMutant {
  readonly file: string;
  /** The line, without the spaces around it. */
  readonly line: string;
  /** What of it is replaced; all of it unless given. */
  readonly replace?: string;
  /** What Stryker puts in. */
  readonly by: string;
  readonly reason: string;
}

const groups = "src/products/values-bridge/groups";
const quality = "src/products/values-bridge/quality";
const rateLimit = "src/kernel/limits/rate-limit.ts";

export const equivalentMutants: readonly EquivalentMutant[] = [
  {
    file: "src/domain/hosted/return-url.ts",
    line: "const own = url.search",
    replace: "url.search\n    .slice(1)",
    by: "url.search",
    reason: "a question mark before the first pair is dropped where the query is read and where it is set",
  },
  {
    file: "src/pipeline/auth/token.ts",
    line: "this.#scopeSets.set(key, known);",
    by: ";",
    reason: "tokens with the same scopes have sets of their own then, which cost memory alone",
  },
  {
    file: rateLimit,
    line: "if (first !== undefined && this.#windows.size >= maxKeys) this.#windows.delete(first);",
    replace: "first !== undefined",
    by: "true",
    reason: "where there are windows there is a first one",
  },
  {
    file: `${quality}/grade.ts`,
    line: "const isSecondLow = first !== null && !isBelow(first, 0.2) && isLow(second, 0.2);",
    replace: "first !== null",
    by: "true",
    reason: "null counts as 0 where it is compared, which is below 0.2",
  },
  {
    file: `${quality}/grade.ts`,
    line: 'const causes = new Set(flags.map(({ index }) => (separation.has(index) ? "separation" : index)));',
    replace: '"separation"',
    by: '""',
    reason: "whatever the cause is called, it is one",
  },
  {
    file: `${quality}/error/certainty.ts`,
    line: "return coefficients.reduce((value, coefficient) => value * x + coefficient, 0);",
    replace: "value * x + coefficient",
    by: "value * x - coefficient",
    reason: "both polynomials have the opposite sign then, and their ratio has the same",
  },
  ...[
    [`${quality}/change/changes.ts`, "sum += change", "sum -= change"],
    [`${quality}/error/gaps.ts`, "sum += difference", "sum -= difference"],
    [`${quality}/sheet.ts`, "sum += points", "sum -= points"],
  ].map(([file = "", replace = "", by = ""]) => ({
    file,
    line: `${replace};`,
    replace,
    by,
    reason: "a variance is the same whichever sign all the members have, and nothing else is made of the sum",
  })),
  ...[
    ['matched.filter((ofValue) => typeof ofValue !== "string")', "matched"],
    ['typeof ofValue !== "string"', "true"],
    ['"string"', '""'],
  ].map(([replace = "", by = ""]) => ({
    file: `${quality}/change/versions.ts`,
    line: 'return matched.filter((ofValue) => typeof ofValue !== "string");',
    replace,
    by,
    reason: "no value has a difference there; the compiler cannot know",
  })),
  {
    file: `${quality}/compile.ts`,
    line: "const items: Item[] = [];",
    replace: "[]",
    by: '["Stryker was here"]',
    reason: "the first question takes that place",
  },
  {
    file: `${quality}/error/error.ts`,
    line: "return score === null || ofLife === null ? null : standardError(ofLife, span, at(sheet.cells[life], index));",
    replace: "score === null",
    by: "false",
    reason: "nobody reads the error of a value without a score",
  },
  {
    file: `${quality}/error/error.ts`,
    line: "if (gap === null) return null;",
    replace: "gap === null",
    by: "false",
    reason: "nobody reads the error of a value without a gap",
  },
  {
    file: `${quality}/error/scores.ts`,
    line: "for (let other = 0; other < index; other += 1) {",
    replace: "other < index",
    by: "other <= index",
    reason: "no value is clearly higher than itself",
  },
  {
    file: `${quality}/error/scores.ts`,
    line: "const [higher, lower] = difference > 0 ? [one, two] : [two, one];",
    replace: "difference > 0",
    by: "difference >= 0",
    reason: "equal scores are not clearly different",
  },
  {
    file: `${quality}/error/scores.ts`,
    line: "return score === null || standardError === null ? null : { score: 100 * score, standardError };",
    replace: "score === null",
    by: "false",
    reason: "a value without a score has no standard error",
  },
  ...[
    ["return value < threshold - slack;", "value < threshold - slack", "value <= threshold - slack"],
    ["return value > threshold + slack;", "value > threshold + slack", "value >= threshold + slack"],
  ].map(([line = "", replace = "", by = ""]) => ({
    file: `${quality}/grade.ts`,
    line,
    replace,
    by,
    reason: "no number that is compared lies a slack away to its last bit",
  })),
  {
    file: "src/webhooks/sending/connections.ts",
    line: "const idle = this.#idle.get(connection.origin) ?? [];",
    replace: "[]",
    by: '["Stryker was here"]',
    reason: "no connection is in that list either",
  },
  {
    file: "src/webhooks/sending/connections.ts",
    line: "if (!connection.client.destroyed) void connection.client.destroy(reason);",
    replace: "!connection.client.destroyed",
    by: "true",
    reason: "what is closed is not closed again",
  },
  {
    file: `${groups}/summarise.ts`,
    line: "if (summary === null) return null;",
    replace: "summary === null",
    by: "false",
    reason: "a measure without a standard deviation has its value withheld, as one that is null",
  },
  {
    file: `${groups}/member.ts`,
    line: "totalGap: totalGap?.total ?? null,",
    replace: "totalGap?.total",
    by: "totalGap.total",
    reason: "whoever has all scores of both lives, as a member has, has a total gap",
  },
];
