// What a run is to do and what this machine has for it: prepare.ts finds out and hands it over through the environment.

export type Means = {
  /** File for the figures; they go to stdout without one. */
  readonly FAULTS_REPORT: string;
  /** Root that holds MySQL 9.7; empty where there is none. */
  readonly FAULTS_MYSQL_ROOT: string;
  /** The program HAProxy; empty where there is none. */
  readonly FAULTS_HAPROXY: string;
};

/** The member's value; empty in a run of vitest by itself. */
export function means(name: keyof Means): string {
  return process.env[name] ?? "";
}

/** The same, where nothing can be done without it. */
export function required(name: keyof Means): string {
  const value = means(name);
  if (value === "") throw new Error(`${name} is not set: npm run test:faults sets it`);
  return value;
}

/** Whether it is the short run of continuous integration. */
export const isShort = process.env.TEST_EXTENT === "short";

/** The full number, or that of a short run: of rounds, calls or milliseconds. */
export function rounds(full: number, short: number): number {
  return isShort ? short : full;
}
