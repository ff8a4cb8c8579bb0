// One turn of one operation: its subjects are stored, then the load is told to work on them.
import type { Bench } from "../bench.ts";
import type { LoadReport, OperationName, Target } from "../load/orders.ts";
import type { BenchDatabase } from "../servers/bench-database.ts";
import { type StoredSubjects, storeSessions } from "../servers/stored-sessions.ts";

/** Subjects for one turn of an operation that uses them up, for each second of it. */
const suppliesPerSecond = 5_000;

/** Sessions that stay as they are while they are read, or written over. */
export interface Standing {
  readonly open: StoredSubjects;
  readonly completed: StoredSubjects;
}

export interface OperationTurn {
  readonly database: BenchDatabase;
  readonly target: Target;
  readonly operation: OperationName;
  readonly standing: Standing;
  readonly clients: number;
}

/** Runs the turn. */
export async function runOperation({ options, load }: Bench, turn: OperationTurn): Promise<LoadReport> {
  const { target, operation, clients } = turn;
  const { seconds } = options;
  const count = Math.ceil(seconds * suppliesPerSecond) + clients + 1;
  const subjects = await subjectsOf(turn, count);
  return load.ask({ kind: "operation", target, operation, subjects, clients, seconds });
}

async function subjectsOf({ database, operation, standing }: OperationTurn, count: number): Promise<readonly string[]> {
  const fresh = (state: "open" | "completed") =>
    storeSessions(database, { count, state, answers: "sample", sessionsPerPerson: 1 });
  switch (operation) {
    case "status":
    case "results":
      return standing.completed.sessionIds;
    case "record":
      return standing.open.sessionIds;
    case "latest":
      return standing.completed.externalIds;
    case "complete":
      return (await fresh("open")).sessionIds;
    case "erase":
      return (await fresh("completed")).externalIds;
    default:
      return [];
  }
}
