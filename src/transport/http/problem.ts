// Problem details (RFC 9457): the one shape of every error on the HTTP port.

import { ProblemSchema } from "../../gen/assessment/v1/errors_pb.ts";
import { details } from "../../kernel/errors/details.ts";
import { getErrorRow } from "../../kernel/errors/error-table.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { formatPointer, summarizeViolations, type Violation } from "../../kernel/errors/violation.ts";

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
  const { code, violations, isTruncated, metadata } = refusal;
  const { title, httpStatus: status = 500 } = getErrorRow(code);
  const body = JSON.stringify({
    type: `${publicUrl}/problems/${code}`,
    title,
    status,
    code,
    detail: summarizeViolations(refusal, details.invalid_request, formatPlace),
    requestId,
    ...toMembers(metadata),
    ...(violations.length > 0 ? { errors: violations.slice(0, maxViolations).map(toProblemError) } : {}),
    ...(isTruncated || violations.length > maxViolations ? { errorsTruncated: true } : {}),
  });
  return { status, headers: createHeaders(refusal), body };
}

/** The refusal of an unknown address. */
export function unknownAddressError(method: string): Refusal {
  const all = "Addresses of the interface begin with /v1/ and do not end with a slash; /docs/interface has them all.";
  return new Refusal("not_found", `There is nothing to ${method} at this address. ${all}`);
}

/** The refusal of a method at an address that has others. */
export function methodNotAllowedError(methods: Iterable<string>): Refusal {
  const allow = [...methods].join(", ");
  return new Refusal("method_not_allowed", `Allowed here: ${allow}.`, { metadata: { allow } });
}

/** The metadata for which a problem has members; a list is separated by commas. */
function toMembers(metadata: Refusal["metadata"]): object {
  const fields = ProblemSchema.fields.filter(({ localName }) => localName in metadata);
  return Object.fromEntries(
    fields.map(({ localName, fieldKind }) => {
      const fact = metadata[localName];
      return [localName, fieldKind === "list" ? fact?.split(",").map(Number) : fact];
    }),
  );
}

/** `parameter` is the query parameter, if it is one. */
function toProblemError(violation: Violation): object {
  const { parameter, code, detail } = violation;
  return { pointer: toBodyPointer(violation), ...(parameter ? { parameter } : {}), code, detail };
}

function createHeaders({ code, metadata, retryAfterSeconds }: Refusal): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/problem+json",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  };
  const seconds = retryAfterSeconds ?? (code === "unavailable" ? unavailableRetryAfterSeconds : undefined);
  const retryAfter = seconds === undefined ? undefined : String(Math.ceil(seconds));
  if (retryAfter !== undefined) headers["retry-after"] = retryAfter;
  if (code === "method_not_allowed" && metadata.allow) headers.allow = metadata.allow;
  if (code === "unauthenticated") {
    headers["www-authenticate"] = metadata.token === "missing" ? realm : `${realm}, error="invalid_token"`;
  }
  if (code === "permission_denied" && metadata.scope) {
    headers["www-authenticate"] = `${realm}, error="insufficient_scope", scope="${metadata.scope}"`;
  }
  if (code === "rate_limited" && metadata.limit && metadata.window) {
    headers["ratelimit-policy"] = `"default";q=${metadata.limit};w=${metadata.window}`;
    headers.ratelimit = `"default";r=0;t=${retryAfter ?? metadata.window}`;
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
