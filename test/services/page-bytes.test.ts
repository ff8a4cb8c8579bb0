// The bytes of a page of an export: never taken for fewer than they are.
import { create, type DescMessage, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ExportedSessionSchema } from "../../src/gen/assessment/v1/export_service_pb.ts";
import { HeldSessionSchema } from "../../src/gen/assessment/v1/held_session_pb.ts";
import { maxPageBytes, mostBytesOf, PageRoom } from "../../src/services/exports/page-bytes.ts";
import { anyMessage } from "../support/any-message.ts";

test.each<[string, DescMessage]>([
  ["a session of an export", ExportedSessionSchema],
  ["a session of a person's export", HeldSessionSchema],
])("the bytes of %s are never taken for fewer than it is sent as", (_name, schema) => {
  const mostBytes = mostBytesOf(schema);
  fc.assert(
    fc.property(anyMessage(schema), (message) => {
      expect(mostBytes(message)).toBeGreaterThanOrEqual(toBinary(schema, message).length);
    }),
  );
});

test("every item of a list counts with the longest numbers that it may have, and every byte of a text", () => {
  const least = -(2 ** 31);
  const answers = Array.from({ length: 1_000 }, () => ({ questionId: least, value: least }));
  const pairings = Array.from({ length: 1_000 }, () => ({ valuePairingId: least, scaledScore: 0.1 }));
  const values = Array.from({ length: 1_000 }, () => ({ valueId: least, idealRankTier: "\u20ac".repeat(100) }));
  for (const part of [{ answers }, { results: { pairings } }, { results: { values } }]) {
    const message = create(ExportedSessionSchema, part);
    const bytes = toBinary(ExportedSessionSchema, message).length;
    const most = mostBytesOf(ExportedSessionSchema)(message);
    expect(most).toBeGreaterThanOrEqual(bytes);
    expect(most).toBeLessThan(1.5 * bytes);
  }
});

test("a page has room for what fits, for one session whatever its size, and for none behind what did not fit", () => {
  const third = maxPageBytes / 3;
  const room = new PageRoom();
  expect([third, third, third, third].map((each) => room.takes(each))).toEqual([true, true, true, false]);
  const small = new PageRoom();
  expect([2 * maxPageBytes, 1].map((each) => small.takes(each))).toEqual([true, false]);
});
