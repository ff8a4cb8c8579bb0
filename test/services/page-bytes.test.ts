// The bytes of a page of an export.
import { create, toBinary } from "@bufbuild/protobuf";
import { NIL } from "uuid";
import { expect, test } from "vitest";
import { ExportedSessionSchema, ExportSessionsResponseSchema } from "../../src/gen/assessment/v1/export_service_pb.ts";
import { batchSizes } from "../../src/services/batch-sizes.ts";
import { buildExportPage } from "../../src/services/exports/export-page.ts";

const { exportBytes: maxBytes } = batchSizes;

/** A page of sessions of so many bytes. */
function buildPage(sizes: readonly number[]) {
  const rows = sizes.map((bytes) => ({ id: NIL, bytes }));
  const start = { safeUntil: NIL, position: NIL };
  const source = { schema: ExportedSessionSchema, rows, size: rows.length + 1, maxBytes, start, now: 0 };
  return buildExportPage(source, async ({ bytes }) => create(ExportedSessionSchema, { externalId: "x".repeat(bytes) }));
}

test("a page has room for what fits, for one session whatever its size, and for none behind what did not fit", async () => {
  const quarter = maxBytes / 4;
  const { sessions, atEnd } = await buildPage([quarter, quarter, quarter, quarter, 1]);
  expect(sessions).toHaveLength(3);
  expect(atEnd).toBe(false);
  const message = create(ExportSessionsResponseSchema, { sessions });
  expect(toBinary(ExportSessionsResponseSchema, message).length).toBeLessThan(maxBytes);
  expect(await buildPage([2 * maxBytes, 1])).toMatchObject({ sessions: [{}], atEnd: false });
  expect(await buildPage([2 * maxBytes])).toMatchObject({ sessions: [{}], atEnd: true });
});
