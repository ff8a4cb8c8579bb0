// The thread that PDF and PNG are made in, so that nobody else waits for them.
import { extname } from "node:path";
import { Piscina } from "piscina";
import { Refusal } from "../../../kernel/errors/refusal.ts";
import { quickSlot, type RenderingSlot, renderingUnavailable } from "../report/rendering.ts";
import { FairTurns } from "./fair-turns.ts";
import type { RenderingTask } from "./rendering.ts";
import type { RenderingOutcome } from "./worker.ts";

export interface ThreadLimits {
  /** Tasks that wait while one runs. */
  readonly queue: number;
  /** From asking to having, in milliseconds; a task that is under way then is ended with its thread. */
  readonly taskMs: number;
  /** A thread without tasks ends after this. */
  readonly idleMs: number;
  readonly oldSpaceMb: number;
}

export const threadLimits: ThreadLimits = { queue: 24, taskMs: 10_000, idleMs: 30_000, oldSpaceMb: 128 };

/** Whose turn a task has, and until when. */
export type RenderingTurn = Pick<RenderingSlot, "claimant" | "signal">;

export interface RenderingThread {
  /**
   * Renders a task when its turn comes; unless its signal aborts before that, which no task heeds that has begun.
   * @throws as `ReportRenderer.renderReport`
   */
  readonly render: (task: RenderingTask, turn?: RenderingTurn) => Promise<Uint8Array>;
  readonly close: () => Promise<void>;
}

/**
 * A thread that starts with its first task. The pool is handed one task at a time, for its own queue does not count tasks
 * that have a signal, and forgets those queued after one that was ended (piscina 5.3.2).
 */
export function createRenderingThread(limits: ThreadLimits = threadLimits): RenderingThread {
  const { queue, taskMs, idleMs, oldSpaceMb } = limits;
  const pool = new Piscina<RenderingTask, RenderingOutcome>({
    filename: new URL(`./worker${extname(import.meta.filename)}`, import.meta.url).href,
    name: "renderTask",
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleMs,
    resourceLimits: { maxOldGenerationSizeMb: oldSpaceMb },
    // Nothing of the environment is any business of a drawing.
    env: {},
  });
  // A thread that is lost fails its task, which is where that is dealt with.
  pool.on("error", () => undefined);
  const waiting = new FairTurns<() => Promise<void>>();
  const state = { taken: 0, isClosed: false, isRunning: false };

  const run = async (task: RenderingTask, signal: AbortSignal): Promise<RenderingOutcome> => {
    if (state.isClosed || signal.aborted) throw renderingUnavailable(state.isClosed ? "stopped" : "timeout");
    try {
      return await pool.run(task, { signal });
    } catch (error) {
      throw asUnavailable(error, signal.aborted, state.isClosed);
    }
  };

  const runAll = async (): Promise<void> => {
    if (state.isRunning) return;
    state.isRunning = true;
    for (let next = waiting.next(); next !== undefined; next = waiting.next()) await next();
    state.isRunning = false;
  };

  /** The outcome of a task that is run in its turn. */
  const inTurn = (task: RenderingTask, { claimant, signal }: RenderingTurn, limit: AbortSignal) =>
    new Promise<RenderingOutcome>((resolve, reject) => {
      const begin = async () => {
        signal.removeEventListener("abort", leave);
        const outcome = run(task, limit).finally(() => {
          state.taken -= 1;
        });
        await outcome.then(resolve, reject);
      };
      const leave = () => {
        waiting.remove(claimant, begin);
        state.taken -= 1;
        reject(renderingUnavailable("queue_full"));
      };
      if (signal.aborted) return leave();
      signal.addEventListener("abort", leave, { once: true });
      waiting.add(claimant, begin);
      void runAll();
    });

  return {
    async render(task, turn = quickSlot) {
      if (state.isClosed) throw renderingUnavailable("stopped");
      if (state.taken > queue) throw renderingUnavailable("queue_full");
      state.taken += 1;
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(), taskMs);
      try {
        return bodyOf(await inTurn(task, turn, limit.signal));
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      state.isClosed = true;
      await pool.destroy();
    },
  };
}

function bodyOf(outcome: RenderingOutcome): Uint8Array {
  if (outcome.kind === "refused") throw new Refusal(outcome.code, outcome.detail);
  return outcome.body;
}

/** What the pool reports, by what it means; any other error is a defect and stays what it is. */
function asUnavailable(error: unknown, isLate: boolean, isClosed: boolean): unknown {
  if (isClosed) return renderingUnavailable("stopped");
  if (isLate) return renderingUnavailable("timeout");
  const { message = "", code = "" } = error instanceof Error ? (error as Error & { code?: string }) : {};
  const isLost = code === "ERR_WORKER_OUT_OF_MEMORY" || message === "Terminating worker thread";
  return isLost ? renderingUnavailable("thread_lost") : error;
}
