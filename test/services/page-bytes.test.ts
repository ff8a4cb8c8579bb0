// The bytes of a page of an export: never taken for fewer than they are.
import { type DescMessage, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ExportedSessionSchema } from "../../src/gen/assessment/v1/export_service_pb.ts";
import { HeldSessionSchema } from "../../src/gen/assessment/v1/held_session_pb.ts";
import { maxPageBytes, mostBytes, PageRoom } from "../../src/services/exports/page-bytes.ts";
import { anyMessage } from "../support/any-message.ts";

test.each<[string, DescMessage]>([
  ["a session of an export", ExportedSessionSchema],
  ["a session of a person's export", HeldSessionSchema],
])("the bytes of %s are never taken for fewer than it is sent as", (_name, schema) => {
  fc.assert(
    fc.property(anyMessage(schema), (message) => {
      expect(mostBytes(message)).toBeGreaterThanOrEqual(toBinary(schema, message).length);
    }),
  );
});

test("a page has room for what fits, for one session whatever its size, and for none behind what did not fit", () => {
  const text = (bytes: number) => ({ text: "x".repeat(bytes) });
  const third = text(maxPageBytes / 3 - 100);
  const room = new PageRoom();
  expect([third, third, third, third].map((each) => room.takes(each))).toEqual([true, true, true, false]);
  const small = new PageRoom();
  expect([text(2 * maxPageBytes), text(1)].map((each) => small.takes(each))).toEqual([true, false]);
});
