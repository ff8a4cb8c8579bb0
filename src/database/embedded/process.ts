// Processes by pid and start time: the system reuses pids, and a new process must not be taken for the old one.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

/** Identifies a process: two may have the same pid one after the other, but not the same start time as well. */
export interface ProcessRef {
  readonly pid: number;
  /** When it started, in the system's own format; only good for comparing. */
  readonly start: string;
}

const pollMs = 25;
const killGraceMs = 10_000;

/** The process with this pid now; undefined if there is none. A zombie has ended. */
export function findProcess(pid: number): ProcessRef | undefined {
  const found = existsSync("/proc/self/stat") ? readProc(pid) : readPs(pid);
  if (found === undefined || found.state.startsWith("Z")) return undefined;
  return { pid, start: found.start };
}

/** The current process. */
export function thisProcess(): ProcessRef {
  const found = findProcess(process.pid);
  if (found === undefined) throw new Error("the system does not list the running process");
  return found;
}

export function isSame(one: ProcessRef, other: ProcessRef): boolean {
  return one.pid === other.pid && one.start === other.start;
}

export function isRunning(ref: ProcessRef): boolean {
  return findProcess(ref.pid)?.start === ref.start;
}

/** Asks the process to end, kills it after `graceMs`, and returns when it is gone. Throws if it survives that. */
export async function terminate(ref: ProcessRef, graceMs: number): Promise<void> {
  if (await ended(ref, "SIGTERM", graceMs)) return;
  if (await ended(ref, "SIGKILL", killGraceMs)) return;
  throw new Error(`process ${ref.pid} does not end`);
}

/** Writes all input of a new process. If it ends without reading it, its exit code shows that. */
export function feed(input: Writable | null, text: string): void {
  input?.on("error", () => {});
  input?.end(text);
}

async function ended(ref: ProcessRef, signal: NodeJS.Signals, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  if (isRunning(ref)) send(ref.pid, signal);
  while (isRunning(ref)) {
    if (performance.now() > deadline) return false;
    await delay(pollMs);
  }
  return true;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It may have ended since it was read.
    if (findProcess(pid) !== undefined) throw error;
  }
}

interface ProcessStatus {
  readonly state: string;
  readonly start: string;
}

function readProc(pid: number): ProcessStatus | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // State and start are fields 3 and 22; field 2, the name in parentheses, may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", start: fields[19] ?? "" };
}

function readPs(pid: number): ProcessStatus | undefined {
  // The same text for the same moment, in every language and time zone.
  const ps = ["LC_ALL=C", "TZ=UTC0", "ps", "-o", "state=,lstart=", "-p", String(pid)];
  const { stdout } = spawnSync("env", ps, { encoding: "utf8" });
  const [state, ...start] = (stdout ?? "").trim().split(/\s+/);
  return state ? { state, start: start.join(" ") } : undefined;
}
