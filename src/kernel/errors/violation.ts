// The fault of one member of a request, in the form that every layer uses.

export interface Violation {
  /** Member names and array positions from the request down, in the spelling of the JSON interface. */
  readonly path: readonly (string | number)[];
  /** The fault, for programs. */
  readonly code: string;
  /** The fault, for people. Never quotes what was sent. */
  readonly detail: string;
  /** Whether REST takes the member from the path or the query, so that there is no pointer to it. Unset: unknown. */
  readonly isOutsideBody?: boolean;
  /** The query parameter that is wrong. */
  readonly parameter?: string;
}

/** `["answers", 0, "questionId"]` becomes `#/answers/0/questionId`, a JSON pointer in its URI fragment form. */
export function formatPointer(path: Violation["path"]): string {
  return ["#", ...path.map(formatPointerSegment)].join("/");
}

/** A name or position as a segment of such a pointer. */
export function formatPointerSegment(segment: string | number): string {
  if (typeof segment === "number") return String(segment);
  return encodeURIComponent(segment.toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1"));
}

/**
 * A message in one line with its first violation: a default message is replaced by place and reason, a specific message is
 * followed by the reason.
 * @param defaultMessage the default message of the code
 * @param formatPlace the place in the form of the transport; empty if it has none
 */
export function summarizeViolations(
  { message, violations }: { readonly message: string; readonly violations: readonly Violation[] },
  defaultMessage: string,
  formatPlace: (violation: Violation) => string,
): string {
  const [first] = violations;
  if (first === undefined) return message;
  if (message !== defaultMessage) return `${message} ${first.detail}`;
  const place = formatPlace(first);
  return place === "" ? first.detail : `${place}: ${first.detail}`;
}
