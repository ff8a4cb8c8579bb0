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

/** A text, undefined without the parameter. Throws `invalid_request` if it is given twice. */
export function textOf(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Readonly<Record<string, unknown>>)[name];
  if (value === undefined || typeof value === "string") return value;
  throw new Refusal("invalid_request", `The query parameter \`${name}\` is given more than once.`, {
    violations: [{ path: [], code: "too_many_items", detail: "Must be given once." }],
  });
}

/** The version asked for, if one is. Throws `invalid_request` if it is no version number. */
export function versionOf(request: FastifyRequest): { version?: number } {
  const { version } = request.query as { version?: string | string[] };
  if (version === undefined) return {};
  if (typeof version !== "string" || !/^[1-9]\d{0,8}$/.test(version)) {
    throw new Refusal("invalid_request", "The query parameter `version` is not a version.", {
      violations: [{ path: ["version"], code: "out_of_range", detail: "A version is an integer from 1." }],
    });
  }
  return { version: Number(version) };
}
