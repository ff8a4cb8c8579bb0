// What is wrong with one member of a request, as every layer names it.

export interface Violation {
  /** Member names and array positions from the request down, in the spelling of the JSON interface. */
  readonly path: readonly (string | number)[];
  /** What is wrong, for programs. */
  readonly code: string;
  /** What is wrong, for people. Never quotes what was sent. */
  readonly detail: string;
}
