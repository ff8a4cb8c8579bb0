import { defineConfig } from "vitest/config";
import { temporaryFolder } from "../support/run/temporary-folder.ts";

process.env.TMPDIR = temporaryFolder();

export default defineConfig({
  test: {
    name: "outsiders",
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/outsiders/**/*.test.ts"],
    globalSetup: "test/support/databases/servers/embedded-leg.ts",
    // In a full run one judge at a time: some of them measure.
    fileParallelism: process.env.TEST_EXTENT === "short",
    testTimeout: 30 * 60_000,
    hookTimeout: 10 * 60_000,
  },
});
