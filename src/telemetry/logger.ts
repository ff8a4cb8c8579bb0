// The log: JSON lines on stdout, with limits of their number. Nothing secret or personal is logged: see
// calls.ts and background.ts.
import { type DestinationStream, type Logger, pino } from "pino";
import type { Config } from "../config.ts";
import type { MonotonicClock } from "../kernel/environment.ts";
import { releaseVersion } from "../kernel/release.ts";
import { RateLimit } from "../limits/rate-limit.ts";

export type { Logger };

/**
 * A logger at the configured level.
 * @param destination stdout unless given
 * @param worker number of this process among those that share the ports; undefined if it is alone
 */
export function createLogger(level: Config["LOG_LEVEL"], destination?: DestinationStream, worker?: number): Logger {
  const options = {
    level,
    base: { version: releaseVersion, ...(worker === undefined ? {} : { worker }) },
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: toSafeError },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/**
 * An error as it is logged. Messages of the database driver hold SQL and values, and messages of parsers hold
 * what they parsed; name, code and place in our code are enough to find a defect.
 */
function toSafeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, stack = "" } = error;
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return { type: name, code, at: frames.slice(0, 8).map((frame) => frame.trim()) };
}

/** The lines of each kind that are written in a second. */
const linesPerSecond = { requests: 20, seconds: 1 };

/** The lines of this second, counted for each kind of them: as many as there are outcomes of calls and requests. */
export class LogRateLimit {
  readonly #written: RateLimit;
  readonly #unlogged = new Map<string, number>();

  constructor(now: MonotonicClock) {
    this.#written = new RateLimit(linesPerSecond, now);
  }

  /** The number of lines of the kind dropped since the last one; undefined if this one must be dropped too. */
  take(kind: string): number | undefined {
    const unloggedCount = this.#unlogged.get(kind) ?? 0;
    const isWritten = this.#written.count(kind);
    this.#unlogged.set(kind, isWritten ? 0 : unloggedCount + 1);
    return isWritten ? unloggedCount : undefined;
  }
}
