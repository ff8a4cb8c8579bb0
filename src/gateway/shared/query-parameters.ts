// Query parameters: those that an operation does not document are refused, as unknown members of a body are.
import type { FastifyRequest } from "fastify";
import { Refusal } from "../../kernel/errors/refusal.ts";

interface DocumentedQuery {
  readonly properties: Readonly<Record<string, unknown>>;
}

/**
 * Throws `malformed_request` for a query that cannot be decoded, which the parser would take as it stands, and
 * `invalid_request` for a parameter that the route's schema does not name. Routes whose schema has no
 * `querystring` take any: of OAuth endpoints RFC 6749 section 3.2 demands it.
 */
export function requireKnownParameters({ query, routeOptions, url }: FastifyRequest): void {
  requireDecodable(url);
  const documented = routeOptions.schema?.querystring as DocumentedQuery | undefined;
  if (documented === undefined) return;
  const known = Object.keys(documented.properties);
  if (Object.keys(query as object).every((name) => known.includes(name))) return;
  const detail = known.length === 0 ? "There are none here; remove them." : `There are: ${known.join(", ")}.`;
  throw new Refusal("invalid_request", "The request has a query parameter that is unknown.", {
    violations: [{ path: [], code: "unknown_parameter", detail }],
  });
}

function requireDecodable(url: string): void {
  const begin = url.indexOf("?");
  if (begin < 0 || !url.includes("%", begin)) return;
  try {
    decodeURIComponent(url.slice(begin));
  } catch {
    throw new Refusal("malformed_request", "The URL cannot be decoded.");
  }
}
