// What is mutated, a folder at a time, and the tests that have to notice. All of them run without a database.

export interface MutatedFolder {
  readonly name: string;
  /** Globs of the files that are mutated. */
  readonly files: readonly string[];
  /** Globs of the tests. */
  readonly tests: readonly string[];
  /** Leaves out mutants that run while the tests are loaded, for each of which all of them would have to run. */
  readonly leavesOutStatic?: boolean;
}

const product = "src/products/values-bridge";
const ofProduct = "test/values-bridge";

export const folders: readonly MutatedFolder[] = [
  {
    name: "values-bridge/scoring",
    files: [`${product}/scoring/**/*.ts`],
    // Without the properties, which take a hundred times as long.
    tests: [`${ofProduct}/scoring/*.test.ts`],
  },
  {
    name: "values-bridge/quality",
    files: [`${product}/quality/**/*.ts`],
    // Without the properties of random sheets, which take twenty times as long as all the rest.
    tests: [`${ofProduct}/quality/{change,compile,error,response,thresholds,vectors}.test.ts`],
    leavesOutStatic: true,
  },
  {
    name: "values-bridge/norms",
    // What is released of all partners is held to distributions over many draws, up to minutes for each mutant.
    files: [`${product}/norms/**/*.ts`, `!${product}/norms/pool/*.ts`],
    tests: [`${ofProduct}/norms/{sums,published-norms,vectors}.test.ts`],
    leavesOutStatic: true,
  },
  {
    name: "values-bridge/groups",
    files: [`${product}/groups/**/*.ts`],
    tests: [`${ofProduct}/groups/*.test.ts`],
    leavesOutStatic: true,
  },
  {
    name: "values-bridge/report",
    // What is told. What is drawn is measured on a thousand reports, which takes a third of a minute for each mutant; that
    // every sentence occurs is looked at in as many.
    files: [`${product}/report/*.ts`, `${product}/report/model/*.ts`, `${product}/report/team/team-model.ts`],
    tests: [
      `${ofProduct}/report/revision.test.ts`,
      `${ofProduct}/report/{model/{rules,flags,change},words/portraits,team/team}.test.ts`,
    ],
    leavesOutStatic: true,
  },
  {
    name: "domain",
    files: ["src/domain/**/*.ts", "!src/domain/**/*-port.ts", "src/pipeline/auth/token.ts"],
    tests: ["test/domain/**/*.test.ts"],
    leavesOutStatic: true,
  },
  {
    name: "webhooks",
    files: ["src/webhooks/**/*.ts"],
    tests: ["test/webhooks/*.test.ts"],
  },
  {
    name: "limits",
    files: ["src/limits/*.ts", "src/pipeline/limits/*.ts"],
    tests: ["test/limits/*.test.ts", "test/pipeline/{large-pages,long-polls}.test.ts"],
  },
];

/** @throws RangeError without such a folder */
export function findFolder(name: string): MutatedFolder {
  const folder = folders.find((each) => each.name === name);
  if (folder !== undefined) return folder;
  throw new RangeError(
    `There is no folder ${name} to mutate. There are ${folders.map((each) => each.name).join(", ")}.`,
  );
}
