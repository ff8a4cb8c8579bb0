// How ids and times are written in columns, where the order of bytes is the order of time.
import fc from "fast-check";
import { expect, test } from "vitest";
import { firstIdAt } from "../../src/database/statement.ts";
import { bytesToUuid, uuidToBytes } from "../../src/kernel/ids.ts";

const latest = 2 ** 48 - 1;
const times = fc.integer({ min: 0, max: latest });

test("an id is read as it was written, in 16 bytes", () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      const bytes = uuidToBytes(id);
      expect(bytes).toHaveLength(16);
      expect(bytesToUuid(bytes)).toBe(id);
    }),
  );
});

const timeOf = (id: Buffer) => id.readUIntBE(0, 6);

test("the first ids of two times sort as the times do", () => {
  fc.assert(
    fc.property(times, times, (one, other) => {
      expect(timeOf(firstIdAt(one))).toBe(one);
      expect(Buffer.compare(firstIdAt(one), firstIdAt(other))).toBe(Math.sign(one - other));
    }),
  );
  expect(firstIdAt(1).toString("hex")).toBe("00000000000100000000000000000000");
});

test("times before 1970 count as 1970, and times too late for an id as the latest that an id can hold", () => {
  expect(firstIdAt(-1)).toEqual(firstIdAt(0));
  expect(firstIdAt(latest + 1)).toEqual(firstIdAt(latest));
  expect(timeOf(firstIdAt(latest))).toBe(latest);
});
