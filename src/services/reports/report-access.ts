// Who may open a report: links that partners create and revoke, and the browser sessions that links and the hosted pages open.
import { hashSecret, isWellFormedSecret, nameOfSecret, newPersonSecret } from "../../domain/identity/secrets.ts";
import type { SessionName } from "../../domain/sessions/session.ts";
import type {
  CreateReportLinkRequest,
  RenderOwnReportRequest,
  SetIntentionRequest,
} from "../../gen/assessment/v1/report_service_pb.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { notFound, Refusal, refuseIfAny } from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import { dayMs } from "../../kernel/timers.ts";
import type { RenderRequest } from "../../products/product.ts";
import type { ReportBrowserSession, ReportLink } from "../../store/reports/report-access-store.ts";
import type { Needs } from "../dependencies.ts";
import { getExplainedResults } from "../sessions/results.ts";
import { toTimestamp } from "../sessions/session-messages.ts";
import { getSessionResults, type SessionAddress } from "../sessions/sessions.ts";
import { intentionViolations, reportRequestViolations } from "./report-request.ts";
import { findReportComparison, modelOf, type ReportDeps, type ReportForm, reportBrandingOf } from "./reports.ts";

export type ReportLinkDeps = Needs<"sessions" | "catalogue" | "reportAccess" | "clock" | "random">;

const maxLinksPerSession = 10;
/** How long a link is valid unless its request states another time, in seconds. */
const defaultLinkSeconds = 7 * 24 * 3_600;

/** Creates a link to the report on a scored session. Throws `not_found`, `invalid_request`. */
export async function createReportLink(
  deps: ReportLinkDeps & Needs<"pagesUrl">,
  address: SessionAddress,
  request: CreateReportLinkRequest,
  deadline: Deadline,
) {
  const pagesUrl = deps.pagesUrl();
  refuseIfAny(reportRequestViolations(request));
  // Without results there is nothing to read.
  await getSessionResults(deps, address, deadline);
  const { expiresInSeconds = defaultLinkSeconds, locale = null, name = null, date = null, timeZone = null } = request;
  const linkToken = newPersonSecret("reportLink", deps.random, address.partnerId, isTestTwin(address.partnerId));
  const createdAt = new Date(deps.clock());
  const expiresAt = new Date(createdAt.getTime() + expiresInSeconds * 1000);
  const { partnerId, sessionId } = address;
  const asked = { locale, name, date, timeZone };
  const link = { hash: hashSecret(linkToken), partnerId, sessionId, ...asked, createdAt, expiresAt };
  await deps.reportAccess.addLink(link, maxLinksPerSession, deadline.signal);
  return { reportUrl: `${pagesUrl}/reports/${linkToken}`, expiresAt: toTimestamp(expiresAt) };
}

/** Stores the step that a person chose after their report, or removes it. Throws `invalid_request`. */
export async function setIntention(
  { reportAccess, clock }: Needs<"reportAccess" | "clock">,
  session: Pick<ReportBrowserSession, "partnerId" | "sessionId">,
  asked: Pick<SetIntentionRequest, "step" | "lookAgainOn">,
  { signal }: Deadline,
) {
  refuseIfAny(intentionViolations(asked));
  const { lookAgainOn } = asked;
  const step = asked.step.trim();
  const setAt = new Date(clock());
  await reportAccess.saveIntention(session, { step, lookAgainOn: lookAgainOn ?? null, setAt }, signal);
  return { intention: { step, lookAgainOn } };
}

/** The link of a token. Throws `not_found`, marked as expired for a token that was valid once. */
export async function findReportLink(
  { reportAccess, clock }: Needs<"reportAccess" | "clock">,
  linkToken: string,
  { signal }: Deadline,
): Promise<ReportLink> {
  if (!isWellFormedSecret("reportLink", linkToken)) throw notFound();
  const link = await reportAccess.findLink(nameOfSecret("reportLink", linkToken), signal);
  // A mistyped token fails the checksum: a token that passes it, but is not stored, was valid once.
  if (link === undefined || link.expiresAt.getTime() <= clock()) throw linkEnded();
  return link;
}

/** The error for a link that was valid once. */
function linkEnded(): Refusal {
  return new Refusal("not_found", "This link does not work any more.", { facts: { link: "expired" } });
}

const maxBrowserSessionsPerSession = 50;
/**
 * How long a report opened from the hosted pages stays open. The pages can open it again while their own browser session
 * lasts.
 */
const hostedBrowserSessionMs = dayMs;
const minuteMs = 60_000;

export type ReportBrowserSessionDeps = Needs<"reportAccess" | "clock" | "random">;

interface OpenedBrowserSession {
  readonly visitToken: string;
  readonly expiresAt: Date;
}

/** Opens the report of a link in a browser, until the link expires. Throws `not_found`. */
export async function openReportBrowserSession(
  deps: ReportBrowserSessionDeps,
  { partnerId, sessionId, hash: linkHash, locale, expiresAt }: ReportLink,
  deadline: Deadline,
): Promise<OpenedBrowserSession> {
  const opened = await addBrowserSession(deps, { partnerId, sessionId, linkHash, locale, expiresAt }, deadline);
  if (opened === undefined) throw linkEnded();
  return opened;
}

/** Opens the report on a completed hosted session, if its partner lets the person see it. Throws `not_found`. */
export async function openOwnReport(
  deps: ReportBrowserSessionDeps & Needs<"sessions">,
  sessionName: SessionName,
  deadline: Deadline,
  chosenLanguage?: string,
): Promise<OpenedBrowserSession> {
  const session = await deps.sessions.findSession(sessionName, deadline.signal);
  if (session?.personAccess !== "after_completion") throw notFound();
  const outcome = await deps.sessions.findOutcome(sessionName, deadline.signal);
  if (outcome === undefined || outcome.results === null) throw notFound();
  const expiresAt = new Date(deps.clock() + hostedBrowserSessionMs);
  const { partnerId, id: sessionId } = sessionName;
  const browserSession = { partnerId, sessionId, linkHash: null, locale: chosenLanguage ?? session.locale, expiresAt };
  const opened = await addBrowserSession(deps, browserSession, deadline);
  if (opened === undefined) throw notFound();
  return opened;
}

/**
 * What the report of a browser session is rendered from, and which sites may show it in a frame; records the
 * view. A page states who else has the results and until when it can be read, a document does not. Throws `not_found`.
 */
export async function viewOwnReport(
  deps: ReportDeps & ReportBrowserSessionDeps,
  { partnerId, sessionId, linkHash, locale, expiresAt, name, date, timeZone }: ReportBrowserSession,
  { languages, timeZone: browserZone }: RenderOwnReportRequest,
  form: ReportForm,
  deadline: Deadline,
): Promise<{ request: RenderRequest; frameAncestors: readonly string[] }> {
  const { signal } = deadline;
  const session = await deps.sessions.findSession({ partnerId, id: sessionId }, signal);
  if (session === undefined) throw notFound();
  const { product } = await deps.catalogue.byId(session.assessmentId);
  const explained = await getExplainedResults(deps, { partnerId, product, sessionId }, deadline);
  const branding = await deps.brandings.findBranding(partnerId, signal);
  const now = deps.clock();
  const viewedAt = new Date(now - (now % minuteMs));
  await deps.reportAccess.recordView({ partnerId, sessionId, linkHash, viewedAt }, signal);
  const sharing = { partner: branding.displayName, until: expiresAt, isByLink: linkHash !== null };
  const wanted = locale === null ? languages : [locale, ...languages];
  const comparison = await findReportComparison(deps, explained, deadline);
  const chosenAfter = async (id: string) =>
    (await deps.reportAccess.findIntention({ partnerId, sessionId: id }, signal)) ?? null;
  const chosen = await chosenAfter(sessionId);
  const earlier = comparison === null ? null : await chosenAfter(comparison.sessionId);
  const steps = { chosen, earlier: earlier?.step ?? null };
  const person = { name: name ?? undefined, date: date ?? undefined, timeZone: timeZone ?? browserZone };
  const more = { comparison, person, steps, ...(form.format === "html" ? { sharing } : {}) };
  const model = await modelOf(deps, explained, branding, { languages: wanted, ...more }, deadline);
  return { request: { model, branding: reportBrandingOf(branding), ...form }, frameAncestors: branding.frameAncestors };
}

async function addBrowserSession(
  deps: ReportBrowserSessionDeps,
  browserSession: Pick<ReportBrowserSession, "partnerId" | "sessionId" | "linkHash" | "locale" | "expiresAt">,
  { signal }: Deadline,
): Promise<OpenedBrowserSession | undefined> {
  const { reportAccess, clock } = deps;
  const visitToken = newPersonSecret("reportBrowserSession", deps.random, browserSession.partnerId);
  const added = { ...browserSession, hash: hashSecret(visitToken), createdAt: new Date(clock()) };
  const isAdded = await reportAccess.addBrowserSession(added, maxBrowserSessionsPerSession, signal);
  return isAdded ? { visitToken, expiresAt: browserSession.expiresAt } : undefined;
}
