// Limits how many exports are sent at a time, and how long a reader may stall.
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Core } from "../../kernel/calls/core.ts";
import { yielding } from "../../kernel/calls/yield.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { type Caller, strangerAt } from "../../kernel/limits/caller.ts";
import { backgroundTimers, type Timers } from "../../kernel/timers.ts";
import { recordOf } from "../../transport/http/request-record.ts";
import { type ExportPage, type ExportText, exportText, maxExportMs, type ReadPage } from "./export-stream.ts";

/** Extra time for a reader to take the last pages. */
const graceMs = 30_000;
/** A reader that has read nothing for this long is closed if another one waits. */
const unreadMs = 5_000;
/** Most responses at a time: of a client, of its partner, and of a process. */
const mostOpen = { client: 4, partner: 8, all: 16 };

interface OpenExport {
  readonly caller: Caller;
  readonly cut: () => void;
  /** Since when a chunk waits to be read, in milliseconds; undefined while the reader waits for one. */
  unreadSince: number | undefined;
}

export class OpenExports {
  readonly #timers: Timers;
  /** The oldest first. */
  readonly #open = new Set<OpenExport>();

  constructor(timers: Timers = backgroundTimers) {
    this.#timers = timers;
  }

  /** The text as a body that ends if nobody reads it. Throws `unavailable` if too many are open. */
  body(caller: Caller, text: AsyncIterable<string>): Readable {
    this.#makeRoom(caller);
    const own: OpenExport = { caller, cut: () => body.destroy(), unreadSince: undefined };
    const body = Readable.from(this.#watched(text, own), { objectMode: false });
    this.#open.add(own);
    const keep = this.#timers.after(maxExportMs + graceMs, own.cut);
    body.once("close", () => {
      keep();
      this.#open.delete(own);
    });
    return body;
  }

  #makeRoom({ partner, client }: Caller): void {
    const all = [...this.#open];
    const ofPartner = all.filter(({ caller }) => caller.partner === partner);
    const isClientFull = ofPartner.filter(({ caller }) => caller.client === client).length >= mostOpen.client;
    const isPartnerFull = ofPartner.length >= mostOpen.partner;
    if (!isClientFull && !isPartnerFull && all.length < mostOpen.all) return;
    const now = this.#timers.now();
    const unread = (isPartnerFull ? ofPartner : all).find(({ unreadSince = now }) => now - unreadSince >= unreadMs);
    if (isClientFull || unread === undefined) {
      const detail = "Too many exports are running. Try again in five seconds.";
      throw new Refusal("unavailable", detail, { retryAfterSeconds: unreadMs / 1000 });
    }
    this.#open.delete(unread);
    unread.cut();
  }

  async *#watched(text: AsyncIterable<string>, own: OpenExport): AsyncGenerator<string> {
    for await (const piece of text) {
      own.unreadSince = this.#timers.now();
      yield piece;
      own.unreadSince = undefined;
    }
    own.unreadSince = this.#timers.now();
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
export function sendExport<S>(
  { core, open }: { readonly core: Core; readonly open: OpenExports },
  request: FastifyRequest,
  reply: FastifyReply,
  { first, read, text }: Export<S>,
): FastifyReply {
  reply.header("cache-control", "no-store");
  if (request.method === "HEAD") return reply.send();
  const time = {
    now: () => performance.now(),
    wait: setTimeout,
    yieldToCalls: yielding(() => core.isServing?.() ?? false),
  };
  return reply.send(
    open.body(
      recordOf(request.raw).facts?.caller ?? strangerAt(request.callerAddress),
      exportText(first, read, text, time),
    ),
  );
}
