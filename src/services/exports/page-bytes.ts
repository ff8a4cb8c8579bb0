// How large a page of an export gets. A definition may have so many questions and pairings that 200 sessions take tens of
// megabytes, and whoever reads by gRPC takes no message of more than some: most libraries 4 MiB.
import { type DescField, type DescMessage, type MessageInitShape, ScalarType } from "@bufbuild/protobuf";

/** Bytes of the sessions of a page, unless it has a single one. Leaves room for the rest of the message. */
export const maxPageBytes = 3 << 20;

/** The tag of a field below 2048, and the length of a text or message below 256 MiB. */
const tagBytes = 2;
const lengthBytes = 4;
/** The varint of a negative number; any other number is shorter. */
const longestNumber = 10;
const doubleBytes = 8;

/** Never less than the bytes that a message takes, and seldom twice as many. */
export type MostBytes<M extends DescMessage> = (message: MessageInitShape<M>) => number;

type Measure = (value: unknown) => number;

/**
 * Compiles what a message takes at most. Only texts and lists are looked at: what is made of numbers alone takes no more
 * than its descriptor says, so a list of that is its length. Throws for a message with a oneof, a map or bytes.
 */
export function mostBytesOf<M extends DescMessage>(message: M): MostBytes<M> {
  const bytes = bytesOfMessage(message);
  return typeof bytes === "number" ? () => bytes : bytes;
}

/** The number if it is the same for every such message. */
function bytesOfMessage({ fields }: DescMessage): number | Measure {
  let fixed = tagBytes + lengthBytes;
  const measured: [name: string, measure: Measure][] = [];
  for (const field of fields) {
    const bytes = bytesOfField(field);
    if (typeof bytes === "number") fixed += bytes;
    else measured.push([field.localName, bytes]);
  }
  if (measured.length === 0) return fixed;
  return (message) => {
    let bytes = fixed;
    for (const [name, measure] of measured) {
      const value = (message as Readonly<Record<string, unknown>>)[name];
      if (value !== undefined) bytes += measure(value);
    }
    return bytes;
  };
}

function bytesOfField(field: DescField): number | Measure {
  if (field.oneof !== undefined) throw new Error(`${field} is one of several, which no page has`);
  const bytes = bytesOfItem(field);
  if (field.fieldKind !== "list") return bytes;
  if (typeof bytes === "number") return (list) => bytes * (list as readonly unknown[]).length;
  return (list) => (list as readonly unknown[]).reduce<number>((sum, item) => sum + bytes(item), 0);
}

function bytesOfItem(field: DescField): number | Measure {
  if (field.message !== undefined) return bytesOfMessage(field.message);
  if (field.enum !== undefined) return tagBytes + longestNumber;
  if (field.scalar === ScalarType.STRING) return (text) => tagBytes + lengthBytes + Buffer.byteLength(text as string);
  if (field.scalar === undefined || field.scalar === ScalarType.BYTES) throw new Error(`${field} is in no page`);
  return tagBytes + (field.scalar === ScalarType.DOUBLE ? doubleBytes : longestNumber);
}

/** What of a page is left for sessions. */
export class PageRoom {
  #taken = 0;

  /** Whether a session has a place. The first one always has: an export must go on. @param bytes of the session at most */
  takes(bytes: number): boolean {
    const taken = this.#taken + bytes;
    if (this.#taken > 0 && taken > maxPageBytes) return false;
    this.#taken = taken;
    return true;
  }
}
