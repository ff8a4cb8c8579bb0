// Opens a hosted session or a report in a person's browser: by a link, or a report by the hosted pages.
import { hashSecret, newPersonSecret, type PersonSecretKind } from "../../domain/identity/secrets.ts";
import { notFound } from "../../kernel/errors/refusal.ts";
import { type BrowserAuthenticationDeps, linkEnded } from "../../pipeline/auth/browser-session.ts";
import { deadlineOf, type PipelineCall } from "../../pipeline/pipeline.ts";
import type { ReportBrowserSession } from "../../store/reports/report-access-store.ts";
import type { Needs } from "../dependencies.ts";
import { toTimestamp } from "../sessions/session-messages.ts";

const maxBrowserSessionsPerSession = 50;

export type BrowserSessionDeps = BrowserAuthenticationDeps & Needs<"hosted" | "reportAccess" | "brandings" | "random">;

/** A browser session to be opened. Hosted sessions have no locale. */
type Opened = Omit<ReportBrowserSession, "hash" | "createdAt" | "name" | "day" | "timeZone">;

/** Opens a browser session. Throws `not_found` if the link that opens it, or the offer of the hosted pages, is over. */
export async function openBrowserSession(
  deps: BrowserSessionDeps,
  kind: Extract<PersonSecretKind, "hostedBrowserSession" | "reportBrowserSession">,
  opened: Opened,
  context: PipelineCall,
) {
  const { partnerId, sessionId, expiresAt } = opened;
  const { signal } = deadlineOf(context);
  const visitToken = newPersonSecret(kind, deps.random, partnerId);
  const browserSession = { ...opened, hash: hashSecret(visitToken), createdAt: new Date(deps.clock()) };
  const store = kind === "hostedBrowserSession" ? deps.hosted : deps.reportAccess;
  if (!(await store.addBrowserSession(browserSession, maxBrowserSessionsPerSession, signal))) {
    throw opened.linkHash === null ? notFound() : linkEnded();
  }
  deps.limits.strangers.prove(visitToken);
  // The sites that may show the partner's pages in a frame.
  const { frameAncestors } = await deps.brandings.findBranding(partnerId, signal);
  return { sessionId, visitToken, expiresAt: toTimestamp(expiresAt), frameAncestors: [...frameAncestors] };
}
