// Routes that are served in their first hook, before Fastify would look at the body.
import type { FastifyReply, FastifyRequest } from "fastify";

/** The handler of such a route. */
export function unreached(): never {
  throw new Error("a request was served twice");
}

/** Ends a request whose caller has left: there is nobody to answer. */
export function drop(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack();
  request.raw.destroy();
  return reply;
}
