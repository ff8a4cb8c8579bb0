import { defineConfig } from "vitest/config";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { means } from "./support/run/means.ts";

process.env.TMPDIR = temporaryFolder();
const hasCluster = means("FAULTS_MYSQL_ROOT") !== "" && means("FAULTS_HAPROXY") !== "";

// One fault at a time: each of them wants the machine for itself.
export default defineConfig({
  test: {
    name: "faults",
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/faults/**/*.test.ts"],
    exclude: hasCluster ? [] : ["test/faults/cluster.test.ts"],
    fileParallelism: false,
    testTimeout: 15 * 60_000,
    hookTimeout: 20 * 60_000,
  },
});
