import { defineConfig } from "vitest/config";
import { temporaryFolder } from "../support/temporary-folder.ts";

process.env.TMPDIR = temporaryFolder();

// What is in deploy/, held to the programs that read it. They are Debian's; where one is missing its tests fail.
export default defineConfig({
  test: {
    name: "deploy",
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/deploy/**/*.test.ts"],
    globalSetup: "test/support/databases/servers/embedded-leg.ts",
    fileParallelism: false,
    testTimeout: 5 * 60_000,
    hookTimeout: 10 * 60_000,
  },
});
