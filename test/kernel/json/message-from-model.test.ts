// Models become messages.
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { ExchangeLinkResponseSchema } from "../../../src/gen/assessment/v1/hosted_service_pb.ts";
import { fromModel } from "../../../src/json/message-from-model.ts";

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
