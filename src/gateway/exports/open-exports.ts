// How exports are sent: how many at a time, and how long a reader may leave one lying.
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ClientSlots } from "../../kernel/calls/client-slots.ts";
import { yielding } from "../../kernel/calls/yield.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { backgroundTimers, type Timers } from "../../kernel/timers.ts";
import { recordOf } from "../../transport/http/request-record.ts";
import type { CoreClient } from "../rest/client.ts";
import { type ExportPage, type ExportText, exportText, maxExportMs, type ReadPage } from "./export-stream.ts";

/** What a reader has beyond the time in which pages are read, for the last of them. */
const graceMs = 30_000;

export class OpenExports {
  readonly #timers: Pick<Timers, "after">;
  readonly #slots = new ClientSlots({ ofAll: 16, ofClient: 4 }, () => {
    const detail = "Too many exports at a time. Try again in some seconds.";
    return new Refusal("unavailable", detail, { retryAfterSeconds: 5 });
  });

  constructor(timers: Pick<Timers, "after"> = backgroundTimers) {
    this.#timers = timers;
  }

  /** The client's text as a body, which ends itself if nobody reads it. Throws `unavailable` if too many are open. */
  body(clientId: string, text: AsyncIterable<string>): Readable {
    const giveBack = this.#slots.take(clientId);
    const body = Readable.from(text, { objectMode: false });
    const keep = this.#timers.after(maxExportMs + graceMs, () => body.destroy());
    body.once("close", () => {
      keep();
      giveBack();
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
 * Sends an export while its pages are read. HEAD gets no more than the head: what it would be told the size of is not
 * read for it. Throws `unavailable` if too many are open.
 */
export function sendExport<S>(
  { client, open }: { readonly client: CoreClient; readonly open: OpenExports },
  request: FastifyRequest,
  reply: FastifyReply,
  { first, read, text }: Export<S>,
): FastifyReply {
  reply.header("cache-control", "no-store");
  if (request.method === "HEAD") return reply.send();
  const time = { now: () => performance.now(), wait: setTimeout, yieldToCalls: yielding(() => client.isServing) };
  return reply.send(open.body(recordOf(request.raw).caller?.client ?? "", exportText(first, read, text, time)));
}
