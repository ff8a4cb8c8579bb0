// What short runs of suites have: `npm test`, and `npm run test:all -- --short`. Continuous integration has time for these;
// before a release suites are run in full. What a short run leaves out is shown by another suite as well, or differs in its
// circumstances only. Files that are left out are here. Within a file, `test/support/extent.ts` says what a short run has of
// a list, and `shortOn` on which databases it has a fault.

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
