// The version of an assessment, as a request names it.
import type { Violation } from "../errors/violation.ts";

/** What messages can carry. */
export const maxVersion = 2 ** 31 - 1;

export const versionDetail = `A version is an integer from 1 to ${maxVersion}.`;

/** What is wrong with a version. @param version undefined: none is asked for */
export function versionViolations(version: number | undefined): Violation[] {
  if (version === undefined || (Number.isInteger(version) && version >= 1 && version <= maxVersion)) return [];
  return [{ path: ["version"], code: "out_of_range", detail: versionDetail }];
}
