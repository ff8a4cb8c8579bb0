// Faults in how long sessions, parts of them and idempotency keys are kept, and in what is read for ever.
import type { Mutant } from "./mutant.ts";

const keys = "src/domain/sessions/creation/idempotency-keys.ts";
const keyStore = "src/store/sessions/idempotency-store.ts";
const keyStatements = "src/store/sessions/idempotency-store.ts";
const parts = "src/store/sessions/session-data.ts";
const retention = "src/domain/retention/retention.ts";
const sessions = "src/store/sessions/session-store.ts";
const codec = "src/products/values-bridge/results/results-codec.ts";

const onDatabase = { project: "mariadb" } as const;
const ofKeys = { ...onDatabase, tests: ["test/store/sessions/idempotency.test.ts"] };
const ofCopies = { ...onDatabase, tests: ["test/store/server/earlier-release.test.ts"] };
const ofRetention = { ...onDatabase, tests: ["test/store/deletion/retention.test.ts"] };
const ofErasure = {
  ...onDatabase,
  tests: ["test/store/deletion/whole-rows.test.ts", "test/store/sessions/idempotency.test.ts"],
};
const ofResults = { project: "pure", tests: ["test/values-bridge/results/codec.test.ts"] } as const;

export const keptSessionMutants: readonly Mutant[] = [
  {
    fault: "ending idempotency keys stops after one batch",
    file: keys,
    replace: "observe(found);",
    by: "observe(found);\n    break;",
    ...ofKeys,
  },
  {
    fault: "an idempotency key that is removed stays in the row of its session",
    file: keyStore,
    replace: "        await executeText(connection, forgetKeys, named);\n",
    by: "",
    ...ofKeys,
  },
  {
    fault: "idempotency keys are removed before their time",
    file: keyStatements,
    replace: "WHERE expires_at <= :now ORDER BY expires_at LIMIT :limit",
    by: "WHERE :now IS NOT NULL ORDER BY expires_at LIMIT :limit",
    ...ofKeys,
  },
  {
    fault: "an idempotency key that is live is freed",
    file: keyStore,
    replace: "      if (!isOver) return;\n",
    by: "",
    ...ofKeys,
  },
  {
    fault: "forgetting an idempotency key is announced",
    file: keyStatements,
    replace: "SET idempotency_key = NULL, request_hash = NULL, unpublished_since = unpublished_since`",
    by: "SET idempotency_key = NULL, request_hash = NULL, unpublished_since = NOW(3)`",
    ...ofKeys,
  },
  {
    fault: "copying idempotency keys stops after the first partner",
    file: keys,
    replace: "if (page.next === undefined) return count;",
    by: 'if (page.next === undefined || page.next.key === "") return count;',
    ...ofCopies,
  },
  {
    fault: "copying idempotency keys goes on behind the first page of a partner",
    file: keyStore,
    replace: 'rows.length < limit ? "" : rows.at(-1)?.idempotency_key.toString()',
    by: '""',
    ...ofCopies,
  },
  {
    fault: "copied idempotency keys are kept as long as new ones",
    file: keyStatements,
    replace: "created_at + INTERVAL ? DAY FROM sessions",
    by: "NOW(3) + INTERVAL ? DAY FROM sessions",
    ...ofCopies,
  },
  {
    fault: "idempotency keys of earlier releases that are over stay in the rows of sessions",
    file: keyStore,
    replace: "if (over.length > 0) await",
    by: "if (over.length < 0) await",
    ...ofCopies,
  },
  {
    fault: "copying idempotency keys again changes those that were copied",
    file: keyStore,
    replace: "rows.filter((row) => row.copied_id === null)",
    by: "rows",
    ...ofCopies,
  },
  {
    fault: "answers that are deleted alone stay in the norms",
    file: sessions,
    replace: 'if (dataClass === "answers")',
    by: 'if (dataClass === "results")',
    ...onDatabase,
    tests: ["test/store/deletion/retention.test.ts", "test/store/norms.test.ts"],
  },
  {
    fault: "a session without answers is still to be counted for norms",
    file: parts,
    replace: ", is_counted = 1`",
    by: "`",
    ...ofRetention,
  },
  {
    fault: "results that are deleted are still to be made",
    file: parts,
    replace: `"results_deleted_at = :deletedAt, results = ''"`,
    by: '"results_deleted_at = :deletedAt, results = NULL"',
    ...ofRetention,
  },
  {
    fault: "deleting a part of a session loses what is still to be announced of it",
    file: parts,
    replace: "unpublished_since = unpublished_since",
    by: "unpublished_since = NULL",
    ...ofRetention,
  },
  {
    fault: "a part that another run has deleted is deleted again",
    file: parts,
    replace: 'lock("answers_deleted_at IS NULL")',
    by: 'lock("TRUE")',
    ...ofRetention,
  },
  {
    fault: "parts are deleted while an earlier release may run",
    file: retention,
    replace: "const parts = isRolledOut() ?",
    by: "const parts = isRolledOut !== undefined ?",
    ...ofRetention,
  },
  {
    fault: "a run of retention begins where the one before ended for good",
    file: retention,
    replace: "if (after !== before) await",
    by: "if (after !== policy.resumeAfter) await",
    ...ofRetention,
  },
  {
    fault: "a policy that is withdrawn deletes on",
    file: retention,
    replace: "if (!(await isInForce(deps, policy, signal))) break;",
    by: "",
    ...ofRetention,
  },
  {
    fault: "what was completed meanwhile is deleted as open",
    file: sessions,
    replace: "erasure.onlyOpen ? statements.lockOpenSession : statements.lockSession",
    by: "statements.lockSession",
    ...ofRetention,
  },
  {
    fault: "an erased session leaves its idempotency key",
    file: sessions,
    replace: "          await execute(connection, statements.deleteKeysOfSession, { partnerId, id });\n",
    by: "",
    ...ofErasure,
  },
  {
    fault: "an erased session leaves the views of its report",
    file: sessions,
    replace: "          await execute(connection, statements.deleteReportViews, { partnerId, id });\n",
    by: "",
    ...ofErasure,
  },
  {
    fault: "an erased session leaves a link, over which a browser session can be opened",
    file: sessions,
    replace: "          await execute(connection, statements.deleteLinks, { partnerId, id });\n",
    by: "",
    ...ofErasure,
  },
  {
    fault: "an erased session stays in the norms",
    file: sessions,
    replace: "        await removeContributions(connection, partnerId, held, arithmetic);\n        await removeMembers",
    by: "        await removeMembers",
    ...onDatabase,
    tests: ["test/store/norms.test.ts"],
  },
  {
    fault: "an erasure leaves no record",
    file: sessions,
    replace:
      '        await execute(connection, statements.insertErasure, erasureToRow(erasure, "session", held.length));\n',
    by: "",
    ...ofErasure,
  },
  {
    fault: "results are packed whether they can be read back or not",
    file: codec,
    replace: "if (areSame(readDense(dense), results)) return dense;",
    by: "return dense;",
    ...ofResults,
  },
  {
    fault: "results that do not fit the packed form are not stored",
    file: codec,
    replace: "if (!(error instanceof RangeError)) throw error;",
    by: "throw error;",
    ...ofResults,
  },
  {
    fault: "results that an earlier release stored as JSON are not read",
    file: codec,
    replace: "      if (bytes[0] === jsonFormat) return decodeJsonResults(bytes);\n",
    by: "",
    ...ofResults,
  },
  {
    fault: "results are packed while an earlier release may read them",
    file: "src/domain/sessions/scoring.ts",
    replace: "isRolledOut() ? resultsCodec.encode(results)",
    by: "isRolledOut !== undefined ? resultsCodec.encode(results)",
    ...onDatabase,
    tests: ["test/e2e/operation/roll-out.test.ts"],
  },
];
