// How large a page of an export gets. A definition may have so many questions and pairings that 200 sessions take tens of
// megabytes, and whoever reads by gRPC takes no message of more than some: most libraries 4 MiB.

/** Bytes of the sessions of a page, unless it has a single one. Leaves room for the rest of the message. */
export const maxPageBytes = 3 << 20;

/** The tag of a field below 2048, and the length of a text or message below 256 MiB. */
const tagBytes = 2;
const lengthBytes = 4;
/** A double; the varint of a negative number. The one of any other number of 32 bits is shorter. */
const doubleBytes = 8;
const longestVarint = 10;

/**
 * Never less than the bytes that a field takes in a message, and seldom twice as many: a tenth of the work of encoding it.
 * @param value a message, or anything that a field may hold
 */
export function mostBytes(value: unknown): number {
  switch (typeof value) {
    case "string":
      return tagBytes + lengthBytes + Buffer.byteLength(value);
    case "number":
      return tagBytes + (value < 0 ? longestVarint : doubleBytes);
    case "bigint":
      return tagBytes + longestVarint;
    case "boolean":
      return tagBytes + 1;
    case "object":
      return value === null ? 0 : tagBytes + lengthBytes + bytesOfMembers(value);
    default:
      return 0;
  }
}

function bytesOfMembers(value: object): number {
  let bytes = 0;
  if (Array.isArray(value)) for (const each of value) bytes += mostBytes(each);
  else for (const [name, each] of Object.entries(value)) if (name !== "$typeName") bytes += mostBytes(each);
  return bytes;
}

/** What of a page is left for sessions. */
export class PageRoom {
  #taken = 0;

  /** Whether the session has a place. The first one always has: an export must go on. @param message of the session */
  takes(message: object): boolean {
    const taken = this.#taken + mostBytes(message);
    if (this.#taken > 0 && taken > maxPageBytes) return false;
    this.#taken = taken;
    return true;
  }
}
