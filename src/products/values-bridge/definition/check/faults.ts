// What a check of a definition reports: faults with a location, a code and a message.

/** One fault in a definition. */
export interface DefinitionFault {
  /** Where: a JSON Pointer as URI fragment (RFC 6901), `#/values/3/items/1/weight`; of a missing member, where it belongs. */
  readonly pointer: string;
  /** What is wrong, for programs. */
  readonly code: string;
  /** What is wrong, for the author of the definition. */
  readonly message: string;
}

/** Adds a fault to those of a definition. */
export type Report = (pointer: string, code: string, message: string) => void;

const quotedLength = 60;

/** A text from the file in quotes: shortened, and safe to print in a terminal. */
export function quote(text: string): string {
  const points = Array.from(text.slice(0, 2 * quotedLength + 2));
  const quotable = points.length > quotedLength ? `${points.slice(0, quotedLength - 1).join("")}…` : text;
  return `'${quotable.replace(/\p{C}/gu, escapeCharacter)}'`;
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
