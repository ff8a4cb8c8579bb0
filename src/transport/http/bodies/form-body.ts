// Bodies of HTML forms.
import type { IncomingMessage } from "node:http";
import type { ReadLimits } from "../../../kernel/calls/core.ts";
import { Refusal } from "../../../kernel/errors/refusal.ts";
import type { BodyBudget } from "../../../kernel/limits/budget.ts";
import { readBody } from "./json-body.ts";

/** The values of a form by name; a list for a name that comes more than once. */
export type Form = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Fields of a form. A page of the service has a dozen. */
const maxFields = 1_100;
const ampersand = 0x26;

/**
 * The fields of a form body; undefined if there is none.
 * Throws `unsupported_media_type`, `malformed_request` (too many fields), and what reading a body throws.
 */
export async function readFormBody(
  request: IncomingMessage,
  limits: ReadLimits,
  budget: BodyBudget,
): Promise<Form | undefined> {
  const { "content-type": type, "content-encoding": coding } = request.headers;
  const essence = /^\s*([^;\s]*)\s*(?:;|$)/.exec(type ?? "")?.[1]?.toLowerCase();
  const body = essence === "application/x-www-form-urlencoded" ? await readBody(request, limits, budget) : undefined;
  if (body === undefined && type === undefined && isWithoutBody(request)) return undefined;
  if (body === undefined || coding !== undefined) {
    throw new Refusal(
      "unsupported_media_type",
      "Send the body as `application/x-www-form-urlencoded`, not as JSON and not compressed.",
    );
  }
  return body.length === 0 ? undefined : parseForm(body);
}

function isWithoutBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0";
}

function parseForm(body: Buffer): Form {
  let fields = 1;
  for (let at = body.indexOf(ampersand); at >= 0; at = body.indexOf(ampersand, at + 1)) {
    fields += 1;
    if (fields > maxFields) throw new Refusal("malformed_request", `A form has at most ${maxFields} fields.`);
  }
  const form: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(body.toString())) {
    const known = form[name];
    form[name] = known === undefined ? value : [...[known].flat(), value];
  }
  return form;
}
