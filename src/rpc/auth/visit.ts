// Who answers on the hosted pages: the one place where a visit's token becomes the session that it is for.
import type { Deadline } from "../../domain/environment.ts";
import { DomainError, notFound } from "../../domain/errors.ts";
import { sessionOfVisit, type VisitDeps } from "../../domain/hosted/hosted-sessions.ts";
import { networkOf } from "../limits/network.ts";
import type { RateLimits } from "../limits/rate-limits.ts";

export interface VisitAuthenticationDeps extends Pick<VisitDeps, "hosted" | "clock"> {
  readonly limits: Pick<RateLimits, "addresses" | "hostedSessions">;
}

export interface VisitCredential {
  readonly token: string | undefined;
  /** The caller's network address. */
  readonly address: string;
  /** The session that the request names. */
  readonly sessionId: string | undefined;
}

/**
 * Admits a call on the one session of the visit, and counts it.
 * @returns the session's id
 * Throws `unauthenticated`, `not_found` (the request names another session), `rate_limited`.
 */
export async function admitVisit(
  deps: VisitAuthenticationDeps,
  { token, address, sessionId }: VisitCredential,
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
  if (sessionId !== visited) throw notFound();
  return visited;
}
