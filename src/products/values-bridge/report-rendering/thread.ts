// The thread for PDF, PNG and SVG, so that rendering does not block other calls.
import { extname } from "node:path";
import { Piscina } from "piscina";
import { Refusal } from "../../../kernel/errors/refusal.ts";
import { createRenderingUnavailable } from "../report/report-renderer.ts";
import type { RenderingTask } from "./render-task.ts";
import type { RenderingOutcome } from "./worker.ts";

export interface ThreadLimits {
  /** Timeout of one task for its caller in milliseconds; the thread is ended as soon as it is back in JavaScript. */
  readonly taskMs: number;
  /** A thread without tasks ends after this. */
  readonly idleMs: number;
  readonly oldSpaceMb: number;
}

export const threadLimits: ThreadLimits = { taskMs: 10_000, idleMs: 30_000, oldSpaceMb: 128 };

export interface RenderingThread {
  /**
   * Renders a task. Callers submit one at a time: the pool forgets those that wait after one that was ended
   * (piscina 5.3.2).
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
    // A thread that waits within JavaScript never runs the finalizers that give native memory back.
    atomics: "disabled",
    resourceLimits: { maxOldGenerationSizeMb: oldSpaceMb },
    // Rendering needs no environment variables.
    env: {},
  });
  // A lost thread fails its task, where the error is handled.
  pool.on("error", () => undefined);
  return pool;
}

function unwrapBody(outcome: RenderingOutcome): Uint8Array {
  if (outcome.kind === "refused") throw new Refusal(outcome.code, outcome.detail);
  return outcome.body;
}

/** Converts the pool's error for a lost thread; any other error is a defect and is unchanged. */
function toUnavailable(error: unknown): unknown {
  const { message = "", code = "" } = error instanceof Error ? (error as Error & { code?: string }) : {};
  const isLost = code === "ERR_WORKER_OUT_OF_MEMORY" || message === "Terminating worker thread";
  return isLost ? createRenderingUnavailable("thread_lost") : error;
}
