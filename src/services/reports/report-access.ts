// Who may open a report: links that partners create and revoke, and the browser sessions that links and the hosted pages open.
import { createPersonSecret, hashSecret } from "../../domain/identity/secrets.ts";
import type {
  RenderOwnReportRequest,
  ReportService,
  SetIntentionRequest,
} from "../../gen/assessment/v1/report_service_pb.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { notFoundError, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import { resolveLink } from "../../pipeline/auth/browser-session.ts";
import type { ServiceImpl, SessionCall } from "../../pipeline/call.ts";
import type { RenderRequest, ReportModel } from "../../products/product.ts";
import type { ReportBrowserSession } from "../../store/reports/report-access-store.ts";
import type { Dependencies } from "../dependencies.ts";
import { openBrowserSession } from "../hosted/session-links.ts";
import { explain } from "../sessions/results.ts";
import { getSession, requireResults, type SessionRef, toSessionRef } from "../sessions/sessions.ts";
import { findIntentionViolations, findReportRequestViolations } from "./report-request.ts";
import { buildReport, findReportComparison, type RenderOptions } from "./reports.ts";

const maxLinksPerSession = 10;
/** How long a link is valid unless its request states another time, in seconds. */
const defaultLinkSeconds = 7 * 24 * 3_600;

export function createReportAccessRpcs(deps: Dependencies) {
  const { reportAccess } = deps;
  const links = { kind: "reportLink", find: reportAccess.findLink } as const;
  return {
    /** Creates a link to the report on a scored session. */
    async createReportLink(request, call) {
      const pagesUrl = deps.pagesUrl();
      const ref = toSessionRef(request, call);
      throwIfInvalid(findReportRequestViolations(request));
      await requireReport(deps, ref, call);
      const { expiresInSeconds = defaultLinkSeconds, locale = null } = request;
      const { name = null, date: day = null, timeZone = null } = request;
      const linkToken = createPersonSecret("reportLink", deps.random, ref.partnerId);
      const createdAt = new Date(deps.clock());
      const expiresAt = new Date(createdAt.getTime() + expiresInSeconds * 1000);
      const { partnerId, sessionId } = ref;
      const options = { locale, name, day, timeZone, card: null };
      const link = { hash: hashSecret(linkToken), partnerId, sessionId, ...options, createdAt, expiresAt };
      await reportAccess.addLink(link, maxLinksPerSession, call.signal);
      return { reportUrl: `${pagesUrl}/reports/${linkToken}`, expiresAt };
    },

    /** Revokes all links to the report, the browser sessions that they opened, and access from the hosted pages. */
    async revokeReportLinks(request, call) {
      const { session } = await getSession(deps, toSessionRef(request, call), call);
      await reportAccess.removeAccess(session, call.signal);
      return {};
    },

    /** Opens the report of a link until the link expires. */
    async exchangeReportLink({ linkToken }, call) {
      const link = await resolveLink(deps, links, linkToken, call);
      return openBrowserSession(deps, "reportBrowserSession", { ...link, linkHash: link.hash }, call);
    },

    async setIntention(request, call) {
      const ref = toSessionRef(request, call);
      await requireReport(deps, ref, call);
      return setIntention(deps, ref, request, call);
    },

    async getIntention(request, call) {
      const ref = toSessionRef(request, call);
      await requireReport(deps, ref, call);
      const intention = await deps.reportAccess.findIntention(ref, call.signal);
      if (intention === undefined) throw notFoundError();
      return { intention };
    },

    async setOwnIntention(request, call) {
      await setIntention(deps, call.reportBrowserSession, request, call);
      return {};
    },
  } satisfies Partial<ServiceImpl<typeof ReportService>>;
}

/** Throws `not_found` unless the session has results: without them there is nothing to read. */
async function requireReport(deps: Dependencies, ref: SessionRef, deadline: Deadline) {
  requireResults(deps, (await getSession(deps, ref, deadline)).session);
}

/** Stores the step that a person chose after their report, or removes it. Throws `invalid_request`; `not_found`: no results. */
async function setIntention(
  deps: Dependencies,
  session: Pick<ReportBrowserSession, "partnerId" | "sessionId">,
  request: Pick<SetIntentionRequest, "step" | "lookAgainOn">,
  { now, signal }: SessionCall,
) {
  throwIfInvalid(findIntentionViolations(request));
  const intention = { step: request.step.trim(), lookAgainOn: request.lookAgainOn ?? null, setAt: new Date(now()) };
  const save = () => deps.reportAccess.saveIntention(session, intention, signal);
  if (!(await deps.writes.run(session.sessionId, signal, save))) throw notFoundError();
  return { intention };
}

/** The day on which the person wants to look again, as a file. Throws `not_found` if they chose none. */
export function toCalendarFile({ catalogue, clock }: Dependencies, { model }: OwnReport) {
  const calendar = catalogue.product.createStepCalendar(model, clock());
  return toFile(model, "text/calendar; charset=utf-8", "look-again.ics", calendar);
}

/** The circle, as a file. Throws `not_found` if there is nothing to draw. */
export function toCircleFile({ catalogue }: Dependencies, { model, branding }: OwnReport) {
  return toFile(model, "image/svg+xml", "circle.svg", catalogue.product.drawBareCircle(model, branding));
}

function toFile({ language }: ReportModel, mediaType: string, fileName: string, text: string | undefined) {
  if (text === undefined) throw notFoundError();
  return { mediaType, fileName, language, body: Buffer.from(text), contentSecurityPolicy: "", frameAncestors: null };
}

const minuteMs = 60_000;

/** What the report of a browser session is rendered from. */
type OwnReport = RenderRequest<ReportModel>;

/** Records that the report of a browser session was rendered. */
export function recordView(
  { reportAccess, clock }: Dependencies,
  { partnerId, sessionId, linkHash }: ReportBrowserSession,
  { signal }: Deadline,
) {
  const now = clock();
  const viewedAt = new Date(now - (now % minuteMs));
  return reportAccess.recordView({ partnerId, sessionId, linkHash, viewedAt }, signal);
}

/**
 * What the report of a browser session is rendered from, and which sites may show it in a frame. A page states who else has
 * the results and until when it can be read, a document does not. Throws `not_found`.
 */
export async function readOwnReport(
  deps: Dependencies,
  { partnerId, sessionId, linkHash, locale, expiresAt, name, day, timeZone }: ReportBrowserSession,
  { languages, timeZone: browserZone }: RenderOwnReportRequest,
  options: RenderOptions,
  deadline: Deadline,
): Promise<{ request: OwnReport; frameAncestors: readonly string[] }> {
  const { signal } = deadline;
  const explanation = explain(deps, await getSession(deps, { partnerId, sessionId }, deadline));
  const branding = await deps.brandings.findBranding(partnerId, signal);
  const sharing = { partner: branding.displayName, until: expiresAt, isByLink: linkHash !== null };
  const preferences = locale === null ? languages : [locale, ...languages];
  const comparison = await findReportComparison(deps, explanation, deadline);
  const findIntention = async (id: string) =>
    (await deps.reportAccess.findIntention({ partnerId, sessionId: id }, signal)) ?? null;
  const intention = await findIntention(sessionId);
  const previousIntention = comparison === null ? null : await findIntention(comparison.sessionId);
  const steps = { chosen: intention, earlier: previousIntention?.step ?? null };
  const person = { name: name ?? undefined, date: day ?? undefined, timeZone: timeZone ?? browserZone };
  const input = { languages: preferences, comparison, person, steps, ...(options.format === "html" && { sharing }) };
  const report = await buildReport(deps, explanation, branding, input, deadline);
  return { request: { ...report, ...options }, frameAncestors: branding.frameAncestors };
}
