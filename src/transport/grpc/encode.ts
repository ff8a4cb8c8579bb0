// Responses of the gRPC port as bytes.
import { type DescField, type DescMessage, type Message, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { AssessmentSchemaSchema } from "../../gen/assessment/v1/assessment_pb.ts";
import { HeadlessSessionSchema } from "../../gen/assessment/v1/session_service_pb.ts";

/** Messages of these types are made once each, by AssessmentMessages, and never changed. */
const immutable: ReadonlySet<DescMessage> = new Set([HeadlessSessionSchema, AssessmentSchemaSchema]);

export type Encode = (message: Message) => Uint8Array;

type Fields = Message & Record<string, unknown>;

/** An encoder for responses of one rpc. */
export function responseEncoder(schema: DescMessage): Encode {
  const field = schema.fields.find((each) => each.fieldKind === "message" && immutable.has(each.message));
  if (field?.fieldKind !== "message") return (message) => toBinary(schema, message);
  const encoded = new WeakMap<object, Uint8Array>();
  return (message) => {
    const fixed = memberOf(message as Fields, field);
    if (fixed === undefined) return toBinary(schema, message);
    let bytes = encoded.get(fixed);
    if (bytes === undefined) {
      const writer = new BinaryWriter().tag(field.number, WireType.LengthDelimited);
      bytes = writer.bytes(toBinary(field.message, fixed)).finish();
      encoded.set(fixed, bytes);
    }
    // Fields may come in any order, so messages are joined by joining their bytes.
    return Buffer.concat([toBinary(schema, { ...message, ...without(field) } as Message), bytes]);
  };
}

function memberOf(message: Fields, field: DescField): Message | undefined {
  if (field.oneof === undefined) return message[field.localName] as Message | undefined;
  const choice = message[field.oneof.localName] as { case?: string; value?: Message };
  return choice.case === field.localName ? choice.value : undefined;
}

function without(field: DescField): Record<string, unknown> {
  return field.oneof === undefined
    ? { [field.localName]: undefined }
    : { [field.oneof.localName]: { case: undefined, value: undefined } };
}
