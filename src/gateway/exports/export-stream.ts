// The response of an export: its pages are fetched as fast as the reader takes them, and no faster. Limits how many exports run at
// a time, and how long.
import { Readable } from "node:stream";
import { setTimeout as pause, setImmediate } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Caller, toNetworkCaller } from "../../kernel/calls/core.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { Semaphore } from "../../limits/semaphore.ts";
import { getRecord } from "../../transport/http/request-record.ts";

/** Limits of one response: the cursor in its last line continues. */
export const maxExportRows = 50_000;
export const maxExportMs = 60_000;
/** CSV has no cursor: one response must hold all sessions, and gets more time. */
export const maxCsvExportMs = 600_000;

/** Sessions that are written before other calls may run: one takes up to a millisecond. */
const sessionsPerChunk = 4;

export interface ExportText<S> {
  /** Text before the first row. */
  readonly head: string;
  row(session: S): string;
  /** Text between two rows. */
  readonly separator: string;
  /** Text after the last row, with the cursor. Undefined: there is no place for one, so a response is whole, or breaks off. */
  readonly tail: ((nextCursor: string, atEnd: boolean) => string) | undefined;
  /** The time in which pages are read. */
  readonly maxMs: number;
}

/** A page as the core returns it. */
interface ExportPage<S> {
  readonly sessions: readonly S[];
  readonly nextCursor: string;
  readonly atEnd: boolean;
}

/** Fetches the page after a cursor. */
type ReadPage<S> = (next: { readonly after: string }) => Promise<ExportPage<S>>;

export interface ExportTime {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  wait(milliseconds: number): Promise<unknown>;
}

/**
 * The text of an export, in chunks of a few sessions. If a page cannot be fetched the export ends, with the cursor before
 * that page: the reader continues from there. Throws if the text has no place for a cursor.
 * @param first the page that was read before the response began
 */
export async function* writeExport<S>(
  first: ExportPage<S>,
  read: ReadPage<S>,
  text: ExportText<S>,
  time: ExportTime,
): AsyncGenerator<string> {
  const { head, row, separator, tail, maxMs } = text;
  const maxRows = tail === undefined ? Number.POSITIVE_INFINITY : maxExportRows;
  const deadline = time.now() + maxMs;
  let chunk = head;
  let rowCount = 0;
  for (let page = first; ; ) {
    for (const session of page.sessions) {
      chunk += (rowCount === 0 ? "" : separator) + row(session);
      rowCount += 1;
      if (rowCount % sessionsPerChunk !== 0) continue;
      yield chunk;
      chunk = "";
      await setImmediate();
    }
    const next = page.atEnd || rowCount >= maxRows ? undefined : await readNext(page.nextCursor, read, time, deadline);
    if (next === undefined) {
      if (tail === undefined && !page.atEnd) {
        throw new Refusal("unavailable", "A page of the export cannot be read.");
      }
      yield chunk + (tail?.(page.nextCursor, page.atEnd) ?? "");
      return;
    }
    page = next;
  }
}

/** The page after a cursor, retried while the core is too busy; undefined if it cannot be read in time. */
async function readNext<S>(after: string, read: ReadPage<S>, { now, wait }: ExportTime, deadline: number) {
  while (now() < deadline) {
    try {
      return await read({ after });
    } catch (error) {
      const { retryAfterSeconds } = error instanceof Refusal ? error : {};
      if (retryAfterSeconds === undefined || now() + retryAfterSeconds * 1000 >= deadline) return undefined;
      await wait(retryAfterSeconds * 1000);
    }
  }
  return undefined;
}

/** Extra time for a reader to take the last pages. */
const graceMs = 30_000;
/** Responses at a time: of a process, of a partner, and of a client. */
const limits = { slots: 16, slotsPerPartner: 8, slotsPerClient: 4 };
const retryAfterSeconds = 5;

export class ExportResponses {
  readonly #slots = new Semaphore(limits, () => {
    const detail = "Too many exports are running. Try again in five seconds.";
    return new Refusal("unavailable", detail, { retryAfterSeconds });
  });

  /** The text as a body that ends if nobody reads it in this time. Throws `unavailable` if too many are open. */
  async createBody(caller: Caller, text: AsyncIterable<string>, maxMs: number): Promise<Readable> {
    const slot = await this.#slots.acquire(caller);
    const body = Readable.from(text, { objectMode: false });
    const timer = setTimeout(() => body.destroy(), maxMs + graceMs).unref();
    body.once("close", () => {
      clearTimeout(timer);
      slot[Symbol.dispose]();
    });
    return body;
  }

  /** Sends an export while its pages are read. HEAD gets only the headers. Throws `unavailable` if too many are open. */
  async send<S>(
    request: FastifyRequest,
    reply: FastifyReply,
    text: ExportText<S>,
    first: ExportPage<S>,
    read: ReadPage<S>,
  ): Promise<FastifyReply> {
    reply.header("cache-control", "no-store");
    if (request.method === "HEAD") return reply.send();
    const time = { now: () => performance.now(), wait: pause };
    const caller = getRecord(request.raw).context?.caller ?? toNetworkCaller(request.callerAddress);
    return reply.send(await this.createBody(caller, writeExport(first, read, text, time), text.maxMs));
  }
}
