// The bytes of a page of an export.
import { create, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { ExportedSessionSchema, ExportSessionsResponseSchema } from "../../src/gen/assessment/v1/export_service_pb.ts";
import { batchSizes } from "../../src/services/batch-sizes.ts";
import { ExportPage } from "../../src/services/exports/export-page.ts";

const { exportBytes: maxPageBytes } = batchSizes;
const sessionOf = (bytes: number) => create(ExportedSessionSchema, { externalId: "x".repeat(bytes) });

test("a page has room for what fits, for one session whatever its size, and for none behind what did not fit", () => {
  const quarter = sessionOf(maxPageBytes / 4);
  const page = new ExportPage(ExportedSessionSchema, maxPageBytes);
  for (let count = 0; count < 5; count += 1) page.add(quarter);
  const { sessions } = page;
  expect(sessions).toHaveLength(3);
  const message = create(ExportSessionsResponseSchema, { sessions });
  expect(toBinary(ExportSessionsResponseSchema, message).length).toBeLessThan(maxPageBytes);
  const small = new ExportPage(ExportedSessionSchema, maxPageBytes);
  expect([2 * maxPageBytes, 1].map((bytes) => small.add(sessionOf(bytes)))).toEqual([true, false]);
});
