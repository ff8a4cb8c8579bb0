// Query parameters. A parameter that comes twice is refused.
import type { FastifyRequest } from "fastify";
import { invalidRequest } from "../../contract/refusal.ts";

/** The text of a parameter; undefined if there is none. Throws `invalid_request`. */
export function queryText(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, string | string[] | undefined>)[name];
  if (Array.isArray(value)) throw fault("too_many_items", `The query parameter \`${name}\` may come once.`);
  return value;
}

/** The integer of a parameter within bounds; undefined if there is none. Throws `invalid_request`. */
export function queryInteger(request: FastifyRequest, name: string, least: number, most: number): number | undefined {
  const text = queryText(request, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= least && value <= most) return value;
  throw fault("out_of_range", `The query parameter \`${name}\` is an integer from ${least} to ${most}.`);
}

/** One of some texts; undefined if there is no such parameter. Throws `invalid_request`. */
export function queryChoice<T extends string>(
  request: FastifyRequest,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = queryText(request, name);
  if (text === undefined) return undefined;
  const choice = choices.find((each) => each === text);
  if (choice !== undefined) return choice;
  throw fault("unknown_value", `The query parameter \`${name}\` is one of: ${choices.join(", ")}.`);
}

/** The texts of a parameter that are separated by commas; none if there is no such parameter. */
export function queryList(request: FastifyRequest, name: string): string[] {
  const text = queryText(request, name);
  return text === undefined || text === "" ? [] : text.split(",");
}

function fault(code: string, detail: string) {
  return invalidRequest([{ path: [], code, detail }]);
}
