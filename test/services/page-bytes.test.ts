// The bytes of a page of an export.
import { create, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { ExportedSessionSchema, ExportSessionsResponseSchema } from "../../src/gen/assessment/v1/export_service_pb.ts";
import { maxPageBytes, PageRoom } from "../../src/services/exports/export-service.ts";

const sessionOf = (bytes: number) => create(ExportedSessionSchema, { externalId: "x".repeat(bytes) });

test("a page has room for what fits, for one session whatever its size, and for none behind what did not fit", () => {
  const quarter = sessionOf(maxPageBytes / 4);
  const room = new PageRoom(ExportedSessionSchema);
  const sessions = Array.from({ length: 5 }, () => quarter).filter((each) => room.takes(each));
  expect(sessions).toHaveLength(3);
  const message = create(ExportSessionsResponseSchema, { sessions });
  expect(toBinary(ExportSessionsResponseSchema, message).length).toBeLessThan(maxPageBytes);
  const small = new PageRoom(ExportedSessionSchema);
  expect([2 * maxPageBytes, 1].map((bytes) => small.takes(sessionOf(bytes)))).toEqual([true, false]);
});
