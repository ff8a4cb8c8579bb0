// Who answers on the hosted pages, or reads a report: the one place where a browser session's token becomes what it is
// for.

import { type BrowserSessionDeps, sessionOfBrowser } from "../../domain/hosted/hosted-sessions.ts";
import type { ReportAccessStore, ReportBrowserSession } from "../../domain/reports/report-access-port.ts";
import { findReportBrowserSession } from "../../domain/reports/report-browser-sessions.ts";
import type { SessionName } from "../../domain/sessions/session-port.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import type { Credential, RateLimits } from "./token.ts";

export interface BrowserAuthenticationDeps extends Pick<BrowserSessionDeps, "hosted" | "clock"> {
  readonly reportAccess: ReportAccessStore;
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
 * @returns the session that it is for
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

/** What a token opens. Refused tokens count against the address, and calls against the session. */
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
 * The link that a token opens, counted: refused tokens against the address, and openings against the session.
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
