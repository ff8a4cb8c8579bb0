import { defineConfig } from "vitest/config";

// One fault at a time: each of them wants the machine for itself.
export default defineConfig({
  test: {
    name: "faults",
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/faults/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 15 * 60_000,
    hookTimeout: 20 * 60_000,
  },
});
