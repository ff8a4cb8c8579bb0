// Messages as JSON, JSON as messages, and models as messages: all are compiled from the protos, as are the schemas.
import { create, type DescMessage } from "@bufbuild/protobuf";
import { timestampFromDate, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { operations } from "../../../src/gateway/rest/operations.ts";
import { EventSchema } from "../../../src/gen/assessment/v1/event_service_pb.ts";
import { ExchangeLinkResponseSchema } from "../../../src/gen/assessment/v1/hosted_service_pb.ts";
import {
  AnswerSchema,
  CreateSessionRequestSchema,
  PersonAccess,
  RecordAnswersRequestSchema,
  SessionMode,
  SessionSchema,
  SessionStatus,
} from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { ListSubjectSessionsResponseSchema } from "../../../src/gen/assessment/v1/subject_service_pb.ts";
import {
  UpdateWebhookEndpointRequestSchema,
  WebhookAttemptSchema,
  WebhookEndpointSchema,
} from "../../../src/gen/assessment/v1/webhook_service_pb.ts";
import { createJsonReader } from "../../../src/json/message-from-json.ts";
import { createJsonWriter, fromModel } from "../../../src/json/messages.ts";
import { namedMessages } from "../../../tools/openapi/message-schema.ts";
import { responseSchemas } from "../../../tools/openapi/schemas.ts";
import { anyMessage } from "../../support/inputs/any-message.ts";

const time = timestampFromMs(1_763_999_999_123);
const timeText = "2025-11-24T15:59:59.123Z";
const outputs = namedMessages(operations.map(({ rpc }) => rpc.output));
/** What schemas say of values beyond their kinds. */
const ofValues = new Set(["enum", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern"]);

const ajv = new Ajv2020({ strict: false, validateFormats: false });
for (const schema of responseSchemas()) ajv.addSchema(kindsOf(schema) as object);
test.each(outputs.map((message): [string, DescMessage] => [message.name, message]))(
  "the JSON of any %s has the kinds that the OpenAPI document names",
  (_name, message) => {
    const isValid = ajv.getSchema(nameOf(message));
    const json = createJsonWriter(message);
    fc.assert(
      fc.property(anyMessage(message), (value) => {
        isValid?.(JSON.parse(JSON.stringify(json(value))));
        expect(isValid?.errors).toBeNull();
      }),
    );
  },
);

function nameOf(message: DescMessage): string {
  const schema = responseSchemas()[outputs.indexOf(message)] as { $id?: string } | undefined;
  return schema?.$id ?? "";
}

/** A schema that says of values what kinds they are of, and nothing else. */
function kindsOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(kindsOf);
  if (typeof schema !== "object" || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([name, value]) => !ofValues.has(name) || (typeof value === "object" && !Array.isArray(value)),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, kindsOf(value)]));
}

test("an absent member is null, or left out where the proto says so; times have milliseconds", () => {
  const json = createJsonWriter(SessionSchema);
  const open = create(SessionSchema, {
    sessionId: "a",
    product: "p",
    status: SessionStatus.IN_PROGRESS,
    createdAt: time,
  });
  expect(JSON.stringify(json(open))).toBe(
    `{"sessionId":"a","product":"p","status":"in_progress","createdAt":"${timeText}","completedAt":null}`,
  );
  expect(json({ ...open, cancelledAt: time, status: SessionStatus.CANCELLED })).toMatchObject({
    status: "cancelled",
    cancelledAt: timeText,
  });
});

test("integers of 64 bits are texts, and an empty member is null where the proto says so", () => {
  const attempt = create(WebhookAttemptSchema, { sequence: 9_007_199_254_740_993n, attempt: 1, at: time, outcome: 2 });
  expect(createJsonWriter(WebhookAttemptSchema)(attempt)).toEqual({
    sequence: "9007199254740993",
    sessionId: null,
    attempt: 1,
    at: timeText,
    outcome: "failed",
    status: null,
    error: null,
    tookMs: 0,
    eventId: null,
    type: null,
  });
  expect(createJsonWriter(WebhookEndpointSchema)(create(WebhookEndpointSchema, {}))).toMatchObject({
    description: "",
    disabledReason: null,
    types: [],
  });
});

test("unspecified values are left out where the proto says so", () => {
  const event = create(EventSchema, { id: "e", type: "t", timestamp: time, sequence: 1n, data: { sessionId: "a" } });
  expect(JSON.stringify(createJsonWriter(EventSchema)(event))).toBe(
    `{"id":"e","type":"t","timestamp":"${timeText}","sequence":"1","data":{"sessionId":"a","product":""}}`,
  );
});

test("a member can stand in an object of its own", () => {
  const page = create(ListSubjectSessionsResponseSchema, { externalId: "user-1" });
  expect(createJsonWriter(ListSubjectSessionsResponseSchema)(page)).toEqual({
    subject: { externalId: "user-1" },
    sessions: [],
    next: null,
  });
});

test("an enum value that only a newer core knows is treated as absent", () => {
  expect(createJsonWriter(SessionSchema)(create(SessionSchema, { status: 99 as SessionStatus })).status).toBe(
    "unspecified",
  );
});

/** Reads bodies in which nothing is wrong. */
function reading<M extends DescMessage>(message: M) {
  const read = createJsonReader(message);
  return (json: unknown) => {
    const { message: made, violations } = read(json);
    expect(violations).toEqual([]);
    return made;
  };
}

test("a body is read as its message: words, times, and what JSON leaves out", () => {
  const read = reading(CreateSessionRequestSchema);
  expect(create(CreateSessionRequestSchema, read({}))).toEqual(create(CreateSessionRequestSchema, {}));
  const body = {
    subject: { externalId: "user-1", other: 1 },
    mode: "hosted",
    metadata: { a: [1, null] },
    personAccess: "after_completion",
    expiresAt: timeText,
  };
  expect(create(CreateSessionRequestSchema, read(body))).toEqual(
    create(CreateSessionRequestSchema, {
      subject: { externalId: "user-1" },
      mode: SessionMode.HOSTED,
      metadata: { a: [1, null] },
      personAccess: PersonAccess.AFTER_COMPLETION,
      expiresAt: time,
    }),
  );
  expect(read({ subject: null }).subject).toBeUndefined();
});

test("fields that an object in a body omits have their default values", () => {
  const answers = [{ questionId: 1001, response: { type: "likert", value: 5 } }];
  const [answer] = reading(RecordAnswersRequestSchema)({ answers }).answers ?? [];
  expect(answer).toEqual(create(AnswerSchema, { questionId: 1001, response: { type: 1, value: 5 } }));
});

test.each([
  [{ externlId: 1 }, "It belongs", false],
  [{ externalId: 1 }, "It belongs in `subject`.", true],
  [{ subjet: {} }, "Did you mean `subject`?", true],
  [{ redirect_url: "x" }, "Did you mean `redirectUrl`?", true],
  [{ nonsense: 1 }, "There are: subject, mode, redirectUrl,", true],
  [{ subject: { external_id: "a" } }, "Did you mean `externalId`?", true],
])("an unknown member in %o is answered with advice", (body, advice, isGiven) => {
  const [violation] = createJsonReader(CreateSessionRequestSchema)(body).violations;
  expect(violation?.detail.includes(advice)).toBe(isGiven);
});

test("a number beyond int32 is read as the nearest one, and an unknown word as unspecified", () => {
  const answers = [
    { questionId: 3e9, response: { type: "likert", value: 5 } },
    { questionId: 1001, response: { type: "constructor", value: 1.5 } },
  ];
  expect(create(RecordAnswersRequestSchema, reading(RecordAnswersRequestSchema)({ answers })).answers).toEqual([
    expect.objectContaining({ questionId: 2 ** 31 - 1, response: expect.objectContaining({ type: 1, value: 5 }) }),
    expect.objectContaining({ questionId: 1001, response: expect.objectContaining({ type: 0, value: 1.5 }) }),
  ]);
});

test("a list that a message wraps is absent, or the list", () => {
  const read = reading(UpdateWebhookEndpointRequestSchema);
  expect(create(UpdateWebhookEndpointRequestSchema, read({})).types).toBeUndefined();
  expect(create(UpdateWebhookEndpointRequestSchema, read({ types: ["a"] })).types?.values).toEqual(["a"]);
});

const toResponse = fromModel(ExchangeLinkResponseSchema);
const expiresAt = new Date("2026-11-20T09:30:00Z");
const model = { sessionId: "a", browserSessionToken: "b", frameAncestors: null, expiresAt };

test("a model becomes a message: dates are times, a null list is empty", () => {
  expect(toResponse(model)).toEqual({
    $typeName: ExchangeLinkResponseSchema.typeName,
    ...model,
    frameAncestors: [],
    expiresAt: timestampFromDate(expiresAt),
  });
});

test("a message stays as it is, and types refuse a copy of it with values of a model", () => {
  const message = create(ExchangeLinkResponseSchema, { sessionId: "a", expiresAt: timestampFromDate(expiresAt) });
  expect(toResponse(message)).toBe(message);
  const copy = { ...message, expiresAt };
  // @ts-expect-error its type name says that it is a message, so the date would be sent as it is
  expect(toResponse(copy)).toBe(copy);
});
