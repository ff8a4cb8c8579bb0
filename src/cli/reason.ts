// Refusals of the domain in the words of the command line, whose callers may know everything.
import { DomainError } from "../domain/errors.ts";

/** Why a command failed. */
export function reasonOf(error: unknown): string {
  if (error instanceof DomainError && error.violations.length > 0) {
    return error.violations.map(({ detail }) => detail).join(" ");
  }
  return error instanceof Error ? error.message : "the command failed";
}

/** Passes an error on, and says of what there is none if that is the fault. */
export function unlessKnown(thing: "partner" | "client"): (error: unknown) => never {
  return (error) => {
    const isUnknown = error instanceof DomainError && error.code === "not_found";
    throw isUnknown ? new Error(`there is no such ${thing}; \`pas ${thing} list\` shows those that there are`) : error;
  };
}

/** Passes an error on, with the words that were refused before what is wrong with them. @param lists by option */
export function withValues(lists: Readonly<Record<string, readonly string[]>>): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof DomainError) || error.violations.length === 0) throw error;
    const reasons = error.violations.map(({ path: [name = "", index], detail }) => {
      const value = typeof index === "number" ? lists[name]?.[index] : undefined;
      return value === undefined ? detail : `${value}: ${detail}`;
    });
    throw new Error(reasons.join(" "));
  };
}
