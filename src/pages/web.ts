// The transport for people: hosted pages and reports, on top of a core. Errors are pages too.
import fastifyCookie from "@fastify/cookie";
import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import type { Core } from "../kernel/calls/core.ts";
import { CallerGone } from "../kernel/errors/refusal.ts";
import type { ArrivingMessages } from "../limits/memory.ts";
import { disableBodyParsing } from "../transport/http/bodies.ts";
import { getRecord } from "../transport/http/request-record.ts";
import { closeWithoutResponse } from "../transport/http/send.ts";
import { addAssets, addEmbedScript } from "./assets.ts";
import type { CookieKind } from "./browser-session/browser-session-cookies.ts";
import { type BrowserSessionPages, createBrowserSessionPages } from "./browser-session/browser-session-pages.ts";
import { createCoreCaller } from "./browser-session/core-calls.ts";
import { sendErrorPage } from "./error-pages.ts";
import { convertServerError, PageError } from "./page-error.ts";
import { hostedPrefix, joinPrefix, reportsPrefix } from "./paths.ts";
import { addCardRoutes } from "./routes/card.ts";
import { addJoinRoutes } from "./routes/join.ts";
import { addHostedLinks } from "./routes/link.ts";
import { addOwnReportRoute } from "./routes/own-report.ts";
import { addQuestionRoutes } from "./routes/questions.ts";
import { addReportRoutes } from "./routes/report.ts";
import { addSessionRoutes } from "./routes/session.ts";

export interface WebOptions {
  /** In this process or another. */
  readonly core: Core;
  /** Messages that are arriving, over every transport. */
  readonly bodies: ArrivingMessages;
  readonly publicUrl: () => string;
  /** Reports the error of a request, unless a call of the core has reported it. */
  readonly reportDefect: (error: unknown, requestId: string) => void;
}

/**
 * Adds pages to an HTTP server: hosted pages, those for joining groups, reports; and the script that shows them within other
 * pages.
 */
export async function addWeb(http: FastifyInstance, options: WebOptions): Promise<void> {
  type AddRoutes = (app: FastifyInstance, pages: BrowserSessionPages) => void;
  const addPages = async (prefix: string, kind: CookieKind, ...parts: readonly AddRoutes[]) => {
    const plugin: FastifyPluginAsync = async (app) => {
      const pages = await setUpPages(app, options, kind, prefix);
      for (const addRoutes of parts) addRoutes(app, pages);
    };
    await http.register(plugin, { prefix });
  };
  await addPages(hostedPrefix, "session", addHostedLinks, addSessionRoutes, addQuestionRoutes, addOwnReportRoute);
  await addPages(joinPrefix, "join", addJoinRoutes);
  await addPages(reportsPrefix, "report", addReportRoutes, addCardRoutes);
  addEmbedScript(http);
}

/** The common parts of all pages below a prefix: cookies, assets and error pages. */
async function setUpPages(
  app: FastifyInstance,
  { core, bodies, publicUrl, reportDefect }: WebOptions,
  kind: CookieKind,
  prefix: string,
): Promise<BrowserSessionPages> {
  disableBodyParsing(app);
  await app.register(fastifyCookie);
  app.decorateRequest("appearance", null);
  app.decorateRequest("form", null);
  const assets = addAssets(app, prefix);
  const pages = createBrowserSessionPages({ call: createCoreCaller(core), bodies, kind, assets, publicUrl });
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof CallerGone) return closeWithoutResponse(request, reply);
    const pageError = convertServerError(error);
    if (pageError.page === "defect" && !(error instanceof PageError)) {
      reportDefect(error, request.id);
      getRecord(request.raw).isReported = true;
    }
    return sendErrorPage(pages, pageError, request, reply);
  });
  app.setNotFoundHandler((request, reply) => sendErrorPage(pages, new PageError("nothingHere", 404), request, reply));
  return pages;
}
