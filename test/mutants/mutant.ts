// A mutant: one small fault in the code, and the tests that have to notice it.

export interface Mutant {
  /** The fault in words. */
  readonly fault: string;
  readonly file: string;
  /** Text that stands in the file exactly once. */
  readonly replace: string;
  readonly by: string;
  readonly project: "pure" | "mariadb" | "system" | "web";
  /** Test files of that project. One of them has to fail. */
  readonly tests: readonly string[];
}

/** The file's text with the fault. @throws Error if the text to replace is not there exactly once */
export function mutated(text: string, { file, replace, by, fault }: Mutant): string {
  const found = text.split(replace).length - 1;
  if (found !== 1) throw new Error(`${fault}: its text stands ${found} times in ${file}, not once`);
  return text.replace(replace, () => by);
}
