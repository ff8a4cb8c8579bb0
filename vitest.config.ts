import { defineConfig } from "vitest/config";

// Tests without a database; everything below runs once on each database server.
const pure = ["test/*.test.ts", "test/{values-bridge,domain,contract,cli,jobs,embedded-database}/**/*.test.ts"];
const onDatabase = ["test/{store,rpc,gateway,e2e,security}/**/*.test.ts"];

const database = (name: string, globalSetup: string) => ({
  test: { name, include: onDatabase, globalSetup, testTimeout: 30_000, hookTimeout: 60_000 },
});

export default defineConfig({
  test: {
    // More than two processors, since a test waits for servers and browsers as long as it works.
    maxWorkers: 3,
    projects: [
      { test: { name: "pure", include: pure, testTimeout: 60_000, hookTimeout: 120_000 } },
      database("mariadb", "test/support/embedded-leg.ts"),
      {
        test: {
          name: "web",
          include: ["test/web/**/*.test.ts"],
          globalSetup: "test/support/browser-leg.ts",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      // The runner (test/run.ts) brings this server up and says so loudly where it cannot.
      ...(process.env.TEST_DATABASE_URL ? [database("mysql", "test/support/url-leg.ts")] : []),
    ],
  },
});
