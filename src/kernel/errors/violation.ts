// What is wrong with one member of a request, as every layer names it.

export interface Violation {
  /** Member names and array positions from the request down, in the spelling of the JSON interface. */
  readonly path: readonly (string | number)[];
  /** What is wrong, for programs. */
  readonly code: string;
  /** What is wrong, for people. Never quotes what was sent. */
  readonly detail: string;
  /** Whether REST takes the member from the path or the query, so that no pointer leads to it. Unset: not known. */
  readonly isOutsideBody?: boolean;
  /** The query parameter that is wrong. */
  readonly parameter?: string;
}

/** `["answers", 0, "questionId"]` is `#/answers/0/questionId`, a JSON pointer in its URI fragment form. */
export function pointerTo(path: Violation["path"]): string {
  return ["#", ...path.map(pointerSegment)].join("/");
}

function pointerSegment(segment: string | number): string {
  if (typeof segment === "number") return String(segment);
  return encodeURIComponent(segment.toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1"));
}

/**
 * A message in one line with its first violation: general words give way to the place and the reason, words on the one
 * request are followed by the reason.
 * @param generalWords the message that says nothing of the one request
 * @param placeOf names the place as the transport does; empty if it has no name
 */
export function inOneLine(
  { message, violations }: { readonly message: string; readonly violations: readonly Violation[] },
  generalWords: string,
  placeOf: (violation: Violation) => string,
): string {
  const [first] = violations;
  if (first === undefined) return message;
  if (message !== generalWords) return `${message} ${first.detail}`;
  const place = placeOf(first);
  return place === "" ? first.detail : `${place}: ${first.detail}`;
}
