// How ids and times are written in columns, where the order of bytes is the order of time.
import fc from "fast-check";
import { expect, test } from "vitest";
import { computeFirstId } from "../../src/domain/identifiers.ts";
import { bytesToUuid, uuidToBytes } from "../../src/kernel/ids.ts";

const times = fc.integer({ min: 0, max: 2 ** 48 - 1 });

test("an id is read as it was written, in 16 bytes", () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      const bytes = uuidToBytes(id);
      expect(bytes).toHaveLength(16);
      expect(bytesToUuid(bytes)).toBe(id);
    }),
  );
});

test("the first ids of two times sort as the times do, and times before 1970 count as 1970", () => {
  fc.assert(
    fc.property(times, times, (one, other) => {
      expect(Buffer.compare(uuidToBytes(computeFirstId(one)), uuidToBytes(computeFirstId(other)))).toBe(
        Math.sign(one - other),
      );
    }),
  );
  expect(computeFirstId(-1)).toBe(computeFirstId(0));
});
