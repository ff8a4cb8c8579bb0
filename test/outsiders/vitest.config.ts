import { defineConfig } from "vitest/config";
import { temporaryFolder } from "../support/run/temporary-folder.ts";

process.env.TMPDIR = temporaryFolder();

// One judge at a time: some of them measure.
export default defineConfig({
  test: {
    name: "outsiders",
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/outsiders/**/*.test.ts"],
    globalSetup: "test/support/databases/servers/embedded-leg.ts",
    fileParallelism: false,
    testTimeout: 30 * 60_000,
    hookTimeout: 10 * 60_000,
  },
});
