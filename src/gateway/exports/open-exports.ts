// Limits how many exports are sent at a time, and how long.
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Core } from "../../kernel/calls/core.ts";
import { createYield } from "../../kernel/calls/yield.ts";
import { backgroundTimers, type Timers } from "../../kernel/environment.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { type Caller, toNetworkCaller } from "../../kernel/limits/caller.ts";
import { Semaphore } from "../../kernel/limits/semaphore.ts";
import { findRecord } from "../../transport/http/request-record.ts";
import { type ExportPage, type ExportText, exportText, maxDuration, type ReadPage } from "./export-stream.ts";

/** Extra time for a reader to take the last pages. */
const graceMs = 30_000;
/** Responses at a time: of a process, of a partner, and of a client. */
const limits = { slots: 16, slotsOfPartner: 8, slotsOfClient: 4 };
const retryAfterSeconds = 5;

export class OpenExports {
  readonly #timers: Timers;
  readonly #slots = new Semaphore(limits, () => {
    const detail = "Too many exports are running. Try again in five seconds.";
    return new Refusal("unavailable", detail, { retryAfterSeconds });
  });

  constructor(timers: Timers = backgroundTimers) {
    this.#timers = timers;
  }

  /** The text as a body that ends if nobody reads it in this time. Throws `unavailable` if too many are open. */
  async body(caller: Caller, text: AsyncIterable<string>, maxMs: number): Promise<Readable> {
    const slot = await this.#slots.take(caller);
    const body = Readable.from(text, { objectMode: false });
    const cancel = this.#timers.after(maxMs + graceMs, () => body.destroy());
    body.once("close", () => {
      cancel();
      slot[Symbol.dispose]();
    });
    return body;
  }
}

export interface Export<S> {
  readonly first: ExportPage<S>;
  readonly read: ReadPage<S>;
  readonly text: ExportText<S>;
}

/**
 * Sends an export while its pages are read. HEAD gets only the headers; the rest is not read. Throws `unavailable` if too
 * many are open.
 */
export async function sendExport<S>(
  { core, open }: { readonly core: Core; readonly open: OpenExports },
  request: FastifyRequest,
  reply: FastifyReply,
  { first, read, text }: Export<S>,
): Promise<FastifyReply> {
  reply.header("cache-control", "no-store");
  if (request.method === "HEAD") return reply.send();
  const time = {
    now: () => performance.now(),
    wait: setTimeout,
    yieldToCalls: createYield(() => core.isServing?.() ?? false),
  };
  const caller = findRecord(request.raw).facts?.caller ?? toNetworkCaller(request.callerAddress);
  return reply.send(await open.body(caller, exportText(first, read, text, time), maxDuration(text)));
}
