// Faults in what a removal takes along: what is left is seen by comparing every row of every table.
import type { Mutant } from "./mutant.ts";

const ofRows = { project: "mariadb", tests: ["test/store/deletion/whole-rows.test.ts"] } as const;
const sessions = "src/store/sessions/session-store.ts";
const identities = "src/store/identity";
const access = "src/store/reports/report-access-store.ts";
const hosted = "src/store/hosted/hosted-store.ts";

export const removalMutants: readonly Mutant[] = [
  {
    fault: "whoever reads the report of an erased session reads on",
    file: sessions,
    replace: "          await execute(connection, statements.deleteReportBrowserSessions, { partnerId, id });\n",
    by: "",
    ...ofRows,
  },
  {
    fault: "an erased person stays a member of a group",
    file: sessions,
    replace: "        await removeMembers(connection, partnerId, held);\n",
    by: "",
    ...ofRows,
  },
  {
    fault: "numbers of a group stay when too few of its members are left",
    file: "src/store/groups/joining.ts",
    replace: "numbers = IF(held < :least, NULL, numbers)",
    by: "numbers = IF(held < :least, numbers, numbers)",
    ...ofRows,
  },
  {
    fault: "in how many calls answers came stays when they are deleted",
    file: "src/store/sessions/session-data.ts",
    replace: "answer_calls = NULL, ",
    by: "",
    ...ofRows,
  },
  {
    fault: "whoever reads a report reads on when its links are revoked",
    file: access,
    replace: "        await execute(connection, statements.deleteBrowserSessions, values);\n",
    by: "",
    ...ofRows,
  },
  {
    fault: "whoever came by a report link that is one too many reads on",
    file: access,
    replace: "          await execute(connection, statements.deleteBrowserSessionsOfLink, removed);\n",
    by: "",
    ...ofRows,
  },
  {
    fault: "whoever came by the link that a new one replaces stays",
    file: hosted,
    replace: "        await execute(connection, statements.deleteBrowserSessions, values);\n",
    by: "",
    ...ofRows,
  },
  {
    fault: "a client has one secret more than it may have",
    file: `${identities}/identity-store.ts`,
    replace: "older.slice(most - 1)",
    by: "older.slice(most)",
    ...ofRows,
  },
  {
    fault: "with one access token all of its client are revoked",
    file: `${identities}/identity-store.ts`,
    replace: "WHERE hash = :hash AND client_id = :clientId",
    by: "WHERE :hash IS NOT NULL AND client_id = :clientId",
    ...ofRows,
  },
  {
    fault: "the results of a session stay when they are deleted",
    file: "src/store/sessions/session-data.ts",
    replace: "results_deleted_at = :deletedAt, results = ''",
    by: "results_deleted_at = :deletedAt",
    ...ofRows,
  },
  {
    fault: "the answers of a session that is cancelled to be erased stay",
    file: sessions,
    replace: "erases ? statements.cancelAndErase : statements.cancel",
    by: "statements.cancel",
    ...ofRows,
  },
  {
    fault: "a session keeps an idempotency key that is over",
    file: "src/store/sessions/idempotency-store.ts",
    replace: "        await execute(connection, idempotencyStatements.forgetKey, session);\n",
    by: "",
    ...ofRows,
  },
  {
    fault: "the secrets of an endpoint stay when it is deleted",
    file: "src/store/webhooks/webhook-store.ts",
    replace: "        await execute(connection, statements.deleteSecrets, values);\n",
    by: "",
    ...ofRows,
  },
];
