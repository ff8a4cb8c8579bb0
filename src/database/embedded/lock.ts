// One process at a time starts or stops the private server of a data folder.
import { randomUUID } from "node:crypto";
import { mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findProcess, thisProcess } from "./process.ts";

const pollMs = 25;
/** Longer than a first start with the download of the server. */
const waitMs = 300_000;

/**
 * Runs `work` while no other process, and no other call in this one, holds the lock `path`, whose folder is made if it
 * is missing. A lock whose holder has died is taken over. Throws when a living holder keeps it for five minutes.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const { pid, start } = thisProcess();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const deadline = performance.now() + waitMs;
  while (!tryTake(path, `${pid}@${start}`)) {
    if (performance.now() > deadline) throw new Error(`another process has held the lock ${path} for five minutes`);
    await delay(pollMs);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** The lock is a symbolic link to nowhere: it is made in one step, and names its holder from the start. */
function tryTake(path: string, holder: string): boolean {
  try {
    symlinkSync(holder, path);
    return true;
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
  }
  const other = unlessGone(() => readlinkSync(path));
  if (other !== undefined && !isHeld(other)) removeStale(path, other);
  return false;
}

function isHeld(holder: string): boolean {
  const [pid, start] = holder.split("@");
  const found = findProcess(Number(pid));
  return found !== undefined && found.start === start;
}

/**
 * Another process may find the same stale lock, remove it and take its own between our read and our removal: so the lock is
 * moved aside first, read again, and put back if it is not the stale one. If a third process gets in between, the servers'
 * own locks on the data folder still let only one of them run.
 */
function removeStale(path: string, stale: string): void {
  const aside = `${path}.${randomUUID()}`;
  unlessGone(() => {
    renameSync(path, aside);
    const moved = readlinkSync(aside);
    unlinkSync(aside);
    if (moved !== stale) symlinkSync(moved, path);
  });
}

function unlessGone<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (isCode(error, "ENOENT") || isCode(error, "EEXIST")) return undefined;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
