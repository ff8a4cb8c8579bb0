// Who answers on the hosted pages: the one place where a visit's token becomes the session that it is for.
import type { Deadline } from "../../domain/environment.ts";
import { DomainError } from "../../domain/errors.ts";
import { sessionOfVisit, type VisitDeps } from "../../domain/hosted/hosted-sessions.ts";
import { networkOf } from "../limits/network.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import type { Credential } from "./token.ts";

export interface VisitAuthenticationDeps extends Pick<VisitDeps, "hosted" | "clock"> {
  readonly limits: Pick<RateLimits, "addresses" | "hostedSessions">;
}

/**
 * Resolves the token of a visit, and counts the call against its session.
 * @returns the session's id
 * Throws `unauthenticated`, `rate_limited`.
 */
export async function resolveVisit(
  deps: VisitAuthenticationDeps,
  { token, address }: Credential,
  deadline: Deadline,
): Promise<string> {
  const { addresses, hostedSessions } = deps.limits;
  const network = networkOf(address);
  addresses.check(network);
  const visited = token === undefined ? undefined : await sessionOfVisit(deps, token, deadline);
  if (visited === undefined) {
    addresses.consume(network);
    throw new DomainError("unauthenticated", "The visit is unknown or over; opening the link again starts a new one.");
  }
  hostedSessions.consume(visited);
  return visited;
}
