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

export const equivalentMutants: readonly EquivalentMutant[] = [
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
