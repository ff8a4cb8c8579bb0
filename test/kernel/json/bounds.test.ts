// The bounds that the protos give to requests, one of each kind from both sides: the least and the most are taken, and
// one beyond is not, whatever the transport.
import { create, type DescMessage, type DescMethodUnary, type MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { AuditService } from "../../../src/gen/assessment/v1/audit_service_pb.ts";
import { GroupService } from "../../../src/gen/assessment/v1/group_service_pb.ts";
import { ReportService } from "../../../src/gen/assessment/v1/report_service_pb.ts";
import { SessionService } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { WebhookService } from "../../../src/gen/assessment/v1/webhook_service_pb.ts";
import { isTime } from "../../../src/json/members.ts";
import { Refusal } from "../../../src/kernel/errors/refusal.ts";
import { services } from "../../../src/kernel/services.ts";
import type { PipelineCall } from "../../../src/pipeline/call.ts";
import { validate } from "../../../src/pipeline/pipeline.ts";

const product = "values-bridge";

/** The violations of a call as `path code`; or the one code that it is refused with for another reason. */
function faultsOf<M extends DescMessage>(method: DescMethodUnary<M>, message: MessageInitShape<M>): string[] {
  try {
    const call = { method, message: create(method.input, message) } as unknown as PipelineCall;
    void validate()(call);
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code !== "invalid_request") return [error.code];
    return error.violations.map(({ path, code }) => `${path.join(".")} ${code}`);
  }
}

test("a number outside its bounds is refused", () => {
  const pagesOf = (pageSize: number) => faultsOf(AuditService.method.listAuditRecords, { pageSize });
  for (const size of [0, 1, 500]) expect(pagesOf(size)).toEqual([]);
  for (const size of [-1, 501]) expect(pagesOf(size)).toEqual(["pageSize out_of_range"]);
  const lifeOf = (expiresInSeconds: number) =>
    faultsOf(ReportService.method.createReportLink, { product, expiresInSeconds });
  for (const seconds of [3_600, 7_776_000]) expect(lifeOf(seconds)).toEqual([]);
  for (const seconds of [3_599, 7_776_001]) expect(lifeOf(seconds)).toEqual(["expiresInSeconds out_of_range"]);
});

test("a text may have as many characters as its bound, as people count them", () => {
  const labelOf = (label: string) => faultsOf(GroupService.method.createGroup, { product, label });
  for (const character of ["x", "\u{1f642}"]) {
    expect(labelOf(character.repeat(80))).toEqual([]);
    expect(labelOf(character.repeat(81))).toEqual(["label too_long"]);
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

test("words, ids and times are checked as well, and all violations are found at once", () => {
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

/** A time of a message: its place, and the fields of a message with such a time. */
interface TimePlace {
  readonly path: string;
  readonly fieldsWith: (time: Timestamp) => object;
}

/** Every time in a message, at all levels. */
function timesIn(message: DescMessage): TimePlace[] {
  return message.fields.flatMap((field) => {
    const { localName, jsonName, oneof, fieldKind } = field;
    const inner = field.message;
    if (inner === undefined) return [];
    const places = isTime(field)
      ? [{ path: "", fieldsWith: (time: Timestamp): object => time }]
      : inner.typeName.startsWith("google.")
        ? []
        : timesIn(inner);
    return places.map(({ path, fieldsWith }) => ({
      path: [jsonName, ...(fieldKind === "list" ? ["0"] : []), ...(path === "" ? [] : [path])].join("."),
      fieldsWith: (time: Timestamp) => {
        const value = fieldKind === "list" ? [fieldsWith(time)] : fieldsWith(time);
        return oneof === undefined ? { [localName]: value } : { [oneof.localName]: { case: localName, value } };
      },
    }));
  });
}

const timesOfRpcs = services.flatMap(({ methods }) =>
  methods.flatMap((method) => timesIn(method.input).map((place) => ({ name: method.name, method, ...place }))),
);

test("requests have times", () => expect(timesOfRpcs.length).toBeGreaterThan(10));

test.each(timesOfRpcs)(
  "$name: a time that RFC 3339 cannot express is refused at $path",
  ({ method, path, fieldsWith }) => {
    const faultsWith = (seconds: bigint, nanos: number) => {
      const time = create(TimestampSchema, { seconds, nanos });
      const faults = faultsOf(method as DescMethodUnary, { product, ...fieldsWith(time) });
      return faults.filter((fault) => fault.startsWith(path));
    };
    const now = 1_790_000_000n;
    for (const nanos of [-1, 1_000_000_000, -(2 ** 31), 2 ** 31 - 1]) {
      expect(faultsWith(now, nanos)).toEqual([`${path} out_of_range`]);
    }
    for (const seconds of [-62_135_596_801n, 253_402_300_800n, -(2n ** 63n), 2n ** 63n - 1n]) {
      expect(faultsWith(seconds, 0)).toEqual([`${path} out_of_range`]);
    }
    for (const nanos of [0, 999_999_999]) expect(faultsWith(now, nanos)).toEqual([]);
  },
);
