// The bounds of what requests ask for, from both sides: the least and the most are taken, and one beyond is not,
// whatever the transport.
import { create, type DescMessage, type DescMethodUnary, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { AuditService } from "../../../src/gen/assessment/v1/audit_service_pb.ts";
import { EventService } from "../../../src/gen/assessment/v1/event_service_pb.ts";
import { ExportService } from "../../../src/gen/assessment/v1/export_service_pb.ts";
import { GroupService } from "../../../src/gen/assessment/v1/group_service_pb.ts";
import { PartnerService } from "../../../src/gen/assessment/v1/partner_service_pb.ts";
import { ReportService } from "../../../src/gen/assessment/v1/report_service_pb.ts";
import { SessionService } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { WebhookService } from "../../../src/gen/assessment/v1/webhook_service_pb.ts";
import { fromJson } from "../../../src/json/message-from-json.ts";
import { Refusal } from "../../../src/kernel/errors/refusal.ts";
import type { PipelineCall } from "../../../src/pipeline/call.ts";
import { validate } from "../../../src/pipeline/interceptors/validate.ts";

const product = "values-bridge";

/** The violations of a call as `path code`; or the one code that it is refused with for another reason. */
function faultsOf<M extends DescMessage>(method: DescMethodUnary<M>, message: MessageInitShape<M>): string[] {
  try {
    const call = { method, message: create(method.input, message) } as unknown as PipelineCall;
    void validate().enter(call);
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code !== "invalid_request") return [error.code];
    return error.violations.map(({ path, code }) => `${path.join(".")} ${code}`);
  }
}

test.each<[string, number, (pageSize: number) => string[]]>([
  ["the audit log", 500, (pageSize) => faultsOf(AuditService.method.listAuditRecords, { pageSize })],
  ["events", 500, (pageSize) => faultsOf(EventService.method.listEvents, { pageSize })],
  ["events of all", 500, (pageSize) => faultsOf(EventService.method.listAllEvents, { pageSize })],
  ["an export", 200, (pageSize) => faultsOf(ExportService.method.exportSessions, { product, pageSize })],
  ["an export of a person", 10, (pageSize) => faultsOf(ExportService.method.exportSubject, { product, pageSize })],
  ["groups", 100, (pageSize) => faultsOf(GroupService.method.listGroups, { product, pageSize })],
  ["sessions", 200, (pageSize) => faultsOf(SessionService.method.listSessions, { product, pageSize })],
  ["partners", 1_000, (pageSize) => faultsOf(PartnerService.method.listPartners, { pageSize })],
  ["usage", 1_000, (pageSize) => faultsOf(PartnerService.method.getUsage, { pageSize })],
  ["webhooks", 500, (pageSize) => faultsOf(WebhookService.method.listWebhookAttempts, { pageSize })],
])("a page of %s has %i entries at most, and 0 for as many as usual", (_, most, violationsOf) => {
  for (const size of [0, 1, most]) expect(violationsOf(size)).toEqual([]);
  for (const size of [-1, most + 1]) expect(violationsOf(size)).toEqual(["pageSize out_of_range"]);
});

test.each<[string, string, number, number, (seconds: number) => string[]]>([
  ["wait for events", "waitSeconds", 0, 20, (waitSeconds) => faultsOf(EventService.method.listEvents, { waitSeconds })],
  [
    "overlap of secrets",
    "overlapSeconds",
    0,
    604_800,
    (overlapSeconds) => faultsOf(WebhookService.method.rotateWebhookSecret, { overlapSeconds }),
  ],
  [
    "life of a report link",
    "expiresInSeconds",
    3_600,
    7_776_000,
    (expiresInSeconds) => faultsOf(ReportService.method.createReportLink, { product, expiresInSeconds }),
  ],
])("the %s: %s is %d to %d seconds", (_, member, least, most, violationsOf) => {
  for (const seconds of [least, most]) expect(violationsOf(seconds)).toEqual([]);
  for (const seconds of [least - 1, most + 1]) expect(violationsOf(seconds)).toEqual([`${member} out_of_range`]);
});

test.each<[string, string, number, (text: string) => string[]]>([
  ["the label of a group", "label", 80, (label) => faultsOf(GroupService.method.createGroup, { product, label })],
  ["the name on a report", "name", 60, (name) => faultsOf(ReportService.method.createReportLink, { product, name })],
  [
    "an external id",
    "subject.externalId",
    255,
    (externalId) => faultsOf(SessionService.method.createSession, { product, subject: { externalId } }),
  ],
  [
    "a redirectUrl",
    "redirectUrl",
    2_048,
    (redirectUrl) => faultsOf(SessionService.method.createSession, { product, redirectUrl }),
  ],
  [
    "the description of an endpoint",
    "description",
    255,
    (description) => faultsOf(WebhookService.method.updateWebhookEndpoint, { description }),
  ],
  ["the URL of an endpoint", "url", 2_048, (url) => faultsOf(WebhookService.method.updateWebhookEndpoint, { url })],
])("%s has at most as many characters, as people count them: %s, %i", (_, member, most, violationsOf) => {
  for (const character of ["x", "\u{1f642}"]) {
    expect(violationsOf(character.repeat(most))).toEqual([]);
    expect(violationsOf(character.repeat(most + 1))).toEqual([`${member} too_long`]);
  }
});

test("an endpoint has 1 to 16 types", () => {
  const violationsOf = (count: number) => {
    const types = Array.from({ length: count }, (_, index) => `type.${index}`);
    return faultsOf(WebhookService.method.updateWebhookEndpoint, { types: { values: types } });
  };
  expect([0, 1, 16, 17].map(violationsOf)).toEqual([["types too_few_items"], [], [], ["types too_many_items"]]);
});

test("a request has 1 to 1000 answers; a completion may have none", () => {
  const answers = (count: number) => Array.from({ length: count }, () => ({ questionId: 1 }));
  const { recordAnswers, completeSession } = SessionService.method;
  const recorded = (count: number) => faultsOf(recordAnswers, { product, answers: answers(count) });
  const completed = (count: number) => faultsOf(completeSession, { product, answers: answers(count) });
  expect([0, 1, 1000, 1001].map(recorded)).toEqual([["answers too_few_items"], [], [], ["answers too_many_items"]]);
  expect([0, 1000, 1001].map(completed)).toEqual([[], [], ["answers too_many_items"]]);
});

test("words, ids and times are held to as well, and all faults are found at once", () => {
  const { createSession, listSessions } = SessionService.method;
  expect(
    faultsOf(createSession, {
      product,
      subject: { externalId: "" },
      mode: 9 as never,
      personAccess: 9 as never,
      expiresAt: { seconds: -1n },
    }),
  ).toEqual([
    "subject.externalId too_short",
    "mode unknown_value",
    "personAccess unknown_value",
    "expiresAt out_of_range",
  ]);
  expect(faultsOf(listSessions, { product, status: 9 as never, version: 0, groupId: "none" })).toEqual([
    "status unknown_value",
    "version out_of_range",
    "groupId invalid_format",
  ]);
});

test("an unknown product is not found, whatever else is wrong", () => {
  expect(faultsOf(SessionService.method.recordAnswers, { product: "none" })).toEqual(["not_found"]);
});

test("REST says the same of a body in the same words", () => {
  const { input } = SessionService.method.createSession;
  const json = { subject: { externalId: "" }, redirectUrl: "x".repeat(2_049) };
  const { violations } = fromJson(input)(json);
  expect(violations.map(({ path, code }) => `${path.join(".")} ${code}`)).toEqual(
    faultsOf(SessionService.method.createSession, { product, ...json }),
  );
});
