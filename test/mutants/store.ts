// Faults in the store.
import type { Mutant } from "./mutant.ts";

export const storeMutants: readonly Mutant[] = [
  {
    fault: "a step of a migration cannot be repeated",
    file: "src/database/migrations/0003-job-leases.ts",
    replace: "CREATE TABLE IF NOT EXISTS job_leases",
    by: "CREATE TABLE job_leases",
    project: "mariadb",
    tests: ["test/store/server/migrate.test.ts"],
  },
  {
    fault: "the lock of migrations is not freed",
    file: "src/database/migrate.ts",
    replace: "      await execute(connection, releaseLock, {}).catch(() => undefined);\n",
    by: "",
    project: "mariadb",
    tests: ["test/store/server/migrate.test.ts"],
  },
  {
    fault: "a lock of migrations that was not obtained is passed over",
    file: "src/database/migrate.ts",
    replace:
      "if ((await soleValue(connection, takeLock, { seconds })) === 1) return soleValue(connection, lockHolder, {});",
    by: "if ((await soleValue(connection, takeLock, { seconds })) !== 2) return soleValue(connection, lockHolder, {});",
    project: "mariadb",
    tests: ["test/store/server/migrate.test.ts"],
  },
  {
    fault: "unfit idle connections are kept",
    file: "src/database/connection.ts",
    replace: 'if (trouble === "unfit") for (const idle of recent.idle()) discard(idle);',
    by: "",
    project: "mariadb",
    tests: ["test/store/server/unfit-connections.test.ts"],
  },
  {
    fault: "an unfit connection goes back to the pool",
    file: "src/database/connection.ts",
    replace: '(trouble === "lost" || trouble === "unfit")',
    by: 'trouble === "lost"',
    project: "mariadb",
    tests: ["test/store/server/unfit-connections.test.ts"],
  },
  {
    fault: "a lock of migrations that is lost with nothing else is passed over",
    file: "src/database/migrate.ts",
    replace: "if ((await soleValue(connection, lockHolder, {})) !== holder) throw new Error(",
    by: "if ((await soleValue(connection, lockHolder, {})) === undefined) throw new Error(",
    project: "mariadb",
    tests: ["test/store/server/migrate.test.ts"],
  },
  {
    fault: "a pass of maintenance takes as many connections as there are tables",
    file: "src/store/retention/maintenance-store.ts",
    replace: `      for (const each of deletes) {
        const on = each.table === "access_tokens" ? whole : db;
        if ((await deleteByKeys(on, each, { limit, before }, signal)) === limit) isMore = true;
      }
`,
    by: `      const counts = await Promise.all(deletes.map((each) => deleteByKeys(db, each, { limit, before }, signal)));
      isMore = counts.includes(limit);
`,
    project: "mariadb",
    tests: ["test/store/deletion/maintenance.test.ts"],
  },
  {
    fault: "the statements of a session reach those of other partners",
    file: "src/store/sessions/session-statements.ts",
    replace: 'const named = "partner_id = :partnerId AND id = :id";',
    by: 'const named = ":partnerId IS NOT NULL AND id = :id";',
    project: "mariadb",
    tests: ["test/store/statements/statements.test.ts", "test/store/sessions/sessions.test.ts"],
  },
  {
    fault: "a change of an endpoint reaches those of other partners",
    file: "src/store/webhooks/webhook-statements.ts",
    replace: 'const isNamed = "partner_id = :partnerId AND id = :id";',
    by: 'const isNamed = ":partnerId IS NOT NULL AND id = :id";',
    project: "mariadb",
    tests: ["test/store/statements/statements.test.ts"],
  },
  {
    fault: "an idempotency key whose time is over finds its session",
    file: "src/store/sessions/session-store.ts",
    replace: "      if (known?.is_over === 1) return undefined;\n",
    by: "",
    project: "mariadb",
    tests: ["test/store/sessions/idempotency.test.ts"],
  },
  {
    fault: "what is begun for an idempotency key that the release before has taken stays",
    file: "src/store/sessions/session-store.ts",
    replace:
      '        if (outcome !== "inserted") await execute(connection, statements.deleteKey, values);\n        else if',
    by: "        if",
    project: "mariadb",
    tests: ["test/store/server/earlier-release.test.ts"],
  },
  {
    fault: "a contribution to norms whose session is gone belongs to nobody until the roll-out is over",
    file: "src/database/earlier-rows.ts",
    replace: "norm_contributions: [...ofSession, ...ofSet]",
    by: "norm_contributions: ofSession",
    project: "mariadb",
    tests: ["test/store/server/earlier-rows.test.ts"],
  },
  {
    fault: "rows without a partner are looked for where there cannot be any",
    file: "src/database/earlier-rows.ts",
    replace: "if (isMissingTable(error)) (connection as Looked)[namesPartners] = true;",
    by: "if (isMissingTable(error)) (connection as Looked)[namesPartners] = false;",
    project: "mariadb",
    tests: ["test/store/server/earlier-rows.test.ts"],
  },
  {
    fault: "a list by time of creation leaves out sessions whose ids were made just before it",
    file: "src/store/sessions/session-list-store.ts",
    replace: "firstIdAt(createdAfter.getTime() - idLeadMs)",
    by: "firstIdAt(createdAfter.getTime())",
    project: "mariadb",
    tests: ["test/store/sessions/session-lists.test.ts"],
  },
];
