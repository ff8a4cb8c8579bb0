// The report that a person opens by a link, or from the hosted pages: its formats, what it is rendered from, and its files.
import { type RenderOwnReportRequest, ReportFormat } from "../../gen/assessment/v1/report_service_pb.ts";
import { type Deadline, dayMs } from "../../kernel/environment.ts";
import { notFoundError, Refusal } from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import type { RenderRequest, ReportModel } from "../../products/product.ts";
import type { ReportBrowserSession } from "../../store/reports/report-access-store.ts";
import type { CallDependencies } from "../dependencies.ts";
import { explainResults } from "../sessions/results.ts";
import { getSession } from "../sessions/sessions.ts";
import { toRenderOptions } from "./render-report.ts";
import { buildReport, findReportComparison, type RenderOptions } from "./reports.ts";

/** The format of a person's own report: a page, which links to the document, or the document. Throws `not_acceptable`. */
export function toOwnRenderOptions(
  message: Pick<RenderOwnReportRequest, "format" | "picture" | "paper">,
): RenderOptions {
  const options = toRenderOptions(
    message.format === ReportFormat.UNSPECIFIED ? { ...message, format: ReportFormat.HTML } : message,
  );
  if (options.format === "html" || options.format === "pdf") return options;
  throw new Refusal("not_acceptable", "Your own report is available as HTML and PDF.");
}

/** The surroundings of a person's own report on its page: the ways on, and the picture that they share. */
export async function toPageOptions(
  { reportAccess, pagesUrl, clock }: CallDependencies,
  browserSession: ReportBrowserSession,
  { stepPath, cardPath, formToken: token, ...paths }: RenderOwnReportRequest,
  { signal }: Deadline,
): Promise<NonNullable<RenderOptions["page"]>> {
  const now = clock();
  const day = new Date(now + lookAgainMs).toISOString().slice(0, 10);
  const card = cardPath && (await reportAccess.findCard(browserSession, new Date(now), signal));
  const shared = card ? { url: `${pagesUrl()}/reports/cards/${card.card}`, language: card.locale } : null;
  return {
    pdfPath: paths.pdfPath ?? null,
    posterPath: paths.posterPath ?? null,
    onwardPath: browserSession.linkHash === null ? (paths.onwardPath ?? null) : null,
    step: stepPath === undefined ? null : { path: stepPath, token, day },
    card: cardPath === undefined ? null : { path: cardPath, token, shared },
    isTest: isTestTwin(browserSession.partnerId),
  };
}

/** Before this time, new answers show little change. */
const lookAgainMs = 42 * dayMs;

/** The day on which the person wants to look again, as a file. Throws `not_found` if they chose none. */
export function toCalendarFile({ catalogue, clock }: CallDependencies, { model }: OwnReport) {
  const calendar = catalogue.product.createStepCalendar(model, clock());
  return toFile(model, "text/calendar; charset=utf-8", "look-again.ics", calendar);
}

/** The circle, as a file. Throws `not_found` if there is nothing to draw. */
export function toCircleFile({ catalogue }: CallDependencies, { model, branding }: OwnReport) {
  return toFile(model, "image/svg+xml", "circle.svg", catalogue.product.drawBareCircle(model, branding));
}

function toFile({ language }: ReportModel, mediaType: string, fileName: string, text: string | undefined) {
  if (text === undefined) throw notFoundError();
  return { mediaType, fileName, language, body: Buffer.from(text), contentSecurityPolicy: "", frameAncestors: null };
}

/** The input of the report of a browser session. */
type OwnReport = RenderRequest<ReportModel>;

/**
 * The input of the report of a browser session, and the sites that may show it in a frame. A page states who else has
 * the results and until when it can be read, a document does not. Throws `not_found`.
 */
export async function readOwnReport(
  deps: CallDependencies,
  { partnerId, sessionId, linkHash, locale, expiresAt, name, day, timeZone }: ReportBrowserSession,
  { languages, timeZone: browserZone }: RenderOwnReportRequest,
  options: RenderOptions,
  deadline: Deadline,
): Promise<{ request: OwnReport; frameAncestors: readonly string[] }> {
  const { signal } = deadline;
  const explanation = explainResults(deps, await getSession(deps, { partnerId, sessionId }, deadline));
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
