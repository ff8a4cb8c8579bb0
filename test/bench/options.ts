// The arguments of `npm run bench`.
import { parseArgs } from "node:util";
import type { TransportName } from "./load/orders.ts";
import type { ServerKind } from "./servers/database-server.ts";

export const sectionNames = ["whole", "versions", "disk", "neighbours", "deliveries", "start", "reports"] as const;
export type SectionName = (typeof sectionNames)[number];

const transportNames: readonly TransportName[] = ["rest", "grpc"];

export interface Options {
  readonly sections: readonly SectionName[];
  readonly servers: readonly ServerKind[];
  /** Over which a whole assessment is measured. */
  readonly transports: readonly TransportName[];
  readonly clients: number;
  /** Turns of each contender that are counted. */
  readonly rounds: number;
  /** Turns of each contender before those. */
  readonly warmUps: number;
  /** Length of a turn. */
  readonly seconds: number;
  /** How many are stored for `disk`. */
  readonly sessions: number;
  /** Folder of a checkout of another commit, with its dependencies, that this one is held against. */
  readonly old: string | undefined;
  /** Whether processes under test write a CPU profile when they end. */
  readonly isProfiled: boolean;
  /** Whether it is about what works, so that the figures say nothing. */
  readonly isQuick: boolean;
}

export const usage = `npm run bench -- [section …] [option …]
  sections: ${sectionNames.join(", ")}; all of them unless some are named, versions only with --old
  --server embedded|mysql97|all   database server (default: embedded, or the one of DATABASE_URL)
  --quick                         everything once and short: whether it works, not how fast it is
  --transports rest,grpc          of whole assessments (default: both)
  --clients N  --rounds N  --seconds N  --sessions N
  --warm-ups N                    turns of each contender that are not counted (default: 1)
  --old FOLDER                    a checkout of another commit, with its dependencies, for versions
  --profile                       CPU profiles of the servers under test, in bench-results/profiles`;

const full = { clients: 32, rounds: 5, warmUps: 1, seconds: 4, sessions: 200_000 };
const quick = { clients: 8, rounds: 1, warmUps: 0, seconds: 0.3, sessions: 200 };

/** Reads the arguments; throws an Error that says what is wrong with them. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      server: { type: "string" },
      quick: { type: "boolean", default: false },
      transports: { type: "string", default: "rest,grpc" },
      clients: { type: "string" },
      rounds: { type: "string" },
      "warm-ups": { type: "string" },
      seconds: { type: "string" },
      sessions: { type: "string" },
      old: { type: "string" },
      profile: { type: "boolean", default: false },
    },
  });
  const defaults = values.quick ? quick : full;
  if (positionals.includes("versions") && values.old === undefined) throw new Error("versions needs --old FOLDER");
  const byDefault = sectionNames.filter((name) => name !== "versions" || values.old !== undefined);
  return {
    sections: positionals.length === 0 ? byDefault : positionals.map((name) => oneOf(sectionNames, name)),
    servers: serversOf(values.server),
    transports: values.transports.split(",").map((name) => oneOf(transportNames, name)),
    clients: readPositive(values.clients ?? defaults.clients),
    rounds: readPositive(values.rounds ?? defaults.rounds),
    warmUps: values["warm-ups"] === undefined ? defaults.warmUps : readPositive(values["warm-ups"]),
    seconds: readPositive(values.seconds ?? defaults.seconds),
    sessions: readPositive(values.sessions ?? defaults.sessions),
    old: values.old,
    isProfiled: values.profile,
    isQuick: values.quick,
  };
}

function serversOf(name: string | undefined): ServerKind[] {
  if (name === undefined) return [process.env.DATABASE_URL === undefined ? "embedded" : "url"];
  return name === "all" ? ["embedded", "mysql97"] : [oneOf(["embedded", "mysql97"], name)];
}

function oneOf<T extends string>(names: readonly T[], word: string): T {
  const name = names.find((each) => each === word);
  if (name === undefined) throw new Error(`${word} is none of ${names.join(", ")}`);
  return name;
}

function readPositive(text: string | number): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${text} is not a number above 0`);
  return value;
}
