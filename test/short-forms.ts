// What the short forms of long commands run: `npm run test:mysql -- --short` and so on. Continuous integration has time
// for these; before a release the full forms are run. What a short form leaves out is shown by another command as well,
// or differs in its circumstances only.

/** Files of a project's short form; a project that is not here runs all of its files, with less in some (`Extent`). */
export const shortForms = {
  /** What frozen and absent databases do, test:mysql shows. */
  system: [
    "test/cli/{embedded-death,package,service,supervised}.test.ts",
    "test/e2e/{fuzz,instruments/publication}.test.ts",
    "test/e2e/operation/{processes,secrets,traces}.test.ts",
    "test/database/embedded.test.ts",
    "test/security/{arriving-bodies,hostile-grpc,hostile-inputs,slow-clients}.test.ts",
  ],
  /** What a database of its own is broken for, test:faults shows as well. */
  "bad-day": ["test/bad-day/{clock,secrets,service}.test.ts"],
  /**
   * Servers differ in the store. Above it npm test shows the transports, which one journey over each of them joins
   * here.
   */
  mysql: ["test/store/**/*.test.ts", "test/e2e/contract.test.ts"],
  /** One process and two differ in who asks the core: the way of a person shows it. */
  "web-split": ["test/pages/{entry,journey}.test.ts"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** How much the tests of a run show: everything, or one of each kind where the others are alike. */
export type Extent = "full" | "short";

declare module "vitest" {
  interface ProvidedContext {
    extent: Extent;
  }
}
