// What a process uses, from Linux's /proc.
import { readFileSync } from "node:fs";

/** The unit of times in /proc on every Linux: USER_HZ. */
const ticksPerSecond = 100;
const userTimeField = 11;

/** CPU seconds of all threads of the process since its start, to a hundredth. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name of the program stands in parentheses and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[userTimeField]) + Number(fields[userTimeField + 1])) / ticksPerSecond;
}

/** Resident memory in bytes. */
export function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  if (kilobytes === undefined) throw new Error(`process ${pid} is not running`);
  return Number(kilobytes) * 1024;
}
