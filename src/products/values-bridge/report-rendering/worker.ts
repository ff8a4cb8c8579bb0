// The entry of a rendering thread. A refusal is returned: thrown, it would lose its code between threads.
import { readlinkSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ErrorCode } from "../../../kernel/errors/error-table.ts";
import { Refusal } from "../../../kernel/errors/refusal.ts";
import { createRendering, type RenderingTask } from "./render-task.ts";

export type RenderingOutcome =
  | { readonly kind: "rendered"; readonly body: Uint8Array }
  | { readonly kind: "refused"; readonly code: ErrorCode; readonly detail: string };

/** A quarter of a processor that both threads want (sched(7)), so that even a full queue is done in time. */
const niceness = 5;

lowerPriority();
const render = createRendering();

/** Renders one task. Piscina calls the default export, or, as here, the one that its options name. */
export async function renderTask(task: RenderingTask): Promise<RenderingOutcome> {
  // Node hands over up to a thousand messages in one turn, and finalizers of native memory run between turns alone.
  await nextTurn();
  try {
    return { kind: "rendered", body: await render(task) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { kind: "refused", code: error.code, detail: error.message };
  } finally {
    // Once the result is sent: V8 does not know of the megabytes of native memory behind small objects of this task.
    setImmediate(() => globalThis.gc?.());
  }
}

/**
 * Lowers the priority of the calling thread alone, which Linux does for the id of a thread as for that of a process.
 * Elsewhere, and where that is forbidden, the thread keeps its priority.
 */
function lowerPriority(): void {
  const thread = readThreadId();
  if (thread === undefined) return;
  try {
    // A process with a lowered priority has threads with it too.
    setPriority(thread, Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceness));
  } catch {
    // A sandbox may forbid it: reports are still rendered.
  }
}

/** `/proc/thread-self` leads to `PID/task/TID`. Undefined where there is no such thing. */
function readThreadId(): number | undefined {
  try {
    const [, id] = /^\d+\/task\/(\d+)$/.exec(readlinkSync("/proc/thread-self")) ?? [];
    return id === undefined ? undefined : Number(id);
  } catch {
    return undefined;
  }
}
