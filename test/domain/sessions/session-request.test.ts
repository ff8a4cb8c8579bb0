// The rules of the command that starts a session.

import { create, type JsonObject, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import {
  CreateSessionRequestSchema,
  PersonAccess,
  SessionMode,
} from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { mapEnumWords } from "../../../src/json/members.ts";
import { findSessionRequestViolations } from "../../../src/services/sessions/session-request.ts";

const emoji = "\u{1f642}";

/** What a request for a headless session may say otherwise. */
type Changes = Omit<
  MessageInitShape<typeof CreateSessionRequestSchema>,
  "$typeName" | "subject" | "mode" | "personAccess"
> & {
  readonly externalId?: string | undefined;
  readonly mode?: "headless" | "hosted";
  readonly personAccess?: "none" | "after_completion";
};
const modes = mapEnumWords(SessionMode);
const accesses = mapEnumWords(PersonAccess);

/** A sound request for a headless session, changed. */
function requestWith({ mode = "headless", personAccess = "none", ...changes }: Changes = {}) {
  const externalId = "externalId" in changes ? changes.externalId : "Ada";
  const { externalId: _, ...members } = changes;
  return create(CreateSessionRequestSchema, {
    product: "values-bridge",
    ...(externalId === undefined ? {} : { subject: { externalId } }),
    ...members,
    mode: modes[mode],
    personAccess: accesses[personAccess],
  });
}

/** The faults as `path code`. */
function faultsOf(changes: Changes): string[] {
  return findSessionRequestViolations(requestWith(changes)).map(({ path, code }) => `${path.join(".")} ${code}`);
}

test.each(["a", "...", "a/b?c#d%00", "Anon_1", "\u200b", "\ud83d\ude42", "__proto__"])(
  "an external id may be %j",
  (externalId) => {
    expect(faultsOf({ externalId })).toEqual([]);
  },
);

test.each([
  ["reserved", "."],
  ["reserved", ".."],
  ["reserved", "anon_01a1fb90-0467-7450-9b13-1dfb71d0a8bb"],
])("an external id is refused as %s: %j", (code, externalId) => {
  expect(faultsOf({ externalId })).toEqual([`subject.externalId ${code}`]);
});

test("an external id with a control character (C0, DEL or C1) anywhere in it is refused", () => {
  const controls = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_, index) => 0x7f + index)];
  for (const control of controls) {
    for (const text of [
      String.fromCodePoint(control),
      `a${String.fromCodePoint(control)}b`,
      `a${String.fromCodePoint(control)}`,
    ]) {
      expect(faultsOf({ externalId: text }), JSON.stringify(text)).toEqual(["subject.externalId invalid_characters"]);
    }
  }
});

test("the violation does not quote the external id", () => {
  for (const externalId of ["anon_secret", `secret\u0000`]) {
    expect(JSON.stringify(findSessionRequestViolations(requestWith({ externalId })))).not.toContain("secret");
  }
});

test.each([
  "https://example.com",
  "HTTPS://EXAMPLE.COM/",
  "http://localhost:3000/done",
  "https://[::1]/",
  "https://z\u00fcrich.example/zur\u00fcck?an=Zo\u00eb",
  "https://example.com/@user:pass",
])("a redirectUrl may be %j", (redirectUrl) => {
  expect(faultsOf({ mode: "hosted", redirectUrl })).toEqual([]);
  expect(faultsOf({ mode: "headless", redirectUrl })).toEqual([]);
});

test.each([
  ["invalid_format", ""],
  ["invalid_format", "example.com"],
  ["invalid_format", "//example.com/done"],
  ["invalid_format", "https://exa mple.com/"],
  ["invalid_format", "javascript:alert(1)"],
  ["invalid_format", "myapp://done"],
  ["invalid_format", "https://user@example.com/"],
  ["invalid_format", "https://example.com\u0000/"],
  ["invalid_format", "https://example.com/\ud800"],
])("a redirectUrl is refused as %s in either mode: %j", (code, redirectUrl) => {
  expect(faultsOf({ mode: "hosted", redirectUrl })).toEqual([`redirectUrl ${code}`]);
  expect(faultsOf({ mode: "headless", redirectUrl })).toEqual([`redirectUrl ${code}`]);
});

test("a hosted session needs a redirectUrl, a headless one does not", () => {
  expect(faultsOf({ mode: "hosted", redirectUrl: undefined })).toEqual(["redirectUrl required"]);
  expect(faultsOf({ mode: "headless", redirectUrl: undefined })).toEqual([]);
});

describe("metadata of sessions", () => {
  /** As many members with names as long. */
  function members(count: number, nameLength = 2): Record<string, number> {
    const names = Array.from({ length: count }, (_, index) => String(index).padStart(nameLength, "n"));
    return Object.fromEntries(names.map((name) => [name, 0]));
  }

  /** An object within objects, `levels` of them. */
  function nested(levels: number): JsonObject {
    return levels === 1 ? {} : { a: nested(levels - 1) };
  }

  /** Metadata of exactly so many bytes as JSON. */
  function ofBytes(bytes: number, character = "x"): Record<string, string> {
    const room = bytes - JSON.stringify({ a: "" }).length;
    const size = Buffer.byteLength(character);
    return { a: character.repeat(Math.floor(room / size)) + "x".repeat(room % size) };
  }

  test.each([
    ["none", {}],
    ["values of every kind", { a: 1, b: "x", c: null, d: true, e: [1, { f: 2 }], "": 0 }],
    ["50 members", members(50)],
    ["names of 40 emoji", { [emoji.repeat(40)]: 1 }],
    ["16 KiB", ofBytes(16_384)],
    ["15 levels below the body", nested(15)],
    ["15 levels below the body, of arrays", { a: JSON.parse(`${"[".repeat(14)}${"]".repeat(14)}`) }],
  ])("metadata may hold %s", (_, metadata) => {
    expect(faultsOf({ metadata })).toEqual([]);
  });

  test.each<[string, string, JsonObject]>([
    ["51 members", "too_many_items", members(51)],
    ["a name of 41 emoji", "too_long", { [emoji.repeat(41)]: 1 }],
    ["a byte more than 16 KiB, of emoji", "too_large", ofBytes(16_385, emoji)],
    ["16 levels below the body, of arrays", "too_deep", { a: JSON.parse(`${"[".repeat(15)}${"]".repeat(15)}`) }],
    ["a lone surrogate in a text", "invalid_characters", { a: ["\ud83d"] }],
    ["a lone surrogate in a name", "invalid_characters", { a: { "\ude42": 1 } }],
  ])("metadata may not hold %s (%s)", (_, code, metadata) => {
    expect(faultsOf({ metadata })).toEqual([`metadata ${code}`]);
  });

  test("metadata of any depth is refused without a crash", () => {
    let metadata: JsonObject = {};
    for (let level = 0; level < 100_000; level += 1) metadata = { a: metadata };
    expect(faultsOf({ metadata })).toEqual(["metadata too_deep"]);
  });

  test("the violation does not quote the metadata", () => {
    const metadata = { ["secret".repeat(10)]: "secret".repeat(5000) };
    expect(JSON.stringify(findSessionRequestViolations(requestWith({ metadata })))).not.toContain("secret");
  });
});

test("a locale has 35 characters at most", () => {
  const locale = "de-x-12345678-12345678-12345678-123";
  expect(faultsOf({ locale })).toEqual([]);
  expect(faultsOf({ locale: `${locale}4` })).toEqual(["locale invalid_format"]);
});

test.each(["de", "de-CH", "zh-Hant-TW", "DE-ch", "de-CH-1996", "en-x-twain"])("a locale may be %s", (locale) => {
  expect(faultsOf({ locale })).toEqual([]);
});

test.each(["", " ", "d", "de_CH", "de-", "deutschsprachig", "de,en", "de;q=1", "*", "d\u00e9"])(
  "a locale may not be %j",
  (locale) => {
    expect(faultsOf({ locale })).toEqual(["locale invalid_format"]);
  },
);

test("only hosted sessions can offer a person their report", () => {
  const hostedMode = { mode: "hosted", redirectUrl: "https://example.com/" } as const;
  expect(faultsOf({ ...hostedMode, personAccess: "after_completion" })).toEqual([]);
  expect(faultsOf({ personAccess: "none" })).toEqual([]);
  expect(faultsOf({ personAccess: "after_completion" })).toEqual(["personAccess not_applicable"]);
});
