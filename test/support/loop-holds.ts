// How long the event loops of processes are held, asked from outside (see loop-watch.ts).
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Environment } from "./command.ts";

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
    return { LOOP_WATCH_SOCKET: socket, NODE_OPTIONS: "--import=./test/support/loop-watch.ts" };
  }

  /** The longest hold of any watched process since this was last asked, in milliseconds of processor time. */
  async longestMs(): Promise<number> {
    const holds = await Promise.all(this.#sockets.map(async (path) => Number(await text(connect(path)))));
    return Math.max(...holds);
  }

  end(): Promise<void> {
    return rm(this.#folder, { recursive: true });
  }
}
