// The report for the person: a link, or the last hosted page, sets the cookie of a browser session, which reads one report.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  ReportFormat,
  type ReportPaper,
  ReportPaperSchema,
  ReportPictureName,
  ReportService,
} from "../../gen/assessment/v1/report_service_pb.ts";
import { parseEnumWord } from "../../json/members.ts";
import { isTimeZone } from "../../kernel/formats.ts";
import { type BrowserSessionPages, sendHtml } from "../browser-session/browser-session-pages.ts";
import { deriveCsrfToken } from "../browser-session/form.ts";
import { createFrameHeaders, privateHeaders } from "../headers.ts";
import { PageError } from "../page-error.ts";
import { reportRoutes } from "../paths.ts";
import { readLanguages } from "../views/appearance.ts";
import { addLinkRoute, addPage, startBrowserSession, throwLinkError } from "./link.ts";

const { exchangeReportLink, renderOwnReport, setOwnIntention, shareOwnCard } = ReportService.method;

/** Adds the routes of links to reports, and of the reports. */
export function addReportRoutes(app: FastifyInstance, pages: BrowserSessionPages): void {
  const { cookies } = pages;
  addLinkRoute(app, async (request, reply, linkToken) => {
    const browserSession = await pages.call(request, exchangeReportLink, { linkToken }).catch(throwLinkError);
    const { page } = pages.buildPaths(browserSession.sessionId).ownReport;
    return startBrowserSession(reply, cookies, browserSession, page);
  });

  addPage(app, reportRoutes.page, async (request, reply) => {
    const browserSession = cookies.requireBrowserSession(request);
    const { sessionId, token } = browserSession;
    const { ownReport, onward } = pages.buildPaths(sessionId);
    const { pdf, poster, step, shareCard } = ownReport;
    const paths = { pdfPath: pdf, posterPath: poster, stepPath: step, onwardPath: onward, cardPath: shareCard };
    const formToken = deriveCsrfToken(browserSession);
    const message = { sessionId, ...readViewerPreferences(request), format: ReportFormat.HTML, ...paths, formToken };
    const report = await pages.call(request, renderOwnReport, message, token).catch(throwReportError);
    const { body, language, contentSecurityPolicy, frameAncestors } = report;
    reply
      .headers(createFrameHeaders(contentSecurityPolicy, frameAncestors))
      .headers({ "content-language": language, vary: "accept-language" });
    return sendHtml(reply, body);
  });

  const { requireBrowserSession } = cookies;
  pages.addForm(
    app,
    reportRoutes.shareCard,
    requireBrowserSession,
    async ({ sessionId, token }, form, request, reply) => {
      const message = { sessionId, shared: form.go !== "remove", locale: form.language };
      await pages.call(request, shareOwnCard, message, token).catch(throwReportError);
      return reply.redirect(`${pages.buildPaths(sessionId).ownReport.page}#share`, 303);
    },
  );

  pages.addForm(app, reportRoutes.step, requireBrowserSession, async ({ sessionId, token }, form, request, reply) => {
    const { step = "", own = "", day = "", go } = form;
    const newStep = go === "remove" ? "" : own.trim() || step;
    const message = { sessionId, step: newStep, lookAgainOn: day || undefined };
    await pages.call(request, setOwnIntention, message, token).catch(throwReportError);
    return reply.redirect(`${pages.buildPaths(sessionId).ownReport.page}#step`, 303);
  });

  for (const [route, content] of [
    [reportRoutes.pdf, { picture: ReportPictureName.UNSPECIFIED }],
    [reportRoutes.poster, { picture: ReportPictureName.POSTER }],
    [reportRoutes.calendar, { calendar: true }],
  ] as const) {
    addPage(app, route, async (request, reply) => sendDocument(request, reply, content));
  }

  /** @param content what the document has instead of the whole report */
  async function sendDocument(request: FastifyRequest, reply: FastifyReply, content: object): Promise<FastifyReply> {
    const { sessionId, token } = cookies.requireBrowserSession(request);
    const { paper: paperName } = request.query as { paper?: unknown };
    // Unspecified is A4.
    const paper = parseEnumWord(ReportPaperSchema, String(paperName)) as ReportPaper;
    const message = { sessionId, ...readViewerPreferences(request), format: ReportFormat.PDF, paper, ...content };
    const { body, fileName, mediaType } = await pages
      .call(request, renderOwnReport, message, token)
      .catch(throwReportError);
    return reply
      .headers({ ...privateHeaders, "content-disposition": `attachment; filename="${fileName}"` })
      .type(mediaType)
      .send(body);
  }
}

/** Languages and time zone of the browser; the script of the hosted pages stores the zone in a cookie. */
function readViewerPreferences(request: FastifyRequest) {
  const { "pas-time-zone": timeZone = "" } = request.cookies;
  return { languages: readLanguages(request), ...(isTimeZone(timeZone) ? { timeZone } : {}) };
}

/** A missing browser session has a page of its own here. */
function throwReportError(error: unknown): never {
  throw error instanceof PageError && error.page === "noBrowserSession"
    ? new PageError("noReportBrowserSession", 403, error)
    : error;
}
