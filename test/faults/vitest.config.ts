import { defineConfig } from "vitest/config";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { means } from "./support/run/means.ts";
import { isShort } from "./support/run/rounds.ts";

process.env.TMPDIR = temporaryFolder();
const hasCluster = means("FAULTS_MYSQL_ROOT") !== "" && means("FAULTS_HAPROXY") !== "";
const overload = ["test/faults/overload.test.ts"];

/** The figures of a full run are those of a machine that has nothing else to do. */
const project = (name: string, include: string[], isBesideOthers: boolean, exclude: string[] = []) => ({
  test: {
    name,
    root: new URL("../..", import.meta.url).pathname,
    include,
    exclude,
    fileParallelism: isBesideOthers,
    testTimeout: 15 * 60_000,
    hookTimeout: 20 * 60_000,
  },
});

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project("overload", overload, false),
      // In a short form two at a time: much of it is waiting for leases, elections and restarts.
      project("faults", ["test/faults/**/*.test.ts"], isShort, [
        ...overload,
        ...(hasCluster ? [] : ["test/faults/cluster.test.ts"]),
      ]),
    ],
  },
});
