import { defineConfig } from "vitest/config";

// Tests without a database. Those on one run on MariaDB; npm run test:mysql runs them on MySQL as well.
const pure = [
  "test/*.test.ts",
  "test/{values-bridge,report-rendering,domain,contract,cli,jobs,embedded-database}/**/*.test.ts",
];
/** Hundreds of reports and pages drawn, read back and looked at on every screen. */
const looks = ["test/report-rendering/{pdf,png}.test.ts", "test/web/{appearance,docs-site,report,scale}.test.ts"];
const onDatabase = ["test/{store,rpc,gateway,e2e,security}/**/*.test.ts"];
/** Bytes that are refused before a database is asked, and processes beside it: one server shows as much as two. */
const beforeDatabase = [
  "test/security/{arriving-bodies,hostile-grpc,hostile-inputs,one-pass,slow-clients}.test.ts",
  "test/gateway/{bodies,broken-requests,compression,core-tls,core-trouble,openapi,site,unread-bodies}.test.ts",
  "test/gateway/{request-collection,requests,responses,same-refusals}.test.ts",
  "test/rpc/doors/{grpc-door,grpc-server,interceptors,tls}.test.ts",
  "test/rpc/limits/refusal-pacing.test.ts",
  "test/e2e/operation/{processes,traces}.test.ts",
];

const database = (name: string, globalSetup: string, exclude: string[]) => ({
  test: { name, include: onDatabase, exclude, globalSetup, testTimeout: 120_000, hookTimeout: 300_000 },
});

const pages = (name: string, include: string[], deployment: "one process" | "core and gateway") => ({
  test: {
    name,
    include,
    exclude: name === "looks" ? [] : looks,
    provide: { deployment },
    globalSetup: "test/support/browser/browser-leg.ts",
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});

export default defineConfig({
  test: {
    // More than two processors, since a test waits for servers and browsers as long as it works.
    maxWorkers: 3,
    projects: [
      { test: { name: "pure", include: pure, exclude: looks, testTimeout: 120_000, hookTimeout: 300_000 } },
      database("mariadb", "test/support/databases/embedded-leg.ts", []),
      // What is long has commands of its own. npm run test:pages: all that needs a browser.
      pages("web", ["test/web/**/*.test.ts"], "one process"),
      pages("looks", looks, "one process"),
      pages("web-split", ["test/web/{door,events,journey,saving,test-data}.test.ts"], "core and gateway"),
      // npm run test:loop: the worst inputs there are, with nothing beside them.
      {
        test: {
          name: "loop",
          include: ["test/loop/**/*.test.ts"],
          globalSetup: "test/support/databases/embedded-leg.ts",
          testTimeout: 20 * 60_000,
          hookTimeout: 300_000,
        },
      },
      // The runner (test/run.ts) brings this server up and says so loudly where it cannot.
      ...(process.env.TEST_DATABASE_URL
        ? [database("mysql", "test/support/databases/url-leg.ts", beforeDatabase)]
        : []),
    ],
  },
});
