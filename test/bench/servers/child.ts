// Processes of the bench's own, which answer one request after the other.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

type Answer<T> = { readonly value: T } | { readonly error: string };

export class Child<Request, Reply> {
  readonly #process: ChildProcess;

  /** @param module path of its main module, from the repository's root; @param nodeOptions, variables for the process alone */
  constructor(module: string, nodeOptions: readonly string[] = [], variables: Readonly<Record<string, string>> = {}) {
    const env = { ...process.env, ...variables };
    this.#process = fork(module, { serialization: "advanced", execArgv: [...nodeOptions], env });
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Rejects with what the process threw, or when it ends. */
  async ask(request: Request): Promise<Reply> {
    const abort = new AbortController();
    const { signal } = abort;
    try {
      const nextMessage = once(this.#process, "message", { signal });
      const exit = once(this.#process, "exit", { signal });
      exit.catch(() => undefined);
      nextMessage.catch(() => undefined);
      this.#process.send(request as object);
      const [answer] = (await Promise.race([
        nextMessage,
        exit.then(() => [{ error: `process ${this.pid} ended` }]),
      ])) as [Answer<Reply>];
      if ("error" in answer) throw new Error(answer.error);
      return answer.value;
    } finally {
      abort.abort();
    }
  }

  /** Ends the process, which does so when its parent is gone as well. */
  async stop(): Promise<void> {
    const { exitCode, signalCode, connected } = this.#process;
    if (exitCode !== null || signalCode !== null) return;
    const exit = once(this.#process, "exit");
    if (connected) this.#process.disconnect();
    await exit;
  }
}

/** In such a process: answers every request of the parent by the function. */
export function answerParent<Request, Reply>(answer: (request: Request) => Promise<Reply>): void {
  process.on("disconnect", () => process.exit());
  process.on("message", (request: Request) => {
    answer(request).then(
      (value) => process.send?.({ value }),
      (error: unknown) => process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : "failed" }),
    );
  });
}
