// Messages of the gRPC port as bytes: the same as the library's, whatever is in them.
import { create, type DescMessage, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ValuesBridgeResultsSchema } from "../../../src/gen/assessment/v1/results_pb.ts";
import {
  CompleteSessionResponseSchema,
  CreateSessionResponseSchema,
  GetSessionResponseSchema,
  GetSessionResultsResponseSchema,
  RecordAnswersResponseSchema,
} from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { messageWriter } from "../../../src/transport/grpc/write-message.ts";
import { anyMessage } from "../../support/any-message.ts";

test.each<[string, DescMessage]>([
  ["a completed session", CompleteSessionResponseSchema],
  ["results with their explanation", GetSessionResultsResponseSchema],
  ["results", ValuesBridgeResultsSchema],
  ["a session", GetSessionResponseSchema],
  ["recorded answers", RecordAnswersResponseSchema],
])("%s takes the bytes that the library writes", (_name, schema) => {
  const write = messageWriter(schema);
  fc.assert(
    fc.property(anyMessage(schema), (message) => {
      expect(Buffer.from(write(message))).toEqual(Buffer.from(toBinary(schema, message)));
    }),
    { numRuns: 500 },
  );
});

test("a message of which one of several members is set takes the bytes that the library writes", () => {
  const hosted = { hostedUrl: "https://pages.example/s/1" };
  const session = create(CreateSessionResponseSchema, { variant: { case: "hosted", value: hosted } });
  const write = messageWriter(CreateSessionResponseSchema);
  expect(Buffer.from(write(session))).toEqual(Buffer.from(toBinary(CreateSessionResponseSchema, session)));
});

test("what has no room is written all the same", () => {
  const tier = "core".repeat(1_000);
  const value = { valueId: 1, idealRankTier: tier, currentRankTier: tier };
  const write = messageWriter(ValuesBridgeResultsSchema);
  for (const count of [1, 2, 3, 30]) {
    const results = create(ValuesBridgeResultsSchema, { values: Array(count).fill(value) });
    expect(Buffer.from(write(results))).toEqual(Buffer.from(toBinary(ValuesBridgeResultsSchema, results)));
  }
});

test("numbers of every length, and what is unknown, take the library's bytes", () => {
  const write = messageWriter(ValuesBridgeResultsSchema);
  const ids = [0, 1, 127, 128, 16_383, 16_384, 2 ** 21, 2 ** 28, 2 ** 31 - 1, -1];
  for (const valueId of ids) {
    const results = create(ValuesBridgeResultsSchema, { values: [{ valueId, idealDisplayRank: 0 }] });
    expect(Buffer.from(write(results))).toEqual(Buffer.from(toBinary(ValuesBridgeResultsSchema, results)));
  }
  const results = create(ValuesBridgeResultsSchema, { pairings: [{ valuePairingId: 102, scaledScore: -0 }] });
  results.$unknown = [{ no: 9, wireType: 0, data: Uint8Array.of(1) }];
  expect(Buffer.from(write(results))).toEqual(Buffer.from(toBinary(ValuesBridgeResultsSchema, results)));
});

test("a message that no protobuf can carry is refused as by the library", () => {
  const write = messageWriter(RecordAnswersResponseSchema);
  for (const recorded of [1.5, 2 ** 31]) {
    const message = { $typeName: "assessment.v1.RecordAnswersResponse", sessionId: "", recorded } as never;
    expect(() => write(message)).toThrow();
    expect(() => toBinary(RecordAnswersResponseSchema, message)).toThrow();
  }
});
