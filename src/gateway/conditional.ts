// Conditional requests (RFC 9110 section 13) on representations that do not change.

import type { FastifyReply, FastifyRequest } from "fastify";
import { sendJson } from "./route.ts";

/** Sends JSON text under its entity tag, or 304 where the caller has it already. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, json: string, etag: string): FastifyReply {
  reply.header("etag", etag);
  if (isMatch(request.headers["if-none-match"], etag)) return reply.code(304).send();
  return sendJson(reply, json);
}

function isMatch(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false;
  return condition.split(",").some((each) => {
    const tag = each.trim();
    return tag === "*" || tag.replace(/^W\//, "") === etag;
  });
}
