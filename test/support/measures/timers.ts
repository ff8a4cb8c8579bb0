// Time that passes when the test says so.
import { setImmediate as yieldToCalls } from "node:timers/promises";
import type { Timers } from "../../../src/jobs/runner.ts";

export interface TestTimers extends Timers {
  /** Lets time pass, in which tasks come one after the other, each at its time. */
  pass(ms: number): Promise<void>;
}

export function newTimers(): TestTimers {
  let now = 0;
  const tasks = new Set<{ readonly at: number; readonly task: () => void }>();
  return {
    now: () => now,
    after(ms, task) {
      const entry = { at: now + ms, task };
      tasks.add(entry);
      return () => void tasks.delete(entry);
    },
    async pass(ms) {
      const end = now + ms;
      for (;;) {
        await yieldToCalls();
        const [next] = [...tasks].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at);
        if (next === undefined) break;
        now = Math.max(now, next.at);
        tasks.delete(next);
        next.task();
      }
      now = end;
    },
  };
}
