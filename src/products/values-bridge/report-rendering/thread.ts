// The thread for PDF, PNG and SVG, so that rendering does not block other calls.
import { extname } from "node:path";
import { Piscina } from "piscina";
import { Refusal } from "../../../kernel/errors/refusal.ts";
import { createRenderingUnavailable } from "../report/report-renderer.ts";
import type { RenderingTask } from "./render-task.ts";
import type { RenderingOutcome } from "./worker.ts";

export interface ThreadLimits {
  /** Timeout of one task in milliseconds. The thread ends once it is back in JavaScript. */
  readonly taskMs: number;
  /** A thread without tasks ends after this, in milliseconds. */
  readonly idleMs: number;
  readonly oldSpaceMb: number;
}

export const threadLimits: ThreadLimits = { taskMs: 10_000, idleMs: 30_000, oldSpaceMb: 128 };

export interface RenderingThread {
  /**
   * Renders a task. Only one at a time: if it is aborted, the pool forgets waiting ones (piscina 5.3.2).
   * @throws as `ReportRenderer.renderReport`
   */
  readonly render: (task: RenderingTask) => Promise<Uint8Array>;
  readonly close: () => Promise<void>;
}

/** A thread that starts with its first task. */
export function createRenderingThread(limits: ThreadLimits = threadLimits): RenderingThread {
  const pool = createPool(limits);
  const closing = new AbortController();
  return {
    async render(task) {
      const limit = AbortSignal.timeout(limits.taskMs);
      try {
        closing.signal.throwIfAborted();
        return unwrapBody(await pool.run(task, { signal: limit }));
      } catch (error) {
        if (closing.signal.aborted) throw createRenderingUnavailable("stopped");
        throw limit.aborted ? createRenderingUnavailable("timeout") : toUnavailable(error);
      }
    },
    async close() {
      closing.abort();
      await pool.destroy();
    },
  };
}

function createPool({ idleMs, oldSpaceMb }: ThreadLimits): Piscina<RenderingTask, RenderingOutcome> {
  const pool = new Piscina<RenderingTask, RenderingOutcome>({
    filename: new URL(`./worker${extname(import.meta.filename)}`, import.meta.url).href,
    name: "renderTask",
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleMs,
    // A thread that waits within JavaScript never runs finalizers, which free native memory.
    atomics: "disabled",
    resourceLimits: { maxOldGenerationSizeMb: oldSpaceMb },
    // Rendering needs no environment variables.
    env: {},
  });
  // The error of a lost thread is that of its task.
  pool.on("error", () => undefined);
  return pool;
}

function unwrapBody(outcome: RenderingOutcome): Uint8Array {
  if (outcome.kind === "refused") throw new Refusal(outcome.code, outcome.detail);
  return outcome.body;
}

/** Converts the pool's error for a lost thread. Any other error is a defect. */
function toUnavailable(error: unknown): unknown {
  const { message = "", code = "" } = error instanceof Error ? (error as Error & { code?: string }) : {};
  const isLost = code === "ERR_WORKER_OUT_OF_MEMORY" || message === "Terminating worker thread";
  return isLost ? createRenderingUnavailable("thread_lost") : error;
}
