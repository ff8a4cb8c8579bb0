// What short runs of suites have: `npm test`, and `npm run test:all -- --short`. Continuous integration has time for these;
// before a release suites are run in full. What a short run leaves out is shown by another suite as well, or differs in its
// circumstances only:
//
// - quick: a quarter of the random sessions that scoring and quality are checked with, and of the people whose reports are
//   drawn; fewer draws of noise; of the whole assessments over every transport a third, which has each
//   value of each dimension and three of four pairs of them.
// - mysql: everything above the store, and random histories of it. quick shows that on MariaDB, with each case of the
//   contract over REST and one other transport in turn; here it runs over gRPC. A full run has every case over every
//   transport.
// - histories: quick has some of them.
// - system: frozen and absent databases, which mysql shows; every third flood of bodies, by transport and caller; half of
//   the mutated requests, to a gateway alone, which passes them on; a start of root on a bare machine, which is that of an
//   ordinary user.
// - loop: each kind of bad input, each member and each operation comes once for a transport, not each kind
//   in each member at each operation. Floods of memory meet two of the five kinds of rpc, from one network or many. A
//   route is measured by 40 requests at the service or a gateway, and every third one by responses that nobody reads.
//   Only PNGs are rendered until memory would grow.
// - web, looks: a report or a sheet of paper is looked at in one of the circumstances, all of them in turn; an eighth of
//   the pages of the documentation in each of two, and a part of the searches; every third report on paper, and name that
//   is hostile; every second end of a session; a tenth of the random people; no phones but the smallest; every page in
//   English and German.
// - web: of the ways of a person two, a form each, with script and without, and none in a browser that lacks something;
//   every second or third way in which saving fails.
// - web-split: one way of a person. What the core is asked is the same.
// - web-firefox: one way of a person, and what is saved.
// - deploy: each sample of the reference in one of three languages in turn; the examples in Go, whose library takes a
//   minute to compile, and with packages of PyPI.
// - faults: fewer repeats; on MySQL a read-only server and the cluster alone (`shortOn` of a fault). Of the
//   runbook neither what a database of its own is broken for, which other faults show as well, nor keys that sign, which
//   take a minute each.
// - validation: loadings and angles of thousands of made-up people, whose code the rest runs as well; fewer samples, and
//   sections with just enough people (`inExtent`); one of the five simulated populations, whose figures do not depend on
//   others.
// - outsiders: the programs in Go, which are compiled first: grpcurl and h2spec; clients in Java and Go; few requests of
//   schemathesis, and few random PDFs.

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
  mysql: [
    "test/store/{*,{cursors,deletion,events,partners,server,sessions,statements,webhooks}/*}.test.ts",
    "test/e2e/contract-grpc.test.ts",
  ],
  validation: ["test/validation/!(recovery).test.ts"],
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
