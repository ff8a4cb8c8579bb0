// Several processes on one database behave as one service.
import { readFileSync } from "node:fs";
import type { RowDataPacket } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { bytesToAnswers } from "../../src/store/rows.ts";
import { fetchToken } from "../support/app.ts";
import { type Environment, pas, type RunningCommand, startPas } from "../support/command.ts";
import { createEmptyDatabase, type TestDatabase } from "../support/database.ts";
import type { Door } from "../support/doors.ts";
import { restDoor } from "../support/rest-door.ts";
import { countOf } from "../support/stores.ts";
import { answer, bodyOf } from "./cases/case.ts";

const processCount = 3;
const serving = /"http":"(http:[^"]+)".*"msg":"serving"/g;

let database: TestDatabase;
let environment: Environment;
let token: string;
let applied: string[][];
const processes: RunningCommand[] = [];
let doors: Door[];

async function result<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await pas(args, environment);
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

/** Starts the service and resolves with the address of its HTTP port. */
async function serve(): Promise<string> {
  const running = startPas(["serve"], environment);
  processes.push(running);
  const [, url = ""] = await running.wrote(new RegExp(serving, ""));
  return url;
}

beforeAll(async () => {
  database = await createEmptyDatabase();
  environment = { DATABASE_URL: database.url, HTTP_PORT: "0", GRPC_PORT: "0" };
  const migrations = Array.from({ length: processCount }, () => result<{ applied: string[] }>("migrate"));
  applied = (await Promise.all(migrations)).map((each) => each.applied);
  const { partnerId } = await result<{ partnerId: string }>("partner", "create", "--name", "Acme");
  const scopes = "sessions:write sessions:read results:read";
  const client = await result<{ clientId: string; clientSecret: string }>(
    ...["client", "create", "--partner", partnerId, "--name", "Backend", "--scopes", scopes],
  );
  const urls = await Promise.all(Array.from({ length: processCount }, serve));
  token = await fetchToken(urls[0] ?? "", client);
  doors = urls.map((url) => restDoor(url));
});
afterAll(async () => {
  for (const running of processes) running.kill("SIGTERM");
  expect(await Promise.all(processes.map(({ ended }) => ended))).toEqual(processes.map(() => 0));
  await database.drop();
});

/** Makes so many calls at once, over all processes in turn. */
function atOnce<T>(count: number, call: (door: Door, index: number) => Promise<T>): Promise<T[]> {
  const doorOf = (index: number) => doors[index % doors.length] as Door;
  return Promise.all(Array.from({ length: count }, (_, index) => call(doorOf(index), index)));
}

test("an empty database that several processes migrate at once is migrated once", async () => {
  expect(applied.map((names) => names.length > 0).toSorted()).toEqual([false, false, true]);
  expect(await countOf(database.connection, "SELECT COUNT(*) FROM knex_migrations")).toBe(applied.flat().length);
  expect(await countOf(database.connection, "SELECT COUNT(*) FROM assessments")).toBe(1);
});

test("creations with one key at several processes at once make one session", async () => {
  const externalId = crypto.randomUUID();
  const as = { token, idempotencyKey: crypto.randomUUID() };
  const created = await atOnce(12, (door) => door.createSession(as, { subject: { externalId } }));
  expect(new Set(created.map((outcome) => bodyOf(outcome).sessionId)).size).toBe(1);
  expect(created.filter(({ replayed }) => !replayed)).toHaveLength(1);
  const count = "SELECT COUNT(*) FROM sessions WHERE external_id = ?";
  expect(await countOf(database.connection, count, [Buffer.from(externalId)])).toBe(1);
});

test("answers to different questions, recorded at several processes at once, are all stored", async () => {
  const { sessionId, assessment } = bodyOf(await (doors[0] as Door).createSession({ token }, {}));
  const ids = assessment?.questions.slice(0, 60).map(({ id }) => id) ?? [];
  const values = ids.map((_, index) => 1 + (index % 7));
  const recorded = await atOnce(60, (door, index) =>
    door.recordAnswers({ token }, sessionId, [answer(ids[index] ?? 0, values[index] ?? 0)]),
  );
  expect(recorded.map((outcome) => bodyOf(outcome).recorded)).toEqual(ids.map(() => 1));
  const select = "SELECT answers FROM sessions WHERE id = UNHEX(?)";
  const [rows] = await database.connection.query<RowDataPacket[]>(select, [sessionId.replaceAll("-", "")]);
  expect(bytesToAnswers(rows[0]?.answers).slice(0, 60)).toEqual(values);
});

test("of completions with different answers at several processes at once one wins, and all see its results", async () => {
  // One session alone might see no race.
  for (let round = 0; round < 5; round += 1) await Promise.all(Array.from({ length: 8 }, oneCompletionWins));
});

async function oneCompletionWins(): Promise<void> {
  const { sessionId } = bodyOf(await (doors[0] as Door).createSession({ token }, {}));
  const completed = await atOnce(6, (door, index) =>
    door.completeSession({ token }, sessionId, [answer(1001, 1 + index)]),
  );
  const winners = completed.filter((outcome) => outcome.ok);
  expect(winners).toHaveLength(1);
  const codes = completed.map((outcome) => (outcome.ok ? "ok" : outcome.code));
  expect(codes.toSorted()).toEqual(["ok", ...Array.from({ length: 5 }, () => "session_completed")]);
  const results = winners.map((outcome) => bodyOf(outcome).results);
  for (const door of doors) {
    expect([bodyOf(await door.getSessionResults({ token }, sessionId)).results]).toEqual(results);
  }
}

describe("--workers", () => {
  test("serves on one port by several processes, replaces one that dies, and stops them all cleanly", async () => {
    const running = startPas(["serve", "--workers", String(processCount)], environment);
    onTestFinished(() => running.kill("SIGKILL"));
    const urls = () => [...running.output().stdout.matchAll(serving)].map(([, url]) => url);
    await expect.poll(() => urls().length, { timeout: 20_000 }).toBe(processCount);
    expect(new Set(urls()).size).toBe(1);
    const door = restDoor(urls()[0] ?? "");
    const before = workersOf(running);
    expect(before).toHaveLength(processCount);
    process.kill(before[0] ?? 0, "SIGKILL");
    await expect.poll(() => urls().length, { timeout: 20_000 }).toBe(processCount + 1);
    const created = await Promise.all(Array.from({ length: 30 }, () => door.createSession({ token }, {})));
    expect(created.filter(({ ok }) => ok)).toHaveLength(30);
    const workers = workersOf(running);
    expect(workers).toHaveLength(processCount);
    running.kill("SIGTERM");
    expect(await running.ended).toBe(0);
    for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });
});

function workersOf({ pid }: RunningCommand): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children
    .split(" ")
    .filter((text) => text !== "")
    .map(Number);
}
