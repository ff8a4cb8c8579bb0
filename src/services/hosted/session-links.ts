// Links of hosted sessions, the URLs that partners send to their people; and the browser sessions that links open, those to
// reports included.

import { createPersonSecret, hashSecret, type PersonSecretKind } from "../../domain/identity/secrets.ts";
import { findLinkExpiryViolations } from "../../domain/sessions/expiry.ts";
import type { StoredSession } from "../../domain/sessions/session.ts";
import { computeState, requireAllowed } from "../../domain/sessions/session.ts";
import { dayMs } from "../../kernel/environment.ts";
import { invalidFieldError, notFoundError, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import { linkExpiredError } from "../../pipeline/auth/browser-session.ts";
import type { PipelineCall, SessionCall, SessionTime } from "../../pipeline/call.ts";
import type { ReportBrowserSession } from "../../store/reports/report-access-store.ts";
import type { CallDependencies, Dependencies } from "../dependencies.ts";
import { getSession, type SessionRef } from "../sessions/sessions.ts";

const linkLifetimeMs = 7 * dayMs;
const maxLinksPerSession = 10;

export type SessionLinkDeps = Dependencies & Pick<CallDependencies, "pagesUrl">;

/** Adds a link of a hosted session; above ten, the oldest is removed. @param linkExpiresAt undefined: after seven days */
export async function addSessionLink(
  deps: SessionLinkDeps,
  session: LinkedSession,
  linkExpiresAt: Date | undefined,
  call: SessionCall,
) {
  const { storedLink, link } = createLink(deps, session, linkExpiresAt, call);
  await deps.hosted.addLink(storedLink, maxLinksPerSession, call.signal);
  return link;
}

/**
 * Gives a hosted session a new link, and removes all its other links and the browser sessions that they opened.
 * It is not stored which browser used which link, so the person has to open the new one.
 * Throws `not_found`, `invalid_request`, `hosted_off`, and the errors of the session's state.
 */
export async function replaceSessionLinks(
  deps: SessionLinkDeps,
  ref: SessionRef,
  linkExpiresAt: Date | undefined,
  call: SessionCall,
) {
  deps.pagesUrl();
  const { session } = await getSession(deps, ref, call);
  if (session.mode === "headless") {
    throw invalidFieldError([], "not_applicable", "Only hosted sessions have a link.");
  }
  const now = call.now();
  requireAllowed(computeState(session, now), "link");
  throwIfInvalid(findLinkExpiryViolations(linkExpiresAt, session, now));
  const { storedLink, link } = createLink(deps, session, linkExpiresAt, call);
  if (!(await deps.hosted.replaceLinks(storedLink, call.signal))) throw notFoundError();
  return link;
}

type LinkedSession = Pick<StoredSession, "partnerId" | "id" | "expiresAt">;

/** @returns the link as it is stored, and as its partner sends it to the person, with the time when it or the session expires */
function createLink(
  deps: SessionLinkDeps,
  { partnerId, id: sessionId, expiresAt: end }: LinkedSession,
  linkExpiresAt: Date | undefined,
  { aheadMs }: SessionTime,
) {
  const token = createPersonSecret("hostedLink", deps.random, partnerId);
  const createdAt = new Date(deps.clock());
  // Links go by the service's clock, times in requests and responses by that of the session.
  const linkEnd = linkExpiresAt ?? new Date(createdAt.getTime() + linkLifetimeMs + aheadMs);
  // The link outlives the session: it then shows a message to the person, and works again if the session is reopened.
  const times = { createdAt, expiresAt: new Date(linkEnd.getTime() - aheadMs) };
  const storedLink = { hash: hashSecret(token), partnerId, sessionId, ...times };
  const hostedUrl = `${deps.pagesUrl()}/hosted/${token}`;
  return { storedLink, link: { token, hostedUrl, expiresAt: end !== null && end < linkEnd ? end : linkEnd } };
}

const maxBrowserSessionsPerSession = 50;

/** A browser session to be opened. Hosted sessions have no locale. */
type NewBrowserSession = Omit<ReportBrowserSession, "hash" | "createdAt" | "name" | "day" | "timeZone">;

/** Opens a browser session. Throws `not_found` if the link that opens it, or the offer of the hosted pages, is over. */
export async function openBrowserSession(
  deps: CallDependencies,
  kind: Extract<PersonSecretKind, "hostedBrowserSession" | "reportBrowserSession">,
  openedSession: NewBrowserSession,
  call: PipelineCall,
) {
  const { partnerId, sessionId, expiresAt } = openedSession;
  const { signal } = call;
  const browserSessionToken = createPersonSecret(kind, deps.random, partnerId);
  const browserSession = { ...openedSession, hash: hashSecret(browserSessionToken), createdAt: new Date(deps.clock()) };
  const store = kind === "hostedBrowserSession" ? deps.hosted : deps.reportAccess;
  if (!(await store.addBrowserSession(browserSession, maxBrowserSessionsPerSession, signal))) {
    throw openedSession.linkHash === null ? notFoundError() : await linkExpiredError(deps, openedSession, call);
  }
  deps.limits.unauthenticatedCallers.markValid(browserSessionToken);
  // The sites that may show the partner's pages in a frame.
  const { frameAncestors } = await deps.brandings.findBranding(partnerId, signal);
  return { sessionId, browserSessionToken, expiresAt, frameAncestors };
}
