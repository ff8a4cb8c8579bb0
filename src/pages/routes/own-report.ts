// From the last hosted page to the person's report, where the partner lets them see it: the way there, and the circle before it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { HostedService } from "../../gen/assessment/v1/hosted_service_pb.ts";
import { ReportService } from "../../gen/assessment/v1/report_service_pb.ts";
import type { BrowserSessionPages, OpenBrowserSession } from "../browser-session/browser-session-pages.ts";
import type { BrowserSession } from "../browser-session/core-calls.ts";
import { PageError } from "../page-error.ts";
import { buildReportPaths, routes } from "../paths.ts";
import { addHead, enter, keepOpened, type LinkRouteDeps } from "./link.ts";

/** Adds the route from the last hosted page to the report. */
export function addOwnReportRoute(app: FastifyInstance, { pages, cookies }: LinkRouteDeps): void {
  addHead(app, routes.report);
  app.get(routes.report, { exposeHeadRoute: false }, async (request, reply) => {
    const session = await pages.open(request);
    if (!session.isCompleted) return reply.redirect(session.paths.start, 303);
    const opened = await openReport(pages, request, session);
    return enter(reply, cookies, opened, buildReportPaths(pages.base(), opened.sessionId).page);
  });
}

/**
 * The circle of a completed session as the address of an image, read with the browser session of its report, which is opened
 * unless the browser has one that is not over; undefined if the partner shows no results, or nothing can be drawn.
 */
export async function drawOwnCircle(
  { pages, cookies }: LinkRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  session: OpenBrowserSession,
): Promise<string | undefined> {
  if (!session.offersReport) return undefined;
  const draw = ({ sessionId, token }: BrowserSession) =>
    pages.call(request, ReportService.method.renderOwnReport, { sessionId, circle: true }, token);
  const openAndDraw = async () => draw(keepOpened(reply, cookies, await openReport(pages, request, session)));
  const kept = cookies.find(request);
  try {
    const drawing = kept && (await draw(kept).catch(unlessOver));
    const { body, mediaType } = drawing ?? (await openAndDraw());
    return `data:${mediaType},${encodeURIComponent(Buffer.from(body).toString())}`;
  } catch (error) {
    // The page offers all the rest without it.
    if (error instanceof PageError) return undefined;
    throw error;
  }
}

/** Nothing for a browser session that is over. */
function unlessOver(error: unknown): undefined {
  if (!(error instanceof PageError && error.page === "noBrowserSession")) throw error;
}

async function openReport({ call }: BrowserSessionPages, request: FastifyRequest, session: OpenBrowserSession) {
  const { chosenLanguage } = session;
  const { sessionId, token } = session.browserSession;
  const message = { sessionId, ...(chosenLanguage && { chosenLanguage }) };
  return { ...(await call(request, HostedService.method.openOwnReport, message, token)), sessionId };
}
