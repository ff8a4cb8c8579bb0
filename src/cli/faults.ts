// What went wrong with a command, in lines for people.
import { DomainError } from "../domain/errors.ts";

/** Longer values are cut. */
const maxQuoted = 100;

/** An error, line by line: every fault that the domain found in what was asked for, else the error's message. */
export function linesOf(error: unknown): string[] {
  if (error instanceof DomainError && error.violations.length > 0) {
    return error.violations.map(({ path, detail }) => `${path.join("/")}: ${detail}`);
  }
  return [error instanceof Error ? error.message : "the command failed"];
}

/** Runs work, and puts into its faults which of the given values they are about: an operator may read them. */
export async function naming<T>(given: Readonly<Record<string, unknown>>, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, message, facts } = error;
    const violations = error.violations.map(({ path, ...rest }) => {
      const value = path.reduce<unknown>((within, name) => (within as Record<string, unknown>)?.[name], given);
      return { path: typeof value === "string" ? [...path, value.slice(0, maxQuoted)] : path, ...rest };
    });
    throw new DomainError(code, message, { violations, facts, cause: error });
  }
}
