// Answers of gRPC requests: read in one pass where they are plain, and always as the library reads them.
import { isDeepStrictEqual } from "node:util";
import { create, type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import fc from "fast-check";
import { expect, test } from "vitest";
import { QuestionType } from "../../../src/gen/assessment/v1/assessment_pb.ts";
import {
  CompleteSessionRequestSchema,
  GetSessionRequestSchema,
  RecordAnswersRequestSchema,
} from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { requestDecoder } from "../../../src/transport/grpc/decode.ts";
import { answersReader } from "../../../src/transport/grpc/read-answers.ts";
import { anyMessage } from "../../support/any-message.ts";

const requests: [string, DescMessage][] = [
  ["a request with answers", RecordAnswersRequestSchema],
  ["a request that completes", CompleteSessionRequestSchema],
];
const plain = create(RecordAnswersRequestSchema, {
  product: "values-bridge",
  sessionId: "0198c5f0-0000-7000-8000-000000000000",
  answers: [1, 127, 128, 2 ** 28 - 1].map((questionId) => ({
    questionId,
    response: { type: QuestionType.LIKERT, value: 5 },
  })),
});

/** What a decoder makes of bytes: a message, or a refusal. */
function outcomeOf(decode: () => unknown): unknown {
  try {
    return decode();
  } catch {
    return "refused";
  }
}

function expectSame(schema: DescMessage, bytes: Uint8Array): void {
  const theirs = outcomeOf(() => fromBinary(schema, bytes, { readUnknownFields: false }));
  const ours = outcomeOf(() => requestDecoder(schema)(bytes));
  if (!isDeepStrictEqual(ours, theirs)) expect(ours, Buffer.from(bytes).toString("hex")).toStrictEqual(theirs);
}

test("answers as clients write them are read in one pass, and all else of the request by the library", () => {
  const bytes = toBinary(RecordAnswersRequestSchema, plain);
  const read = answersReader(RecordAnswersRequestSchema)?.(bytes);
  expect(read?.answers).toStrictEqual(plain.answers);
  expect(read && fromBinary(RecordAnswersRequestSchema, read.others)).toStrictEqual({ ...plain, answers: [] });
  expect(answersReader(GetSessionRequestSchema)).toBeUndefined();
});

test.each(requests)("%s is read as the library reads it", (_name, schema) => {
  fc.assert(fc.property(anyMessage(schema), (message) => expectSame(schema, toBinary(schema, message))));
});

test.each(requests)(
  "%s with any byte changed, or cut anywhere, is read, or refused, as by the library",
  (_name, schema) => {
    const bytes = toBinary(RecordAnswersRequestSchema, plain);
    for (let at = 0; at < bytes.length; at += 1) {
      expectSame(schema, bytes.subarray(0, at));
      for (let byte = 0; byte < 256; byte += 1) expectSame(schema, bytes.with(at, byte));
    }
  },
);

/** An answer that is written by hand. */
function answerOf(write: (writer: BinaryWriter) => BinaryWriter): Uint8Array {
  const request = new BinaryWriter().tag(3, WireType.LengthDelimited);
  return request.bytes(write(new BinaryWriter()).finish()).finish();
}
const response = (value: number) =>
  new BinaryWriter().tag(1, WireType.Varint).uint32(1).tag(2, WireType.Bit64).double(value).finish();
const typed = (writer: BinaryWriter, type: number) =>
  writer
    .tag(2, WireType.LengthDelimited)
    .bytes(new BinaryWriter().tag(1, WireType.Varint).int32(type).uint32(1).finish());
const id = (writer: BinaryWriter, questionId: number) => writer.tag(1, WireType.Varint).int32(questionId);
const responded = (writer: BinaryWriter, value: number) =>
  writer.tag(2, WireType.LengthDelimited).bytes(response(value));

test.each<[string, Uint8Array]>([
  ["twice a question and a response", answerOf((w) => responded(id(responded(id(w, 7), 1), 8), 2))],
  [
    "two responses, the second one without a value",
    answerOf((w) => responded(id(w, 7), 3).tag(2, WireType.LengthDelimited).bytes(Uint8Array.of(8, 1))),
  ],
  ["a response before its question", answerOf((w) => id(responded(w, 3), 7))],
  ["no response", answerOf((w) => id(w, 7))],
  ["an id below zero, and then another one", answerOf((w) => responded(id(id(w, -1), 7), 3))],
  ["an id of five bytes whose last one looks like a tag", answerOf((w) => responded(id(id(w, 2 ** 30), 1), 3))],
  ["a type of five bytes whose last one looks like a tag", answerOf((w) => id(typed(w, 2 ** 30), 7))],
  ["a field that nobody knows", answerOf((w) => responded(id(w, 7), 3).tag(9, WireType.Varint).uint32(1))],
  ["a field of two bytes", answerOf((w) => responded(id(w, 7), 3).tag(99, WireType.Varint).uint32(1))],
  ["a value that is no number", answerOf((w) => responded(id(w, 7), Number.NaN))],
  ["a zero below zero", answerOf((w) => responded(id(w, 7), -0))],
])("an answer with %s is read as the library reads it", (_name, bytes) => {
  for (const [, schema] of requests) {
    expectSame(schema, bytes);
    expectSame(schema, Buffer.concat([toBinary(RecordAnswersRequestSchema, plain), bytes, bytes]));
  }
});

test("answers that others stand between are read in their order", () => {
  const bytes = toBinary(RecordAnswersRequestSchema, plain);
  expectSame(CompleteSessionRequestSchema, Buffer.concat([bytes, Uint8Array.of(0x20, 1), bytes]));
});
