// Opens the report from the last hosted page, and draws its circle on that page.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { HostedService } from "../../gen/assessment/v1/hosted_service_pb.ts";
import { ReportService } from "../../gen/assessment/v1/report_service_pb.ts";
import type { BrowserSessionPages, OpenBrowserSession } from "../browser-session/browser-session-pages.ts";
import type { BrowserSession } from "../browser-session/core-calls.ts";
import { PageError } from "../page-error.ts";
import { routes } from "../paths.ts";
import { addPage, setSessionCookie, startBrowserSession } from "./link.ts";

/** Adds the route from the last hosted page to the report. */
export function addOwnReportRoute(app: FastifyInstance, pages: BrowserSessionPages): void {
  addPage(app, routes.report, async (request, reply) => {
    const session = await pages.open(request);
    if (!session.isCompleted) return reply.redirect(session.paths.start, 303);
    const newSession = await openReport(pages, request, session);
    return startBrowserSession(reply, pages.reportCookies, newSession, session.paths.ownReport.page);
  });
}

/**
 * The circle of a completed session as a `data:` URL; undefined if the partner shows no results, or nothing can be drawn. Opens
 * the browser session of the report if there is none yet.
 */
export async function drawOwnCircle(
  pages: BrowserSessionPages,
  request: FastifyRequest,
  reply: FastifyReply,
  session: OpenBrowserSession,
): Promise<string | undefined> {
  if (!session.offersReport) return undefined;
  const draw = ({ sessionId, token }: BrowserSession) =>
    pages.call(request, ReportService.method.renderOwnReport, { sessionId, circle: true }, token);
  const openAndDraw = async () =>
    draw(setSessionCookie(reply, pages.reportCookies, await openReport(pages, request, session)));
  const existingSession = pages.reportCookies.find(request);
  try {
    const drawing = existingSession && (await draw(existingSession).catch(ignoreEndedSession));
    const { body, mediaType } = drawing ?? (await openAndDraw());
    return `data:${mediaType},${encodeURIComponent(Buffer.from(body).toString())}`;
  } catch (error) {
    // The page is complete without it.
    if (error instanceof PageError) return undefined;
    throw error;
  }
}

/** Undefined if the browser session has ended. */
function ignoreEndedSession(error: unknown): undefined {
  if (!(error instanceof PageError && error.page === "noBrowserSession")) throw error;
}

async function openReport({ call }: BrowserSessionPages, request: FastifyRequest, session: OpenBrowserSession) {
  const { sessionId, token, chosenLanguage } = session;
  const message = { sessionId, chosenLanguage };
  return { ...(await call(request, HostedService.method.openOwnReport, message, token)), sessionId };
}
