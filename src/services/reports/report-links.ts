// Links to reports, which partners make and end. A link reads one report and nothing else.

import { hashSecret, isWellFormedSecret, nameOfSecret, newPersonSecret } from "../../domain/identity/secrets.ts";
import type { Clock, Deadline, RandomBytes } from "../../kernel/environment.ts";
import { notFound, Refusal, refuseIfAny } from "../../kernel/errors/refusal.ts";
import {
  defaultLinkSeconds,
  type ReportLinkRequest,
  reportLinkViolations,
} from "../../kernel/requests/report-request.ts";
import { isTestTwin } from "../../kernel/test-tenant.ts";
import type { ReportAccessStore, ReportLink } from "../../store/reports/report-access-store.ts";
import { getSession, getSessionResults, type SessionAddress, type SessionDeps } from "../sessions/sessions.ts";

export interface ReportLinkDeps extends Pick<SessionDeps, "sessions" | "catalogue"> {
  readonly reportAccess: ReportAccessStore;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

const maxLinksPerSession = 10;

/** Makes a link to the report on a scored session. Throws `not_found`, `invalid_request`. */
export async function createReportLink(
  deps: ReportLinkDeps,
  address: SessionAddress,
  request: ReportLinkRequest,
  deadline: Deadline,
): Promise<{ linkToken: string; expiresAt: Date }> {
  refuseIfAny(reportLinkViolations(request));
  // Without results there is nothing to read.
  await getSessionResults(deps, address, deadline);
  const { expiresInSeconds = defaultLinkSeconds, locale = null, name = null, date = null } = request;
  const linkToken = newPersonSecret("reportLink", deps.random, address.partnerId, isTestTwin(address.partnerId));
  const createdAt = new Date(deps.clock());
  const expiresAt = new Date(createdAt.getTime() + expiresInSeconds * 1000);
  const { partnerId, sessionId } = address;
  const link = { hash: hashSecret(linkToken), partnerId, sessionId, locale, name, date, createdAt, expiresAt };
  await deps.reportAccess.addLink(link, maxLinksPerSession, deadline.signal);
  return { linkToken, expiresAt };
}

/**
 * Ends all links to the report on a session, whatever was opened, and the offer of the hosted pages once the session is
 * completed. Throws `not_found`.
 */
export async function revokeReportLinks(
  deps: Pick<ReportLinkDeps, "sessions" | "catalogue" | "reportAccess">,
  address: SessionAddress,
  deadline: Deadline,
): Promise<void> {
  const { session } = await getSession(deps, address, deadline);
  await deps.reportAccess.removeAccess(session, deadline.signal);
}

/** The link of a token. Throws `not_found`, with the fact that it is expired for a token that was good once. */
export async function findReportLink(
  { reportAccess, clock }: Pick<ReportLinkDeps, "reportAccess" | "clock">,
  linkToken: string,
  { signal }: Deadline,
): Promise<ReportLink> {
  if (!isWellFormedSecret("reportLink", linkToken)) throw notFound();
  const link = await reportAccess.findLink(nameOfSecret("reportLink", linkToken), signal);
  // Nobody arrives at a right checksum by mistyping: a link that is not held any more has worked once.
  if (link === undefined || link.expiresAt.getTime() <= clock()) throw linkEnded();
  return link;
}

/** The refusal of a link that has worked once. */
export function linkEnded(): Refusal {
  return new Refusal("not_found", "This link does not work any more.", { facts: { link: "expired" } });
}
