// Helpers of routes whose first hook answers, before Fastify reads the body.
import type { FastifyReply, FastifyRequest } from "fastify";

/** Their handler, which Fastify requires. */
export function neverCalled(): never {
  throw new Error("the hook of the route has not answered");
}

/** Closes the connection of a request whose caller has left. */
export function drop(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack();
  request.raw.destroy();
  return reply;
}
