import { defineConfig } from "vitest/config";

// Tests without a database; everything below runs once on each database server.
const pure = [
  "test/*.test.ts",
  "test/{values-bridge,report-rendering,domain,contract,cli,jobs,embedded-database}/**/*.test.ts",
];
const onDatabase = ["test/{store,rpc,gateway,e2e,security}/**/*.test.ts"];

const database = (name: string, globalSetup: string) => ({
  test: { name, include: onDatabase, globalSetup, testTimeout: 120_000, hookTimeout: 300_000 },
});

const pages = (name: string, include: string[], deployment: "one process" | "core and gateway") => ({
  test: {
    name,
    include,
    provide: { deployment },
    globalSetup: "test/support/browser-leg.ts",
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});

export default defineConfig({
  test: {
    // More than two processors, since a test waits for servers and browsers as long as it works.
    maxWorkers: 3,
    projects: [
      { test: { name: "pure", include: pure, testTimeout: 120_000, hookTimeout: 300_000 } },
      database("mariadb", "test/support/embedded-leg.ts"),
      pages("web", ["test/web/**/*.test.ts"], "one process"),
      // The same pages from a gateway of its own.
      pages("web-split", ["test/web/{door,journey,saving}.test.ts"], "core and gateway"),
      // Minutes of the worst inputs there are, with nothing beside them: npm run test:loop.
      {
        test: {
          name: "loop",
          include: ["test/loop/**/*.test.ts"],
          globalSetup: "test/support/embedded-leg.ts",
          testTimeout: 20 * 60_000,
          hookTimeout: 300_000,
        },
      },
      // The runner (test/run.ts) brings this server up and says so loudly where it cannot.
      ...(process.env.TEST_DATABASE_URL ? [database("mysql", "test/support/url-leg.ts")] : []),
    ],
  },
});
