// The tests of one folder, as Stryker runs them for each mutant: without a database, and without those that take long.
import { defineConfig } from "vitest/config";
import { findFolder } from "./folders.ts";

const { tests } = findFolder(process.env.MUTATED_FOLDER ?? "");

export default defineConfig({
  test: {
    include: [...tests],
    provide: { extent: "full" },
    setupFiles: ["tools/mutate/no-shrinking.ts"],
    testTimeout: 120_000,
  },
});
