// Path parameters.
import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../http/problem.ts";
import { products } from "../schemas/requests.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A hook that answers 404 to an unknown product and to an id that is none, before the body is read. */
export function requireKnownPath(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const { product, id } = request.params as { product?: string; id?: string };
  const isKnown = (products as readonly (string | undefined)[]).includes(product);
  if (isKnown && (id === undefined || uuid.test(id))) done();
  else done(new Problem("not_found", "There is nothing here that this caller may see."));
}

export function productOf(request: FastifyRequest): string {
  return (request.params as { product: string }).product;
}

export function sessionIdOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id;
}

export function externalIdOf(request: FastifyRequest): string {
  return (request.params as { externalId: string }).externalId;
}
