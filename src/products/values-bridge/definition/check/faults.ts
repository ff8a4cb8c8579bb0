// What a check of a definition reports: faults with a location, a code and a message.

export type FaultCode =
  | "missing_member"
  | "unknown_member"
  | "wrong_type"
  | "out_of_range"
  | "wrong_length"
  | "wrong_form"
  | "unsupported"
  | "too_large"
  | "too_many_questions"
  | "too_many_decimals"
  | "duplicate_id"
  | "duplicate_name"
  | "duplicate_label"
  | "duplicate_predicate"
  | "duplicate_prompt"
  | "duplicate_context"
  | "duplicate_language"
  | "duplicate_frame"
  | "duplicate_pairing"
  | "missing_inverse_item"
  | "missing_forward_item"
  | "missing_pairing_kind"
  | "uneven_items"
  | "no_weight"
  | "placeholder"
  | "label_count"
  | "incomplete_translation"
  | "stride"
  | "unknown_value"
  | "unknown_archetype"
  | "pairing_order"
  | "empty_band"
  | "overlapping_bands"
  | "uncovered_gaps"
  | "tier_order"
  | "last_tier"
  | "unreachable";

/** One fault in a definition. */
export interface DefinitionFault {
  /** Where: a JSON Pointer as URI fragment (RFC 6901), `#/values/3/items/1/weight`; of a missing member, where it belongs. */
  readonly pointer: string;
  /** What is wrong, for programs. */
  readonly code: FaultCode;
  /** What is wrong, for the author of the definition. */
  readonly message: string;
}

const quotedLength = 60;

/** A text from the file in quotes: shortened, and safe to print in a terminal. */
export function quote(text: string): string {
  const points = Array.from(text.slice(0, 2 * quotedLength + 2));
  const shown = points.length > quotedLength ? `${points.slice(0, quotedLength - 1).join("")}…` : text;
  return `'${shown.replace(/\p{C}/gu, escapeCharacter)}'`;
}

/** Texts that look the same have the same folded form: case, kind of space and letter form are ignored. */
export function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ");
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
