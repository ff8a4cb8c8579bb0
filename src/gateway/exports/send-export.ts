// How an export is sent: its first page has been read, so that nothing but the rest of it can go wrong.
import { setTimeout } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { yielding } from "../../kernel/calls/yield.ts";
import { recordOf } from "../../transport/http/request-record.ts";
import type { CoreClient } from "../shared/client.ts";
import { type ExportPage, type ExportText, exportText, type ReadPage } from "./export-stream.ts";
import type { OpenExports } from "./open-exports.ts";

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
  return reply.send(open.body(recordOf(request.raw).clientId ?? "", exportText(first, read, text, time)));
}
