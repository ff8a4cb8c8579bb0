// Resolves the tokens that people have: of links, and of the browser sessions that links open.

import { type PersonSecretKind, parseSecretKey, readPartnerId, type SecretKey } from "../../domain/identity/secrets.ts";
import type { SessionKey } from "../../domain/sessions/session.ts";
import { toNetwork } from "../../kernel/calls/core.ts";
import type { Clock, Deadline } from "../../kernel/environment.ts";
import { details } from "../../kernel/errors/details.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import type { BrandingStore } from "../../store/hosted/branding-store.ts";
import type { Link } from "../../store/hosted/hosted-store.ts";
import type { PipelineCall } from "../call.ts";
import type { RateLimits } from "./token.ts";

export interface BrowserAuthenticationDeps {
  readonly clock: Clock;
  readonly limits: Pick<RateLimits, "unauthenticatedCallers" | "hostedSessions">;
  readonly brandings: Pick<BrandingStore, "findBranding">;
  readonly sessions: {
    readonly findSession: (session: SessionKey, signal: AbortSignal) => Promise<{ locale: string | null } | undefined>;
  };
}

/** The links, or the browser sessions, of hosted sessions or of reports. */
export interface PersonSecrets<L extends Link> {
  readonly kind: PersonSecretKind;
  readonly find: (secret: SecretKey, signal: AbortSignal) => Promise<L | undefined>;
}

/** Finds a browser session, in a slot. Made-up tokens count against the address. Throws `unauthenticated`, `rate_limited`. */
export async function resolveBrowserSession<L extends Link>(
  deps: BrowserAuthenticationDeps,
  { kind, find }: PersonSecrets<L>,
  { token = "", address }: { readonly token: string | undefined; readonly address: string },
  inSlot: (lookUp: (deadline: Deadline) => Promise<L>) => Promise<L>,
): Promise<L> {
  const { unauthenticatedCallers, hostedSessions } = deps.limits;
  const detail = "The browser session is unknown or over; opening the link again starts a new one.";
  if (unauthenticatedCallers.countIfMadeUp(address, kind, token)) throw new Refusal("unauthenticated", detail);
  const browserSession = await inSlot(async (deadline) => {
    const key = parseSecretKey(kind, token);
    const row = await find(key, deadline.signal);
    if (row !== undefined && row.expiresAt.getTime() > deps.clock()) return row;
    throw new Refusal("unauthenticated", detail, { metadata: await readAppearance(deps, key.partnerId, deadline) });
  });
  unauthenticatedCallers.markValid(token);
  hostedSessions.consume(browserSession.sessionId);
  return browserSession;
}

/** A link with its language, if that is known. */
type LocalizedLink = Link & { readonly locale?: string | null };

/** Finds a link. Throws `rate_limited`, and `not_found`, marked as expired for a token that was valid once. */
export async function resolveLink<L extends LocalizedLink>(
  deps: BrowserAuthenticationDeps,
  { kind, find }: PersonSecrets<L>,
  token: string,
  call: Pick<PipelineCall, "signal" | "endsAt" | "origin">,
): Promise<L> {
  const { address } = call.origin;
  const { unauthenticatedCallers, hostedSessions } = deps.limits;
  if (unauthenticatedCallers.countIfMadeUp(address, kind, token)) {
    const metadata = await readAppearance(deps, readPartnerId(kind, token), call);
    throw new Refusal("not_found", details.not_found, { metadata });
  }
  const key = parseSecretKey(kind, token);
  const link = await find(key, call.signal);
  // A mistyped token fails the checksum: a token that passes it, but is not stored, was valid once.
  if (link === undefined || link.expiresAt.getTime() <= deps.clock())
    throw await linkExpiredError(deps, link ?? key, call);
  // Viewers of shared pictures have a limit of their own, for each network.
  hostedSessions.consume(kind === "reportCard" ? `${link.partnerId} ${toNetwork(address)}` : link.sessionId);
  return link;
}

/** The error for a link that was valid once. @param link the partner alone, if the link is not stored any more */
export async function linkExpiredError(
  deps: Pick<BrowserAuthenticationDeps, "brandings" | "sessions">,
  { partnerId, sessionId, locale = null }: Pick<Link, "partnerId"> & Partial<LocalizedLink>,
  deadline: Deadline,
): Promise<Refusal> {
  const key = locale === null && sessionId !== undefined && { partnerId, id: sessionId };
  const session = key ? await deps.sessions.findSession(key, deadline.signal) : undefined;
  const appearance = await readAppearance(deps, partnerId, deadline, locale ?? session?.locale);
  const metadata = { link: "expired", ...appearance };
  return new Refusal("not_found", "This link does not work any more.", { metadata });
}

/** The look of an error's page: that of all pages of the partner. @param locale of the link, if it is known */
async function readAppearance(
  { brandings }: Pick<BrowserAuthenticationDeps, "brandings">,
  partnerId: string | undefined,
  { signal }: Deadline,
  locale: string | null = null,
): Promise<Record<string, string>> {
  if (partnerId === undefined) return {};
  const { displayName, accentColor, logoUrl } = await brandings.findBranding(partnerId, signal);
  // An image within its URL is too large for an error; the name stands for it.
  const fetchedLogoUrl = logoUrl?.startsWith("https:") ? logoUrl : null;
  const appearance = { displayName, accentColor, logoUrl: fetchedLogoUrl, locale };
  return Object.fromEntries(
    Object.entries(appearance).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}
