// Responses of the gRPC port as bytes. An assessment's statements are encoded once: encoding them for each new session took
// a fifth of the CPU of a whole assessment.
import { type DescField, type DescMessage, type Message, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { AssessmentSchemaSchema } from "../../gen/assessment/v1/assessment_pb.ts";
import { HeadlessSessionSchema } from "../../gen/assessment/v1/session_service_pb.ts";

/** Messages of these types are made once for each version and language, and never changed. */
const immutable: ReadonlySet<DescMessage> = new Set([HeadlessSessionSchema, AssessmentSchemaSchema]);

export type Encode = (message: Message) => Uint8Array;

/** An encoder for responses of one rpc. */
export function responseEncoder(schema: DescMessage): Encode {
  const field = schema.fields.find((each) => each.message !== undefined && immutable.has(each.message));
  if (field?.message === undefined) return (message) => toBinary(schema, message);
  const type = field.message;
  const encoded = new WeakMap<Message, Uint8Array>();
  return (message) => {
    const fixed = memberOf(message, field);
    if (fixed === undefined) return toBinary(schema, message);
    let bytes = encoded.get(fixed);
    if (bytes === undefined) {
      bytes = new BinaryWriter().tag(field.number, WireType.LengthDelimited).bytes(toBinary(type, fixed)).finish();
      encoded.set(fixed, bytes);
    }
    // Fields may come in any order, so messages are joined by joining their bytes.
    const rest: Message = {
      ...message,
      [field.oneof?.localName ?? field.localName]: field.oneof && { case: undefined },
    };
    return Buffer.concat([toBinary(schema, rest), bytes]);
  };
}

function memberOf(message: Message, field: DescField): Message | undefined {
  const members = message as Message & Record<string, unknown>;
  if (field.oneof === undefined) return members[field.localName] as Message | undefined;
  const choice = members[field.oneof.localName] as { readonly case?: string; readonly value?: Message };
  return choice.case === field.localName ? choice.value : undefined;
}
