// Which texts are identifiers, how identifiers are made, and how columns have them: in the order of their times.
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { computeFirstId, createAnonymousSubject, createId, toSubject } from "../../src/domain/identifiers.ts";
import { isLongerThan } from "../../src/json/bounds.ts";
import { findIdempotencyKeyViolations } from "../../src/kernel/formats.ts";
import { bytesToUuid, parseUuid, uuidToBytes } from "../../src/kernel/ids.ts";

const uuid = "01a1fb90-0467-7450-9b13-1dfb71d0a8bb";
const otherUuid = "01a1fb90-0467-7450-9b13-1dfb71d0a8bc";
const emoji = "\u{1f642}";

test("a UUID is read in either case, and returned in lower case", () => {
  expect(parseUuid(uuid)).toBe(uuid);
  expect(parseUuid(uuid.toUpperCase())).toBe(uuid);
  expect(parseUuid("ffffffff-ffff-ffff-ffff-ffffffffffff")).toBe("ffffffff-ffff-ffff-ffff-ffffffffffff");
});

test.each(["", uuid.slice(1), `${uuid}0`, `${uuid}\n`, uuid.replaceAll("-", ""), uuid.replace("0", "g")])(
  "%j is not a UUID",
  (text) => {
    expect(parseUuid(text)).toBeUndefined();
  },
);

test("an id is read as it was written, in 16 bytes", () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      const bytes = uuidToBytes(id);
      expect(bytes).toHaveLength(16);
      expect(bytesToUuid(bytes)).toBe(id);
    }),
  );
});

const random = (length: number) => new Uint8Array(length).fill(255);

test("a new id is a UUIDv7 of the millisecond of its time", () => {
  const pattern = /^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(createId(new Date(0x0123456789ab), random)).toMatch(pattern);
  expect(createId(new Date(0x0123456789ab), randomBytes)).toMatch(pattern);
});

test("a new id sorts behind all ids of earlier milliseconds, whatever the random bits", () => {
  const [earlier, later] = [
    createId(new Date(1000), random),
    createId(new Date(1001), (length) => new Uint8Array(length)),
  ];
  expect(earlier < later).toBe(true);
});

const times = fc.integer({ min: 0, max: 2 ** 48 - 1 });

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

// Computed with another program: a person's id must be the same in all later releases.
test.each([
  ["Bob", "e3fb82ba-3cb4-5d31-a804-ce7c71d34e2f", "00285cf4-7107-518d-8348-e8a9ef18325a"],
  ["bob", "f480a738-a1b6-50ad-92d1-7835e1e7ec43", "fae7837c-b2d6-5c95-b0f4-f19b5c07d959"],
  ["Bob ", "b8232c7b-41ae-5a62-a995-e1787f969931", "6e504b41-d847-5e48-9ce3-991cfb61137e"],
  ["B\u00f6b", "2a331bd9-0436-5925-879d-4349b65461e5", "2ec9cca6-7ca9-5b15-b9ba-7def419fe328"],
  ["Bo\u0308b", "653074cd-bb97-5b03-bc32-e475c3a9f0ba", "68e923d0-d01d-58bc-a9e1-cea5b307942b"],
  [emoji, "8fc02f71-aaab-5cdc-8d0b-569e18933a1e", "326f3623-5859-5685-b312-dc7d2f7b6a8d"],
])("a person named %j has one id at each partner, for good", (externalId, here, there) => {
  expect(toSubject(uuid, externalId)).toEqual({ id: here, externalId, anonymous: false });
  expect(toSubject(otherUuid, externalId)).toEqual({ id: there, externalId, anonymous: false });
});

test("a person without a name gets a random UUIDv4 and an external id made of it", () => {
  const id = "ffffffff-ffff-4fff-bfff-ffffffffffff";
  expect(createAnonymousSubject((length) => new Uint8Array(length).fill(255))).toEqual({
    id,
    externalId: `anon_${id}`,
    anonymous: true,
  });
  const ids = new Set(Array.from({ length: 1000 }, () => createAnonymousSubject(randomBytes).id));
  expect(ids.size).toBe(1000);
});

test("a person without a name is the same person when read back, whoever the partner", () => {
  const subject = createAnonymousSubject(randomBytes);
  expect(toSubject(uuid, subject.externalId)).toEqual(subject);
  expect(toSubject(otherUuid, subject.externalId)).toEqual(subject);
});

test.each([
  ["", 0, false],
  ["abc", 3, false],
  ["abcd", 3, true],
  [emoji.repeat(3), 3, false],
  [emoji.repeat(4), 3, true],
  ["e\u0301e\u0301", 3, true],
] as const)("%j is longer than %i code points: %s", (text, limit, expected) => {
  expect(isLongerThan(text, limit)).toBe(expected);
});

test("an idempotency key has 255 characters at most", () => {
  expect(findIdempotencyKeyViolations("k".repeat(255))).toEqual([]);
  expect(findIdempotencyKeyViolations("k".repeat(256))).toMatchObject([{ code: "invalid_idempotency_key" }]);
});

test.each(["k", "!", "~", '"', "'", "a-b_c.d:e/f"])("an idempotency key may be %j", (key) => {
  expect(findIdempotencyKeyViolations(key)).toEqual([]);
});

test.each(["", " ", "a b", "k ", "k\n", "\tk", "k\u007f", "\u00e4", emoji, "\u0000"])(
  "an idempotency key may not be %j",
  (key) => {
    const fault = { path: ["idempotencyKey"], code: "invalid_idempotency_key", detail: expect.any(String) };
    expect(findIdempotencyKeyViolations(key)).toEqual([fault]);
  },
);
