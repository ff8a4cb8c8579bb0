// The bytes of a page of an export.
import { create, toBinary } from "@bufbuild/protobuf";
import { NIL } from "uuid";
import { expect, test } from "vitest";
import { ExportedSessionSchema, ExportSessionsResponseSchema } from "../../src/gen/assessment/v1/export_service_pb.ts";
import { batchSizes } from "../../src/services/batch-sizes.ts";
import { readExportPage } from "../../src/services/exports/export-page.ts";

const { exportBytes: maxBytes } = batchSizes;

/** A page of sessions of so many bytes. */
function readPage(sizes: readonly number[]) {
  const readRows = async function* () {
    for (const bytes of sizes) yield [NIL, create(ExportedSessionSchema, { externalId: "x".repeat(bytes) })] as const;
  };
  return readExportPage({ batchSizes, clock: () => 0 }, ExportedSessionSchema, "", sizes.length + 1, readRows);
}

test("a page has room for what fits, for one session whatever its size, and for none behind what did not fit", async () => {
  const quarter = maxBytes / 4;
  const { sessions, atEnd } = await readPage([quarter, quarter, quarter, quarter, 1]);
  expect(sessions).toHaveLength(3);
  expect(atEnd).toBe(false);
  const message = create(ExportSessionsResponseSchema, { sessions });
  expect(toBinary(ExportSessionsResponseSchema, message).length).toBeLessThan(maxBytes);
  expect(await readPage([2 * maxBytes, 1])).toMatchObject({ sessions: [{}], atEnd: false });
  expect(await readPage([2 * maxBytes])).toMatchObject({ sessions: [{}], atEnd: true });
});
