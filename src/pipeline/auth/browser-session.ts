// Resolves the tokens that people have: of links, and of the browser sessions that links open.

import { nameOfSecret, type PersonSecretKind, type SecretName } from "../../domain/identity/secrets.ts";
import type { Clock, Deadline } from "../../kernel/environment.ts";
import { notFound, Refusal } from "../../kernel/errors/refusal.ts";
import type { Link } from "../../store/hosted/hosted-store.ts";
import type { Credential, RateLimits } from "./token.ts";

export interface BrowserAuthenticationDeps {
  readonly clock: Clock;
  readonly limits: Pick<RateLimits, "unauthenticatedCallers" | "hostedSessions">;
}

/** Where the links, or the browser sessions, of hosted sessions or of reports are found. */
export interface PersonSecrets<L extends Link> {
  readonly kind: PersonSecretKind;
  readonly find: (secret: SecretName, signal: AbortSignal) => Promise<L | undefined>;
}

/**
 * Looks up the token of a browser session. Made-up tokens count against the address, calls against the session.
 * Throws `unauthenticated`, `rate_limited`.
 * @param inSlot runs the look-up once a slot is free
 */
export async function resolveBrowserSession<L extends Link>(
  { clock, limits: { unauthenticatedCallers, hostedSessions } }: BrowserAuthenticationDeps,
  { kind, find }: PersonSecrets<L>,
  { token = "", address }: Credential,
  inSlot: (lookUp: (deadline: Deadline) => Promise<L | undefined>) => Promise<L | undefined>,
): Promise<L> {
  const isMadeUp = unauthenticatedCallers.isMadeUp(address, kind, token);
  const browserSession = isMadeUp ? undefined : await inSlot(({ signal }) => find(nameOfSecret(kind, token), signal));
  if (browserSession === undefined || browserSession.expiresAt.getTime() <= clock()) {
    const detail = "The browser session is unknown or over; opening the link again starts a new one.";
    throw new Refusal("unauthenticated", detail);
  }
  unauthenticatedCallers.markValid(token);
  hostedSessions.consume(browserSession.sessionId);
  return browserSession;
}

/**
 * Looks up the token of a link. Made-up tokens count against the address, openings against the session.
 * Throws `rate_limited`, and `not_found`, marked as expired for a token that was valid once.
 */
export async function resolveLink<L extends Link>(
  { clock, limits: { unauthenticatedCallers, hostedSessions } }: BrowserAuthenticationDeps,
  { kind, find }: PersonSecrets<L>,
  { token, address }: { readonly token: string; readonly address: string },
  { signal }: Deadline,
): Promise<L> {
  if (unauthenticatedCallers.isMadeUp(address, kind, token)) throw notFound();
  const link = await find(nameOfSecret(kind, token), signal);
  // A mistyped token fails the checksum: a token that passes it, but is not stored, was valid once.
  if (link === undefined || link.expiresAt.getTime() <= clock()) throw linkEnded();
  // Strangers who look at a picture do not use up what its person may call.
  hostedSessions.consume(kind === "reportCard" ? `card ${link.sessionId}` : link.sessionId);
  return link;
}

/** The error for a link that was valid once. */
export function linkEnded(): Refusal {
  return new Refusal("not_found", "This link does not work any more.", { facts: { link: "expired" } });
}
