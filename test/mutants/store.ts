// Faults in the store.
import type { Mutant } from "./mutant.ts";

export const storeMutants: readonly Mutant[] = [
  {
    fault: "a step of a migration cannot be repeated",
    file: "src/store/migrations/0003-job-leases.ts",
    replace: "CREATE TABLE IF NOT EXISTS job_leases",
    by: "CREATE TABLE job_leases",
    project: "mariadb",
    tests: ["test/store/migrate.test.ts"],
  },
  {
    fault: "the lock of migrations is not freed",
    file: "src/store/migrate.ts",
    replace: "      await execute(connection, releaseLock, {}).catch(() => undefined);\n",
    by: "",
    project: "mariadb",
    tests: ["test/store/migrate.test.ts"],
  },
  {
    fault: "a lock of migrations that was not obtained is passed over",
    file: "src/store/migrate.ts",
    replace: "if (row?.is_taken === 1) return;",
    by: "if (row !== undefined) return;",
    project: "mariadb",
    tests: ["test/store/migrate.test.ts"],
  },
  {
    fault: "unfit idle connections are kept",
    file: "src/store/connection.ts",
    replace: 'if (trouble === "unfit") for (const { resource } of db.client.pool.free) discard(resource);',
    by: "",
    project: "mariadb",
    tests: ["test/store/unfit-connections.test.ts"],
  },
  {
    fault: "an unfit connection goes back to the pool",
    file: "src/store/connection.ts",
    replace: '(trouble === "lost" || trouble === "unfit")',
    by: 'trouble === "lost"',
    project: "mariadb",
    tests: ["test/store/unfit-connections.test.ts"],
  },
];
