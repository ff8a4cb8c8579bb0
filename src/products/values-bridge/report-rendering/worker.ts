// The entry of a rendering thread. Refusals are returned, since a thrown one would lose its code between threads.
import { readlinkSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ErrorCode } from "../../../kernel/errors/error-table.ts";
import { Refusal } from "../../../kernel/errors/refusal.ts";
import { createRendering, type RenderingTask } from "./render-task.ts";

export type RenderingOutcome =
  | { readonly kind: "rendered"; readonly body: Uint8Array }
  | { readonly kind: "refused"; readonly code: ErrorCode; readonly detail: string };

/** The thread gets a quarter of a busy processor (sched(7)), enough for a full queue. */
const niceness = 5;

lowerPriority();
const render = createRendering();

/** Renders one task. Piscina calls it by its name. */
export async function renderTask(task: RenderingTask): Promise<RenderingOutcome> {
  // Finalizers of native memory run only between turns, and Node can deliver a thousand messages in one turn.
  await nextTurn();
  try {
    return { kind: "rendered", body: await render(task) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { kind: "refused", code: error.code, detail: error.message };
  } finally {
    // After the result is sent: V8 does not know that small objects of this task own megabytes of native memory.
    setImmediate(() => globalThis.gc?.());
  }
}

/** Lowers the priority of this thread. Only Linux has priorities of threads; elsewhere nothing happens. */
function lowerPriority(): void {
  const thread = readThreadId();
  if (thread === undefined) return;
  try {
    // Relative to the process, whose priority may be low already.
    setPriority(thread, Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceness));
  } catch {
    // A sandbox may forbid it.
  }
}

/** From `/proc/thread-self`, a link to `PID/task/TID`; undefined on other systems. */
function readThreadId(): number | undefined {
  try {
    const [, id] = /^\d+\/task\/(\d+)$/.exec(readlinkSync("/proc/thread-self")) ?? [];
    return id === undefined ? undefined : Number(id);
  } catch {
    return undefined;
  }
}
