// The bounds of what requests ask for, from both sides: the least and the most are taken, and one beyond is not.
import { describe, expect, test } from "vitest";
import type { Violation } from "../../../src/kernel/errors/violation.ts";
import { auditQueryViolations } from "../../../src/kernel/requests/audit-query.ts";
import { eventQueryViolations } from "../../../src/kernel/requests/event-query.ts";
import { exportQueryViolations, subjectExportQueryViolations } from "../../../src/kernel/requests/export-query.ts";
import {
  groupListViolations,
  groupRequestViolations,
  groupTimeViolations,
} from "../../../src/kernel/requests/group-request.ts";
import { personViolations, reportLinkViolations } from "../../../src/kernel/requests/report-request.ts";
import { sessionListViolations } from "../../../src/kernel/requests/session-list.ts";
import { usageQueryViolations } from "../../../src/kernel/requests/usage-query.ts";
import {
  endpointSettingsViolations,
  overlapViolations,
  webhookPageViolations,
} from "../../../src/kernel/requests/webhook-request.ts";

const codesOf = (violations: readonly Violation[]) => violations.map(({ path, code }) => `${path.join(".")} ${code}`);
const audit = { after: "", pageSize: 0, from: undefined, until: undefined, sessionId: undefined };
const events = { after: "", pageSize: 0, waitSeconds: 0 };
const day = 24 * 60 * 60;
const now = Date.UTC(2026, 10, 24);

describe("a page", () => {
  test.each<[string, number, (pageSize: number) => Violation[]]>([
    ["the audit log", 500, (pageSize) => auditQueryViolations({ ...audit, pageSize })],
    ["events", 500, (pageSize) => eventQueryViolations({ ...events, pageSize })],
    ["an export", 200, (pageSize) => exportQueryViolations({ after: "", pageSize })],
    ["an export of a person", 10, (pageSize) => subjectExportQueryViolations({ after: "", pageSize })],
    ["groups", 100, groupListViolations],
    ["sessions", 200, (pageSize) => sessionListViolations({ pageSize })],
    ["usage", 1_000, (pageSize) => usageQueryViolations({ from: "", until: "", pageSize })],
    ["webhooks", 500, webhookPageViolations],
  ])("of %s has %i entries at most, and 0 for as many as usual", (_, most, violationsOf) => {
    for (const size of [0, 1, most]) expect(violationsOf(size)).toEqual([]);
    for (const size of [-1, most + 1]) expect(codesOf(violationsOf(size))).toEqual(["pageSize out_of_range"]);
  });
});

describe("a length of time", () => {
  test.each<[string, string, number, number, (seconds: number) => Violation[]]>([
    ["wait for events", "waitSeconds", 0, 20, (waitSeconds) => eventQueryViolations({ ...events, waitSeconds })],
    ["overlap of secrets", "overlapSeconds", 0, 7 * day, overlapViolations],
    [
      "life of a report link",
      "expiresInSeconds",
      3_600,
      90 * day,
      (expiresInSeconds) => reportLinkViolations({ expiresInSeconds, locale: undefined }),
    ],
    [
      "time until a group closes",
      "closesAt",
      0.001,
      5 * 366 * day,
      (seconds) => groupTimeViolations(new Date(now + 1000 * seconds), now),
    ],
  ])("that is the %s: %s is %d to %d seconds", (_, member, least, most, violationsOf) => {
    for (const seconds of [least, most]) expect(violationsOf(seconds)).toEqual([]);
    for (const seconds of [least - 0.001, most + 0.001]) {
      expect(codesOf(violationsOf(seconds))).toEqual([`${member} out_of_range`]);
    }
  });
});

describe("a text", () => {
  const url = (length: number) => "https://one.test/".padEnd(length, "x");

  test.each<[string, string, number, (length: number) => Violation[]]>([
    [
      "the label of a group",
      "label too_long",
      80,
      (length) => groupRequestViolations({ label: "x".repeat(length), idempotencyKey: undefined }),
    ],
    [
      "the name on a report",
      "name too_long",
      60,
      (length) => personViolations({ name: "x".repeat(length) }, (member) => [member]),
    ],
    [
      "an external id",
      "externalId too_long",
      255,
      (length) => sessionListViolations({ pageSize: 0, externalId: "x".repeat(length) }),
    ],
    [
      "the description of an endpoint",
      "description invalid_format",
      255,
      (length) => endpointSettingsViolations({ description: "x".repeat(length) }),
    ],
    [
      "the URL of an endpoint",
      "url invalid_format",
      2_048,
      (length) => endpointSettingsViolations({ url: url(length) }),
    ],
  ])("that is %s is refused as %s beyond %i characters", (_, refusal, most, violationsOf) => {
    expect(violationsOf(most)).toEqual([]);
    expect(codesOf(violationsOf(most + 1))).toEqual([refusal]);
  });

  test("counts what people see as one character as one, where people write it", () => {
    const faces = (count: number) => "\u{1f642}".repeat(count);
    expect(groupRequestViolations({ label: faces(80), idempotencyKey: undefined })).toEqual([]);
    expect(personViolations({ name: faces(60) }, (member) => [member])).toEqual([]);
  });
});

test("an endpoint has 1 to 16 types", () => {
  const violationsOf = (count: number) =>
    codesOf(endpointSettingsViolations({ types: Array.from({ length: count }, (_, index) => `type.${index}`) }));
  expect([0, 1, 16, 17].map(violationsOf)).toEqual([["types too_few_items"], [], [], ["types too_many_items"]]);
});
