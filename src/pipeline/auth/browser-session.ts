// Resolves the tokens of browser sessions: those of hosted pages and those of reports.

import { isWellFormedSecret, nameOfSecret } from "../../domain/identity/secrets.ts";
import type { SessionName } from "../../domain/sessions/session.ts";
import type { Clock, Deadline } from "../../kernel/environment.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import type { HostedStore } from "../../store/hosted/hosted-store.ts";
import type { ReportAccessStore, ReportBrowserSession } from "../../store/reports/report-access-store.ts";
import type { Credential, RateLimits } from "./token.ts";
export interface BrowserAuthenticationDeps {
  readonly hosted: Pick<HostedStore, "findBrowserSession">;
  readonly clock: Clock;
  readonly reportAccess: Pick<ReportAccessStore, "findBrowserSession">;
  readonly limits: Pick<RateLimits, "strangers" | "hostedSessions">;
}

/**
 * Resolves the token of a browser session of a report, and counts the call against its session.
 * Throws `unauthenticated`, `rate_limited`.
 */
export function resolveReportBrowserSession(
  deps: BrowserAuthenticationDeps,
  credential: Credential,
  deadline: Deadline,
): Promise<ReportBrowserSession> {
  return resolveCounted(deps, credential, (token) => findReportBrowserSession(deps, token, deadline));
}

/**
 * Resolves the token of a browser session, and counts the call against its session.
 * @returns the session that the token reaches
 * Throws `unauthenticated`, `rate_limited`.
 */
export async function resolveBrowserSession(
  deps: BrowserAuthenticationDeps,
  credential: Credential,
  deadline: Deadline,
): Promise<SessionName> {
  const { sessionName } = await resolveCounted(deps, credential, async (token) => {
    const sessionName = await sessionOfBrowser(deps, token, deadline);
    return sessionName && { sessionId: sessionName.id, sessionName };
  });
  return sessionName;
}

/** Looks a token up. Refused tokens count against the address, calls against the session. */
async function resolveCounted<V extends { readonly sessionId: string }>(
  { limits: { strangers, hostedSessions } }: BrowserAuthenticationDeps,
  { token, address }: Credential,
  find: (token: string) => Promise<V | undefined>,
): Promise<V> {
  strangers.check(address, token);
  const found = token === undefined ? undefined : await find(token);
  if (token === undefined || found === undefined) {
    strangers.refuse(address, token);
    throw new Refusal(
      "unauthenticated",
      "The browser session is unknown or over; opening the link again starts a new one.",
    );
  }
  strangers.prove(token);
  hostedSessions.consume(found.sessionId);
  return found;
}

/**
 * Looks a link up by its token. Refused tokens count against the address, openings against the session.
 * Throws what `find` throws, and `rate_limited`.
 */
export async function findCountedLink<L extends { readonly sessionId: string }>(
  { limits: { strangers, hostedSessions } }: Pick<BrowserAuthenticationDeps, "limits">,
  address: string,
  find: () => Promise<L>,
): Promise<L> {
  strangers.check(address);
  try {
    const link = await find();
    hostedSessions.consume(link.sessionId);
    return link;
  } catch (error) {
    if (error instanceof Refusal && error.code === "not_found") strangers.refuse(address);
    throw error;
  }
}

/** The session that a browser session's token reaches; undefined if the token is unknown or has expired. */
export async function sessionOfBrowser(
  { hosted, clock }: BrowserAuthenticationDeps,
  visitToken: string,
  { signal }: Deadline,
): Promise<SessionName | undefined> {
  if (!isWellFormedSecret("hostedBrowserSession", visitToken)) return undefined;
  const browserSession = await hosted.findBrowserSession(nameOfSecret("hostedBrowserSession", visitToken), signal);
  if (browserSession === undefined || browserSession.expiresAt.getTime() <= clock()) return undefined;
  return { partnerId: browserSession.partnerId, id: browserSession.sessionId };
}

/** The browser session of a token; undefined if the token is unknown or has expired. */
export async function findReportBrowserSession(
  { reportAccess, clock }: BrowserAuthenticationDeps,
  visitToken: string,
  { signal }: Deadline,
): Promise<ReportBrowserSession | undefined> {
  if (!isWellFormedSecret("reportBrowserSession", visitToken)) return undefined;
  const browserSession = await reportAccess.findBrowserSession(
    nameOfSecret("reportBrowserSession", visitToken),
    signal,
  );
  return browserSession === undefined || browserSession.expiresAt.getTime() <= clock() ? undefined : browserSession;
}
