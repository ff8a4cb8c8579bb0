// The priority of a rendering thread: below that of the thread that serves calls, for whom nobody should wait.
import { readlinkSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

/** A quarter of a processor that both threads want (sched(7)), so that even a full queue is done in time. */
const niceness = 5;

/**
 * Lowers the priority of the calling thread alone, which Linux does for the id of a thread as for that of a process.
 * Elsewhere, and where that is forbidden, the thread keeps its priority.
 */
export function giveWay(): void {
  const thread = threadId();
  if (thread === undefined) return;
  try {
    // A process that is nice already has threads that are.
    setPriority(thread, Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceness));
  } catch {
    // A sandbox that forbids it: reports are drawn all the same.
  }
}

/** `/proc/thread-self` leads to `PID/task/TID`. Undefined where there is no such thing. */
function threadId(): number | undefined {
  try {
    const [, id] = /^\d+\/task\/(\d+)$/.exec(readlinkSync("/proc/thread-self")) ?? [];
    return id === undefined ? undefined : Number(id);
  } catch {
    return undefined;
  }
}
