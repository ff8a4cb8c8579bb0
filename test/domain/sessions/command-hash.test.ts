// When two commands with one idempotency key are the same command.
import { expect, test } from "vitest";
import { type CreateSessionCommand, commandHash } from "../../../src/services/sessions/create-session.ts";

const command: CreateSessionCommand = {
  product: "values-bridge",
  externalId: "Ada",
  mode: "hosted",
  redirectUrl: "https://example.com/",
  metadata: { browserSession: 1 },
  locale: "de",
  personAccess: undefined,
  idempotencyKey: "k",
};

function hashOf(changes: Partial<CreateSessionCommand> = {}): string {
  return Buffer.from(commandHash({ ...command, ...changes })).toString("hex");
}

// Computed with another program: a key that an earlier release stored must go on meaning the same command.
test.each<[Partial<CreateSessionCommand>, string]>([
  [
    { externalId: "Ada", mode: "headless", redirectUrl: undefined, locale: undefined },
    "3c6ea64c89b5cd79d53151cb5c108b186fbcae96a13b6f6c8a0493d16b29108e",
  ],
  [{ externalId: undefined }, "a79393e21420acabb015a25c4c1bb4b7816998c263fc2f619646ae9a6296f9ab"],
])("the hash of %j is known", (changes, hash) => {
  expect(hashOf(changes)).toBe(hash);
});

test("neither metadata nor the key itself are part of a command's meaning", () => {
  expect(hashOf({ metadata: { browserSession: 2 } })).toBe(hashOf());
  expect(hashOf({ metadata: undefined })).toBe(hashOf());
  expect(hashOf({ idempotencyKey: "other" })).toBe(hashOf());
});

test("every other difference makes another command", () => {
  const variants: Partial<CreateSessionCommand>[] = [
    {},
    { product: "values-bridge-2" },
    { externalId: "ada" },
    { externalId: "Ada " },
    { externalId: "null" },
    { externalId: "" },
    { externalId: undefined },
    { mode: "headless" },
    { redirectUrl: "https://example.com/#" },
    { redirectUrl: "https://example.com" },
    { redirectUrl: undefined },
    { locale: "de-CH" },
    { locale: undefined },
    // The same texts in other members.
    { externalId: "de", locale: "Ada" },
    { redirectUrl: "de", locale: "https://example.com/" },
    { externalId: 'Ada","hosted' },
    { expiresAt: new Date(1) },
    { expiresAt: new Date(2) },
    { linkExpiresAt: new Date(1) },
    { linkExpiresAt: new Date(2) },
    { groupId: "01a20ac8-d698-7673-9dab-7709c72e6537" },
    { groupId: "01a20ac8-d698-7673-9dab-7709c72e6538" },
  ];
  expect(new Set(variants.map(hashOf)).size).toBe(variants.length);
});

test("access of the person is part of a command's meaning; to say that there is none is to say nothing", () => {
  expect(hashOf({ personAccess: "none" })).toBe(hashOf());
  expect(hashOf({ personAccess: "after_completion" })).not.toBe(hashOf());
});

test("a group is the same however its id is written", () => {
  const groupId = "01a20ac8-d698-7673-9dab-7709c72e6537";
  expect(hashOf({ groupId: groupId.toUpperCase() })).toBe(hashOf({ groupId }));
});
