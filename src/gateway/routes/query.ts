// Query parameters.
import type { FastifyRequest } from "fastify";
import { Refusal } from "../../contract/refusal.ts";

/** A truth value, false without the parameter. Throws `invalid_request` for any other word. */
export function truthValueOf(request: FastifyRequest, name: string): boolean {
  const value = (request.query as Readonly<Record<string, unknown>>)[name];
  if (value === undefined || value === "false") return false;
  if (value === "true") return true;
  throw new Refusal("invalid_request", `The query parameter \`${name}\` is not a truth value.`, {
    violations: [{ path: [], code: "unknown_value", detail: "Must be one of: true, false." }],
  });
}

/** A text, undefined without the parameter. Throws `invalid_request` where it is given twice. */
export function textOf(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Readonly<Record<string, unknown>>)[name];
  if (value === undefined || typeof value === "string") return value;
  throw new Refusal("invalid_request", `The query parameter \`${name}\` is given more than once.`, {
    violations: [{ path: [], code: "too_many_items", detail: "Must be given once." }],
  });
}
