// When two commands with one idempotency key are the same command.

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { CreateGroupRequestSchema } from "../../../src/gen/assessment/v1/group_service_pb.ts";
import {
  CreateSessionRequestSchema,
  PersonAccess,
  SessionMode,
} from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { hashGroupRequest } from "../../../src/services/groups/groups.ts";
import { computeRequestHash } from "../../../src/services/sessions/create-session.ts";

type Changes = Omit<MessageInitShape<typeof CreateSessionRequestSchema>, "$typeName">;

const request: Changes = {
  product: "values-bridge",
  subject: { externalId: "Ada" },
  mode: SessionMode.HOSTED,
  redirectUrl: "https://example.com/",
  metadata: { browserSession: 1 },
  locale: "de",
  idempotencyKey: "k",
};

function hashOf(changes: Changes = {}): string {
  return Buffer.from(
    computeRequestHash(create(CreateSessionRequestSchema, { ...request, ...changes }), "long"),
  ).toString("hex");
}

/** Nothing is said of these. */
const anonymous = { subject: {} };

test("neither metadata nor the key itself are part of a command's meaning", () => {
  expect(hashOf({ metadata: { browserSession: 2 } })).toBe(hashOf());
  expect(hashOf({ metadata: undefined })).toBe(hashOf());
  expect(hashOf({ idempotencyKey: "other" })).toBe(hashOf());
});

test("every other difference makes another command", () => {
  const variants: Changes[] = [
    {},
    { product: "values-bridge-2" },
    { subject: { externalId: "ada" } },
    { subject: { externalId: "Ada " } },
    { subject: { externalId: "null" } },
    { subject: { externalId: "" } },
    anonymous,
    { mode: SessionMode.HEADLESS },
    { redirectUrl: "https://example.com/#" },
    { redirectUrl: "https://example.com" },
    { redirectUrl: undefined },
    { locale: "de-CH" },
    { locale: undefined },
    // The same texts in other members.
    { subject: { externalId: "de" }, locale: "Ada" },
    { redirectUrl: "de", locale: "https://example.com/" },
    { subject: { externalId: 'Ada","hosted' } },
    { expiresAt: timestampFromMs(1) },
    { expiresAt: timestampFromMs(2) },
    { linkExpiresAt: timestampFromMs(1) },
    { linkExpiresAt: timestampFromMs(2) },
    { groupId: "01a20ac8-d698-7673-9dab-7709c72e6537" },
    { groupId: "01a20ac8-d698-7673-9dab-7709c72e6538" },
    { continues: "01a20ac8-d698-7673-9dab-7709c72e6537" },
    { continues: "01a20ac8-d698-7673-9dab-7709c72e6538" },
  ];
  expect(new Set(variants.map(hashOf)).size).toBe(variants.length);
});

test("a group is the same however its id is written", () => {
  const groupId = "01a20ac8-d698-7673-9dab-7709c72e6537";
  expect(hashOf({ groupId: groupId.toUpperCase() })).toBe(hashOf({ groupId }));
});

test("defaults, stated or not, and fields that are not requested leave the stored hash as it is", () => {
  const stored = "fb9a0b01f90b91014ab2ddaa7d84b0d68a84c04ee78feb3606a2ae4a88bafd55";
  expect(hashOf()).toBe(stored);
  expect(hashOf({ personAccess: PersonAccess.NONE })).toBe(stored);
});

test("the stored hash of a group's request is of its fields by name, so that fields of later releases leave it as it is", () => {
  const fields = { product: "values-bridge", label: "Team", parentId: "01a20ac8-d698-7673-9dab-7709c72e6537" };
  const groupHashOf = (changes: Partial<typeof fields> = {}) =>
    Buffer.from(hashGroupRequest(create(CreateGroupRequestSchema, { ...fields, ...changes }))).toString("hex");
  expect(groupHashOf()).toBe("f723e0141aaa0d5a512e398b87f980139413fe15f2eba1dfebb4d58859049abe");
  expect(groupHashOf({ parentId: fields.parentId.toUpperCase() })).toBe(groupHashOf());
});
