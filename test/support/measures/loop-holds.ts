// How long the event loops of processes are held, asked from outside (see loop-watch.ts).
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Environment } from "../processes/command.ts";

export class LoopHolds {
  readonly #folder: string;
  readonly #sockets: string[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async prepare(): Promise<LoopHolds> {
    return new LoopHolds(await mkdtemp(join(tmpdir(), "pas-loop-")));
  }

  /** Variables of a process that is to be watched from its start. */
  watchAnother(): Environment {
    const socket = join(this.#folder, String(this.#sockets.length));
    this.#sockets.push(socket);
    return { LOOP_WATCH_SOCKET: socket, NODE_OPTIONS: "--import=./test/support/measures/loop-watch.ts" };
  }

  /** The longest hold of any watched process since this was last asked, in milliseconds of processor time. */
  async longestMs(): Promise<number> {
    return Math.max(...(await Promise.all(this.#sockets.map(async (path) => Number(await text(connect(path)))))));
  }

  end(): Promise<void> {
    return rm(this.#folder, { recursive: true });
  }
}

/** How many times longer this machine takes than the one that the limits were set on. */
export function slowness(): number {
  const quietMs = 6;
  const numbers = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => ({ index })));
  const times = Array.from({ length: 7 }, () => {
    const before = process.threadCpuUsage();
    JSON.parse(numbers);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return (times.toSorted((a, b) => a - b)[3] ?? quietMs) / quietMs;
}
