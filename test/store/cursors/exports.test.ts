// Exports over a real database: whatever commits late, and whatever clocks say, a reader who goes on has every session.
import { afterAll, beforeAll, test } from "vitest";
import { type ExportDatabases, openExportDatabases, proveExports } from "../../support/cursors/export-model.ts";

let databases: ExportDatabases;
beforeAll(async () => {
  databases = await openExportDatabases();
});
afterAll(() => databases.close());

test("who follows an export to its end, and goes on, has every session, and none again that was settled", () =>
  proveExports(databases, { hasReplica: false, isTwin: false }));

test("so has who reads from a replica that is behind, and what is erased is not shown", () =>
  proveExports(databases, { hasReplica: true, isTwin: false }));

test("so has a test twin, however its clock is moved", () =>
  proveExports(databases, { hasReplica: false, isTwin: true }));
