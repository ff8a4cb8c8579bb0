// Secrets: 256 random bits behind a prefix, and a checksum that finds any mistyped character.
import { describe, expect, test } from "vitest";
import {
  createPersonSecret,
  createSecret,
  hashSecret,
  isTestSecret,
  isWellFormedSecret,
  parseSecretKey,
} from "../../src/domain/identity/secrets.ts";
import { toTwinId } from "../../src/kernel/ids.ts";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const kinds = ["accessToken", "clientSecret"] as const;
const bytes = (fill: (index: number) => number) => Uint8Array.from({ length: 32 }, (_, index) => fill(index));

// Computed with another program: what was issued once must be a secret in all later releases.
const examples: [(typeof kinds)[number], string, Uint8Array, string, string][] = [
  [
    "accessToken",
    "zeros",
    bytes(() => 0),
    "pas_at_00000000000000000000000000000000000000000003eUI68",
    "f63cdc8e93cb3508df89e133b6e6eb8a0d6531fdf78f7a4b47c4ea6398db7e44",
  ],
  [
    "accessToken",
    "a last 1",
    bytes((index) => (index === 31 ? 1 : 0)),
    "pas_at_00000000000000000000000000000000000000000013EO0As",
    "5e8e114cac3bab9ac2478041c571fdbee568807b4a2d1102b445257baf94338c",
  ],
  [
    "clientSecret",
    "all bits set",
    bytes(() => 255),
    "pas_cs_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp11S9Vh6",
    "34deeec7760ed6cc8a8461e6c2da351108a59dd753ffc63ca390a43615ef834d",
  ],
];

test.each(examples)("the %s of the random bytes %s has the expected text and hash", (kind, _, random, secret, hash) => {
  expect(createSecret(kind, () => random)).toBe(secret);
  expect(hashSecret(secret).toString("hex")).toBe(hash);
  expect(isWellFormedSecret(kind, secret)).toBe(true);
});

test.each(kinds)("a %s for tests says so behind its prefix, and differs from all others", (kind) => {
  const [real, forTests] = [false, true].map((isTest) => createSecret(kind, () => bytes((index) => index), isTest));
  if (real === undefined || forTests === undefined) throw new Error("no secrets");
  expect(forTests).toMatch(/^pas_[a-z]{2}_test_[0-9A-Za-z]{49}$/);
  for (const secret of [real, forTests]) expect(isWellFormedSecret(kind, secret)).toBe(true);
  expect([isTestSecret(kind, real), isTestSecret(kind, forTests)]).toEqual([false, true]);
  expect(isWellFormedSecret(kind, forTests.replace("test_", ""))).toBe(false);
  expect(isWellFormedSecret(kind, forTests.replace("test_", "test_test_"))).toBe(false);
  expect(isWellFormedSecret(kind, real.replace(/^pas_.._/, "$&test_"))).toBe(false);
});

describe("secrets of people", () => {
  const partnerId = "019a0b3c-1d2e-7f40-8123-456789abcdef";
  const personKinds = ["hostedLink", "hostedBrowserSession", "reportLink", "reportBrowserSession"] as const;
  const random = () => bytes((index) => index);

  test.each(personKinds)(
    "a %s holds the id of its partner before the random bits, and says so if that is a test twin",
    (kind) => {
      const twinId = toTwinId(partnerId) ?? "";
      for (const [isTest, owner] of [
        [false, partnerId],
        [true, twinId],
      ] as const) {
        const secret = createPersonSecret(kind, random, owner);
        expect(secret).toMatch(/^pas_[a-z]{2}_(?:test_)?[0-9A-Za-z]{71}$/);
        expect(secret.slice(-49, -6)).toBe("003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf");
        expect(isWellFormedSecret(kind, secret)).toBe(true);
        expect(isTestSecret(kind, secret)).toBe(isTest);
        expect(parseSecretKey(kind, secret)).toEqual({ hash: hashSecret(secret), partnerId: owner });
      }
    },
  );

  test("a hosted link has the expected text and hash", () => {
    const secret = createPersonSecret("hostedLink", random, partnerId);
    expect(secret).toBe("pas_hl_031ODO4Di7gSTMD5Os8NNX003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf3lXfTB");
    expect(hashSecret(secret).toString("hex")).toBe("a81f28dd0617200b87530ad4699827a0f326dc007221fcf6fabce1b4ec486e40");
  });

  test("another partner's id in a link makes another link, whose hash is not stored", () => {
    const [mine, forged] = [partnerId, "019a0b3c-1d2e-7f40-8123-456789abcdee"].map((id) =>
      createPersonSecret("hostedLink", random, id),
    );
    expect(hashSecret(mine ?? "")).not.toEqual(hashSecret(forged ?? ""));
    // With the partner alone changed it is not even well formed.
    expect(isWellFormedSecret("hostedLink", `${forged?.slice(0, -6)}${mine?.slice(-6)}`)).toBe(false);
  });

  test("a link with an impossible partner id is read as naming a UUID", () => {
    const body = createPersonSecret("hostedLink", random, partnerId).slice("pas_hl_".length + 22, -6);
    const text = `pas_hl_${"z".repeat(22)}${body}`;
    expect(parseSecretKey("hostedLink", `${text}000000`).partnerId).toMatch(
      /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    );
  });
});

describe("malformed secrets", () => {
  const secret = createSecret("accessToken", () => bytes((index) => 7 * index));

  test("changing any one character makes a secret malformed", () => {
    const results = [...secret].flatMap((character, index) =>
      [...digits, "_", "-", " ", "\u00e9"]
        .filter((other) => other !== character)
        .map((other) => secret.slice(0, index) + other + secret.slice(index + 1))
        .filter((text) => isWellFormedSecret("accessToken", text)),
    );
    expect(results).toEqual([]);
  });

  test("exchanging two neighbouring characters makes a secret malformed", () => {
    const taken = [...secret.slice(1)]
      .map((_, index) => secret.slice(0, index) + secret[index + 1] + secret[index] + secret.slice(index + 2))
      .filter((text) => text !== secret && isWellFormedSecret("accessToken", text));
    expect(taken).toEqual([]);
  });

  test("an access token is malformed as a secret of another kind", () => {
    expect(isWellFormedSecret("clientSecret", secret)).toBe(false);
    expect(isWellFormedSecret("hostedLink", secret)).toBe(false);
  });

  test.each([
    ["empty", ""],
    ["cut short", secret.slice(0, -1)],
    ["after a space", ` ${secret}`],
    ["before a line feed", `${secret}\n`],
    ["in capital letters", secret.toUpperCase()],
  ])("an access token is malformed if it is %s", (_, text) => {
    expect(isWellFormedSecret("accessToken", text)).toBe(false);
  });
});
