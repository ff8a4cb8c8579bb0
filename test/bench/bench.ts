// What every section is given, and what it gives back.
import type { LoadReport, Order } from "./load/orders.ts";
import type { Options } from "./options.ts";
import type { Table } from "./report/table.ts";
import type { Child } from "./servers/child.ts";
import type { DatabaseServer } from "./servers/database-server.ts";

export interface Bench {
  readonly options: Options;
  readonly server: DatabaseServer;
  readonly load: Child<Order, LoadReport>;
  /** Tells the person at the terminal how far it is. */
  readonly say: (line: string) => void;
}

export interface SectionResult {
  readonly tables: readonly Table[];
  /** Figures by name, medians over the rounds; targets are held against them. */
  readonly figures: Readonly<Record<string, number>>;
  /** What each round gave, for the file. */
  readonly rounds: unknown;
}

export type Section = (bench: Bench) => Promise<SectionResult>;

/**
 * Measures contenders in turns, A B C A B C …, so that whatever else the machine does meets them all alike. The first
 * turns of each warm up and are not counted.
 * @returns what each round gave, by contender
 */
export async function inTurns<N extends string, T>(
  contenders: Readonly<Record<N, () => Promise<T>>>,
  { rounds, warmUps }: Pick<Options, "rounds" | "warmUps">,
): Promise<Record<N, T[]>> {
  const names = Object.keys(contenders) as N[];
  const valuesByName = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<N, T[]>;
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const name of names) {
      const result = await contenders[name]();
      if (round >= 0) valuesByName[name].push(result);
    }
  }
  return valuesByName;
}

/** Options of Node for a process under test. @param name of its profile, if one is taken */
export function nodeOptionsOf({ isProfiled }: Options, name: string): string[] {
  if (!isProfiled) return [];
  return ["--cpu-prof", "--cpu-prof-dir=bench-results/profiles", `--cpu-prof-name=${Date.now()}-${name}.cpuprofile`];
}
