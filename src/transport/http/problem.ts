// Problem details (RFC 9457): the one shape of every error on the HTTP port.

import { ProblemSchema } from "../../gen/assessment/v1/errors_pb.ts";
import { details } from "../../kernel/errors/details.ts";
import { getErrorRow } from "../../kernel/errors/error-table.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { formatPointer, summarise, type Violation } from "../../kernel/errors/violation.ts";

/** Most violations in a problem. */
const maxViolations = 50;
const unavailableRetryAfterSeconds = 1;
const realm = 'Bearer realm="partner-assessment-service"';

/** A refusal as a response of the HTTP port; the body is JSON text. */
export interface ProblemResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function toProblem(refusal: Refusal, publicUrl: string, requestId: string): ProblemResponse {
  const { code, violations, isTruncated, facts } = refusal;
  const { title, httpStatus: status = 500 } = getErrorRow(code);
  const body = JSON.stringify({
    type: `${publicUrl}/problems/${code}`,
    title,
    status,
    code,
    detail: summarise(refusal, details.invalid_request, formatPlace),
    requestId,
    ...toMembers(facts),
    ...(violations.length > 0 ? { errors: violations.slice(0, maxViolations).map(toProblemError) } : {}),
    ...(isTruncated || violations.length > maxViolations ? { errorsTruncated: true } : {}),
  });
  return { status, headers: createHeaders(refusal), body };
}

/** The refusal of an unknown address. */
export function nothingAtThisAddress(method: string): Refusal {
  const all = "Addresses of the interface begin with /v1/ and do not end with a slash; /docs/interface has them all.";
  return new Refusal("not_found", `There is nothing to ${method} at this address. ${all}`);
}

/** The refusal of a method at an address that has others. */
export function methodNotAllowed(methods: Iterable<string>): Refusal {
  const allow = [...methods].join(", ");
  return new Refusal("method_not_allowed", `Allowed here: ${allow}.`, { facts: { allow } });
}

/** The facts that a problem has members for; a list is separated by commas. */
function toMembers(facts: Refusal["facts"]): object {
  const fields = ProblemSchema.fields.filter(({ localName }) => localName in facts);
  return Object.fromEntries(
    fields.map(({ localName, fieldKind }) => {
      const fact = facts[localName];
      return [localName, fieldKind === "list" ? fact?.split(",").map(Number) : fact];
    }),
  );
}

/** `parameter` is the query parameter, if it is one. */
function toProblemError(violation: Violation): object {
  const { parameter, code, detail } = violation;
  return { pointer: toBodyPointer(violation), ...(parameter ? { parameter } : {}), code, detail };
}

function createHeaders({ code, facts, retryAfterSeconds }: Refusal): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/problem+json",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  };
  const seconds = retryAfterSeconds ?? (code === "unavailable" ? unavailableRetryAfterSeconds : undefined);
  const retryAfter = seconds === undefined ? undefined : String(Math.ceil(seconds));
  if (retryAfter !== undefined) headers["retry-after"] = retryAfter;
  if (code === "method_not_allowed" && facts.allow) headers.allow = facts.allow;
  if (code === "unauthenticated") {
    headers["www-authenticate"] = facts.token === "missing" ? realm : `${realm}, error="invalid_token"`;
  }
  if (code === "permission_denied" && facts.scope) {
    headers["www-authenticate"] = `${realm}, error="insufficient_scope", scope="${facts.scope}"`;
  }
  if (code === "rate_limited" && facts.limit && facts.window) {
    headers["ratelimit-policy"] = `"default";q=${facts.limit};w=${facts.window}`;
    headers.ratelimit = `"default";r=0;t=${retryAfter ?? facts.window}`;
  }
  return headers;
}

/** A JSON pointer to the violation in the body, in its URI fragment form; `#` if it lies outside the body. */
function toBodyPointer({ path, isOutsideBody }: Violation): string {
  return isOutsideBody ? "#" : formatPointer(path);
}

/** A JSON pointer, or the name of a place outside the body. */
function formatPlace(violation: Violation): string {
  const pointer = toBodyPointer(violation);
  return pointer === "#" ? violation.path.join("/") : pointer;
}
