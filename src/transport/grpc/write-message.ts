// Messages as bytes, written in one pass: results are a hundred messages, and the library takes three times as long. What
// is not plain, such as a text beyond ASCII, is left to it, so that both always write the same bytes.
import { type DescField, type DescMessage, type Message, ScalarType, toBinary } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";

/** Bytes of a message that is written; longer ones are left to the library. */
const roomBytes = 16_384;
const doubleBytes = 8;
/** Numbers of one byte are below it, and so are the codes of ASCII. */
const oneByte = 0x80;

interface Fields {
  readonly $unknown?: unknown;
  readonly [name: string]: unknown;
}

interface FieldPlan {
  readonly name: string;
  readonly kind: "number" | "double" | "text" | "message" | "list";
  readonly tag: number;
  /** Whether a zero or an empty text is not written. */
  readonly isZeroLeftOut: boolean;
  /** Of a message, or of those of a list; undefined: the library writes them. */
  readonly plan: readonly FieldPlan[] | undefined;
  readonly message: DescMessage | undefined;
}

/** A writer for messages of one type: the same bytes as those of the library. */
export function messageWriter(schema: DescMessage): (message: Message) => Uint8Array {
  const plan = planOf(schema);
  if (plan === undefined) return (message) => toBinary(schema, message);
  const writer = new BackwardWriter(roomBytes);
  return (message) => writer.write(plan, message as unknown as Fields) ?? toBinary(schema, message);
}

/** How the fields of a type are written, the last one first; undefined if it has some of another kind. */
function planOf(schema: DescMessage): FieldPlan[] | undefined {
  const plans: FieldPlan[] = [];
  for (const field of schema.fields.toSorted((one, other) => other.number - one.number)) {
    const plan = fieldPlan(field);
    if (plan === undefined) return undefined;
    plans.push(plan);
  }
  return plans;
}

function fieldPlan(field: DescField): FieldPlan | undefined {
  if (field.oneof !== undefined) return undefined;
  const isZeroLeftOut = field.presence === FeatureSet_FieldPresence.IMPLICIT;
  const of = (kind: FieldPlan["kind"], wireType: WireType): FieldPlan => ({
    name: field.localName,
    kind,
    tag: (field.number << 3) | wireType,
    isZeroLeftOut,
    plan: field.message && planOf(field.message),
    message: field.message,
  });
  if (field.fieldKind === "list") return field.message && of("list", WireType.LengthDelimited);
  if (field.fieldKind === "message") return of("message", WireType.LengthDelimited);
  if (field.fieldKind === "enum") return of("number", WireType.Varint);
  if (field.scalar === ScalarType.INT32) return of("number", WireType.Varint);
  if (field.scalar === ScalarType.STRING) return of("text", WireType.LengthDelimited);
  // A zero that is left out may be one below zero, which is written.
  if (field.scalar === ScalarType.DOUBLE && !isZeroLeftOut) return of("double", WireType.Bit64);
  return undefined;
}

/** Writes from the end to the start: so the length of a message is known where it is written. */
class BackwardWriter {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  #isPlain = true;

  constructor(size: number) {
    this.#bytes = new Uint8Array(size);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** The message in bytes of their own; undefined if something is not plain. */
  write(plan: readonly FieldPlan[], message: Fields): Uint8Array | undefined {
    this.#at = this.#bytes.length;
    this.#isPlain = true;
    this.#message(plan, message);
    return this.#isPlain ? Buffer.from(this.#bytes.subarray(this.#at)) : undefined;
  }

  #message(plan: readonly FieldPlan[], message: Fields): void {
    if (message.$unknown !== undefined) this.#isPlain = false;
    for (const field of plan) {
      const value = message[field.name];
      if (value !== undefined) this.#field(field, value);
    }
  }

  #field(field: FieldPlan, value: unknown): void {
    if (field.kind === "list") {
      const items = value as readonly Message[];
      for (let index = items.length - 1; index >= 0; index -= 1) this.#nested(field, items[index] as Message);
      return;
    }
    if (field.kind === "message") {
      this.#nested(field, value as Message);
      return;
    }
    if (field.isZeroLeftOut && (value === 0 || value === "")) return;
    if (field.kind === "double") this.#double(value);
    else if (field.kind === "text") this.#text(value);
    else this.#number(value);
    this.#number(field.tag);
  }

  #nested({ plan, message, tag }: FieldPlan, value: Message): void {
    const end = this.#at;
    if (plan !== undefined) this.#message(plan, value as unknown as Fields);
    else if (message !== undefined) this.#raw(toBinary(message, value));
    this.#number(end - this.#at);
    this.#number(tag);
  }

  #raw(bytes: Uint8Array): void {
    if (this.#take(bytes.length)) this.#bytes.set(bytes, this.#at);
  }

  #double(value: unknown): void {
    if (typeof value !== "number") this.#isPlain = false;
    else if (this.#take(doubleBytes)) this.#view.setFloat64(this.#at, value, true);
  }

  #text(text: unknown): void {
    if (typeof text !== "string") this.#isPlain = false;
    else if (this.#take(text.length)) {
      for (let index = 0; index < text.length; index += 1) {
        const code = text.charCodeAt(index);
        if (code >= oneByte) this.#isPlain = false;
        this.#bytes[this.#at + index] = code;
      }
      this.#number(text.length);
    }
  }

  /** A whole number from 0 to 2^31 - 1. */
  #number(number: unknown): void {
    if (typeof number !== "number" || (number | 0) !== number || number < 0) this.#isPlain = false;
    else if (this.#take(bytesOf(number))) {
      let at = this.#at;
      let rest = number;
      for (; rest >= oneByte; rest >>>= 7) {
        this.#bytes[at] = (rest & 0x7f) | oneByte;
        at += 1;
      }
      this.#bytes[at] = rest;
    }
  }

  /** Goes back by so many bytes. @returns whether there is room */
  #take(bytes: number): boolean {
    if (bytes > this.#at) this.#isPlain = false;
    else this.#at -= bytes;
    return this.#isPlain;
  }
}

/** How many bytes a number takes, of which each holds seven bits. */
function bytesOf(number: number): number {
  let bytes = 1;
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) bytes += 1;
  return bytes;
}
