// Messages that a descriptor allows: every field with any value of its type, absent where it may be.
import { create, type DescField, type DescMessage, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";

const maxItems = 3;
/** The year 9999, the last one that RFC 3339 has. */
const lastMs = 253_402_300_799_999;

/** Any message. Fields of a oneof are left unset. */
export function anyMessage<M extends DescMessage>(message: M): fc.Arbitrary<MessageShape<M>> {
  const members = message.fields
    .filter(({ oneof }) => oneof === undefined)
    .map((field) => [field.localName, anyValue(field)]);
  return fc.record(Object.fromEntries(members)).map((fields) => create(message, fields as never));
}

function anyValue(field: DescField): fc.Arbitrary<unknown> {
  if (field.fieldKind === "list") return fc.array(anyItem(field), { maxLength: maxItems });
  return field.proto.proto3Optional ? fc.option(anyItem(field), { nil: undefined }) : anyItem(field);
}

function anyItem(field: DescField): fc.Arbitrary<unknown> {
  if (field.message?.typeName === "google.protobuf.Timestamp") {
    return fc.integer({ min: 0, max: lastMs }).map((ms) => timestampFromMs(ms));
  }
  if (field.message !== undefined) return anyMessage(field.message);
  if (field.enum !== undefined) return fc.constantFrom(...field.enum.values.map(({ number }) => number), 99);
  switch (field.scalar) {
    case ScalarType.STRING:
      return fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", "\ud800", '"\\\u2028\n', "__proto__"));
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.INT32:
      return fc.integer();
    case ScalarType.INT64:
      return fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
    case ScalarType.DOUBLE:
      return fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.constantFrom(0, -0));
    default:
      throw new Error(`no values for ${field}`);
  }
}
