// What short runs of suites have: `npm test`, and `npm run test:all -- --short`. Continuous integration has time for these;
// before a release suites are run in full. What a short run leaves out is shown by another suite as well, or differs in its
// circumstances only:
//
// - quick: a quarter of the random sessions that scoring and quality are checked with, and of the people whose reports are
//   drawn; fewer draws of noise; of the whole assessments over every transport a third, which has each
//   value of each dimension and three of four pairs of them.
// - mysql: everything above the store. quick shows that on MariaDB, with each case of the contract over REST and one
//   other transport in turn; here it runs over gRPC. A full run has every case over every transport.
// - histories: quick and mysql have some of them.
// - system: frozen and absent databases, which mysql shows; every second flood of bodies, by transport and caller;
//   mutated requests to a gateway alone, which passes them on.
// - loop: each kind of bad input, each member and each operation comes once for a transport and a caller, not each kind
//   in each member at each operation. Floods of memory meet two of the five kinds of rpc; 40 requests measure a route.
// - web, looks: a page of the documentation, a report, a language or a sheet of paper is looked at in one of the
//   circumstances, all of them in turn; a quarter of the random people; no phones but the smallest.
// - web: of the ways of a person, a quarter, in which each form, language and hand comes, with script and without.
// - web-split: two ways of a person alone. What the core is asked is the same.
// - web-firefox: two ways of a person, and what is saved.
// - deploy: each sample of the reference in one of three languages in turn; the example in Go, whose library takes a
//   minute to compile.
// - faults: fewer repeats; on MySQL a read-only server and the cluster alone (`shortOn` of a case). Of the
//   runbook neither what a database of its own is broken for, which other faults show as well, nor keys that sign, which
//   take a minute each.
// - validation: fewer samples (`inExtent`); one of the five simulated populations, whose figures do not depend on others.

/** Files of a suite in a short run; a suite that is not here runs all of its files, with less in some (`Extent`). */
export const shortRuns = {
  system: [
    "test/cli/{bare-machine,embedded-death,package,service,supervised}.test.ts",
    "test/e2e/{fuzz,instruments/publication}.test.ts",
    "test/e2e/operation/{processes,secrets,traces}.test.ts",
    "test/database/embedded.test.ts",
    "test/security/{arriving-bodies,hostile-grpc,hostile-inputs,neighbours,slow-clients}.test.ts",
  ],
  faults: ["test/faults/*.test.ts", "test/faults/runbook/{clock,disk-full,secrets,service}.test.ts"],
  mysql: ["test/store/**/*.test.ts", "test/e2e/contract-grpc.test.ts"],
  "web-split": ["test/journeys/hosted.test.ts"],
  "web-firefox": ["test/journeys/hosted.test.ts", "test/pages/saving.test.ts"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** How much the tests of a run show: everything, or one of each kind where the others are alike. */
export type Extent = "full" | "short";

declare module "vitest" {
  interface ProvidedContext {
    extent: Extent;
    /** Whether every case of the contract runs over each transport, or over REST, or gRPC, and one of the others in turn. */
    contract: "over all" | "in turn";
  }
}
