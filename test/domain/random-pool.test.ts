// Random bytes drawn in pools.
import { expect, test } from "vitest";
import { pooledRandomBytes } from "../../src/domain/random-pool.ts";

test("every request gets as many bytes as it asked for, and none that another one got", () => {
  const random = pooledRandomBytes();
  const lengths = Array.from({ length: 2000 }, (_, index) => 16 + (index % 32));
  const given = lengths.map((length) => Buffer.from(random(length)));
  expect(given.map(({ length }) => length)).toEqual(lengths);
  expect(new Set(given.map((bytes) => bytes.toString("hex", 0, 16))).size).toBe(given.length);
  const ends = given.map((bytes) => bytes.subarray(-8).toString("hex"));
  expect(new Set(ends).size).toBe(given.length);
});

test("more bytes than a pool holds, and none at all, are given as well", () => {
  const random = pooledRandomBytes();
  expect([random(10_000).length, random(0).length, random(1).length]).toEqual([10_000, 0, 1]);
});
