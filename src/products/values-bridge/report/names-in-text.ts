// Names of values in a sentence, which are printed in bold.
import type { ReportValue } from "./report-model.ts";

export interface TextPart {
  readonly text: string;
  readonly isName: boolean;
}

/** Splits a text into names of values and the parts between them. */
export function findNamesInText(text: string, values: readonly ReportValue[]): readonly TextPart[] {
  // A name may be part of another one.
  const names = values.map(({ name }) => name.text).toSorted((one, other) => other.length - one.length);
  const pattern = new RegExp(`(?<!\\p{L})(${names.map((name) => RegExp.escape(name)).join("|")})(?!\\p{L})`, "u");
  return text.split(pattern).map((part) => ({ text: part, isName: names.includes(part) }));
}
