// Path parameters.

import type { FastifyRequest } from "fastify";
import { notFound, unknownProduct } from "../../kernel/errors/refusal.ts";
import { isUuid } from "../../kernel/formats.ts";
import { isProduct } from "../../kernel/products.ts";

/** The product in the path. Throws `not_found` for one that is unknown. */
export function productOf(request: FastifyRequest): string {
  const { product } = request.params as { product: string };
  if (!isProduct(product)) throw unknownProduct();
  return product;
}

/** The session in the path. Throws `not_found` for an unknown product, and for an id that is no UUID. */
export function sessionOf(request: FastifyRequest): { product: string; sessionId: string } {
  const product = productOf(request);
  const { id } = request.params as { id: string };
  if (!isUuid(id)) throw notFound();
  return { product, sessionId: id };
}

/** The webhook endpoint in the path. Throws `not_found` for an id that is no UUID. */
export function endpointOf(request: FastifyRequest): { endpointId: string } {
  const { endpointId } = request.params as { endpointId: string };
  if (!isUuid(endpointId)) throw notFound();
  return { endpointId };
}

/** The group in the path. Throws `not_found` for an id that is no UUID. */
export function groupOf(request: FastifyRequest): { groupId: string } {
  const { groupId } = request.params as { groupId: string };
  if (!isUuid(groupId)) throw notFound();
  return { groupId };
}

/** The person in the path. Throws `not_found` for an unknown product. */
export function subjectOf(request: FastifyRequest): { product: string; externalId: string } {
  const { externalId } = request.params as { externalId: string };
  return { product: productOf(request), externalId };
}
