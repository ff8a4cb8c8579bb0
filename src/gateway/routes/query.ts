// Parameters of the query.
import type { FastifyRequest } from "fastify";
import { invalidRequest } from "../../contract/refusal.ts";

/** The one value of a parameter; undefined if it is not given. Throws `invalid_request` if it is given twice. */
export function queryWord(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Readonly<Record<string, string | string[] | undefined>>)[name];
  if (!Array.isArray(value)) return value;
  const detail = `The query parameter ${name} can be given once.`;
  throw invalidRequest([{ path: [], code: "too_many_items", detail }]);
}
