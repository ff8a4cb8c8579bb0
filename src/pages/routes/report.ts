// A person's own report: a link, or the last hosted page, becomes a browser session in a cookie; the browser session
// reads one report.
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  type RenderOwnReportResponse,
  ReportFormat,
  ReportPaper,
  ReportPictureName,
} from "../../gen/assessment/v1/report_service_pb.ts";
import { isTimeZone } from "../../kernel/formats.ts";
import { preferredCoding } from "../../transport/http/bodies/json-body.ts";
import { neverCalled } from "../../transport/http/served.ts";
import type { BrowserSessionCookies } from "../browser-session/browser-session-cookies.ts";
import type { BrowserSessionPages } from "../browser-session/browser-session-pages.ts";
import { csrfToken, requireCsrfToken } from "../browser-session/csrf.ts";
import type { BrowserSession } from "../browser-session/hosted-client.ts";
import { framedHeaders, privateHeaders } from "../headers.ts";
import { PageError } from "../page-error.ts";
import { pathsOf, reportPathsOf, reportRoutes, routes } from "../paths.ts";
import { languagesOf } from "../views/appearance.ts";
import { asLinkError } from "./link.ts";

const gzipAsync = promisify(gzip);

export interface ReportRoutesDeps {
  readonly pages: BrowserSessionPages;
  /** Those of browser sessions of reports. */
  readonly cookies: BrowserSessionCookies;
}

/** Adds the routes of links to reports, and of the reports. */
export function addReportRoutes(app: FastifyInstance, deps: ReportRoutesDeps): void {
  const { pages, cookies } = deps;

  for (const [name, route] of Object.entries(reportRoutes)) if (name !== "step") addHead(app, route);

  app.get(reportRoutes.link, { exposeHeadRoute: false }, async (request, reply) => {
    const { linkToken } = request.params as { linkToken: string };
    const opened = await pages.client.exchangeReportLink(request, linkToken).catch(asLinkError);
    return enter(deps, request, reply, opened);
  });

  app.get(reportRoutes.page, { exposeHeadRoute: false }, async (request, reply) => {
    const browserSession = cookies.browserSessionOf(request);
    const { pdf, poster, step } = reportPathsOf(pages.base, browserSession.sessionId);
    const { onward } = pathsOf(pages.base, browserSession.sessionId);
    const paths = { pdfPath: pdf, posterPath: poster, stepPath: step, onwardPath: onward };
    const formToken = csrfToken(browserSession);
    const wanted = { ...readerOf(request), format: ReportFormat.HTML, ...paths, formToken };
    const rendered = await pages.client.renderOwnReport(request, browserSession, wanted).catch(asReportError);
    return sendPage(request, reply, rendered);
  });

  app.post(reportRoutes.step, { onRequest: keepStep }, neverCalled);

  async function keepStep(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const browserSession = cookies.browserSessionOf(request);
    const { csrfToken: token, step = "", own = "", day = "", go } = await pages.form(request, undefined);
    requireCsrfToken(request, browserSession, token);
    const chosen = go === "remove" ? "" : own.trim() || step;
    await pages.client
      .setOwnIntention(request, browserSession, { step: chosen, ...(day === "" ? {} : { lookAgainOn: day }) })
      .catch(asReportError);
    return reply.redirect(`${reportPathsOf(pages.base, browserSession.sessionId).page}#step`, 303);
  }

  for (const [route, picture] of [
    [reportRoutes.pdf, ReportPictureName.UNSPECIFIED],
    [reportRoutes.poster, ReportPictureName.POSTER],
  ] as const) {
    app.get(route, { exposeHeadRoute: false }, async (request, reply) => document(request, reply, picture));
  }

  async function document(
    request: FastifyRequest,
    reply: FastifyReply,
    picture: ReportPictureName,
  ): Promise<FastifyReply> {
    const browserSession = cookies.browserSessionOf(request);
    const { paper } = request.query as { paper?: string };
    const wanted = {
      ...readerOf(request),
      format: ReportFormat.PDF,
      picture,
      paper: paper === "letter" ? ReportPaper.LETTER : ReportPaper.A4,
    };
    const { body, fileName } = await pages.client.renderOwnReport(request, browserSession, wanted).catch(asReportError);
    return reply
      .headers({ ...privateHeaders, "content-disposition": `attachment; filename="${fileName}"` })
      .type("application/pdf")
      .send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  }
}

/** Adds the route from the last hosted page to the report. */
export function addOwnReportRoute(app: FastifyInstance, deps: ReportRoutesDeps): void {
  addHead(app, routes.report);
  app.get(routes.report, { exposeHeadRoute: false }, async (request, reply) => {
    const { browserSession, isCompleted, paths, chosenLanguage } = await deps.pages.open(request);
    if (!isCompleted) return reply.redirect(paths.start, 303);
    const opened = await deps.pages.client.openOwnReport(request, browserSession, chosenLanguage);
    return enter(deps, request, reply, { ...opened, sessionId: browserSession.sessionId });
  });
}

/** HEAD requests, which only check an address, open nothing, and do not count as a view. */
function addHead(app: FastifyInstance, route: string): void {
  app.head(route, async (_request, reply) => reply.header("cache-control", "no-store").send());
}

interface Opened extends Pick<BrowserSession, "sessionId"> {
  readonly visitToken: string;
  readonly expiresAt?: Timestamp | undefined;
  readonly frameAncestors: readonly string[];
}

/** Keeps a browser session in the browser, and leads to its report. */
function enter(
  { pages, cookies }: ReportRoutesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { sessionId, visitToken, expiresAt, frameAncestors }: Opened,
): FastifyReply {
  if (expiresAt === undefined) throw new PageError("defect", 500);
  const browserSession = { sessionId, token: visitToken };
  cookies.keep(request, reply, browserSession, { expires: timestampDate(expiresAt), frameAncestors });
  return reply
    .headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" })
    .redirect(reportPathsOf(pages.base, sessionId).page, 303);
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, language, contentSecurityPolicy, frameAncestors }: RenderOwnReportResponse,
): Promise<FastifyReply> {
  reply
    .headers({
      ...framedHeaders(contentSecurityPolicy, frameAncestors),
      "content-language": language,
      vary: "accept-language, accept-encoding",
    })
    .type("text/html; charset=utf-8");
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (preferredCoding(request, ["gzip", "identity"]) !== "gzip") return reply.send(bytes);
  return reply.header("content-encoding", "gzip").send(await gzipAsync(bytes));
}

/** Languages and time zone of the browser; the script of the hosted pages stores the zone in a cookie. */
function readerOf(request: FastifyRequest) {
  const { "pas-time-zone": timeZone = "" } = request.cookies;
  return { languages: languagesOf(request), ...(isTimeZone(timeZone) ? { timeZone } : {}) };
}

/** Here a missing browser session gets the error page of reports. */
function asReportError(error: unknown): never {
  throw error instanceof PageError && error.page === "noBrowserSession"
    ? new PageError("noReportBrowserSession", 403)
    : error;
}
