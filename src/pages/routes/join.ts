// Joining a group by its code. Opening the page creates nothing, since programs that check links open it too; its button gives
// each browser one session.
import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { HostedService } from "../../gen/assessment/v1/hosted_service_pb.ts";
import type { BrowserSessionCookies } from "../browser-session/browser-session-cookies.ts";
import type { BrowserSessionPages } from "../browser-session/browser-session-pages.ts";
import { deriveCsrfToken, requireCsrfToken } from "../browser-session/form.ts";
import { catalogues, chooseLanguage } from "../catalogue/language.ts";
import { PageError } from "../page-error.ts";
import { extractJoinCode, hostedPrefix, joinRoute } from "../paths.ts";
import { findOfferedLanguage, readLanguages, readRequestedLanguage } from "../views/appearance.ts";
import { renderJoinPage } from "../views/join.ts";
import { addPage, redirectTo, throwLinkError } from "./link.ts";

/** In place of a session in the name of the cookie: one for all codes. */
const browserCookieId = "browser";
/** As long as the longest code. */
const cookieSeconds = 90 * 24 * 3_600;

/** Adds the routes of join codes. @param cookies of browsers that join */
export function addJoinRoutes(app: FastifyInstance, pages: BrowserSessionPages, cookies: BrowserSessionCookies): void {
  const readCode = ({ params }: FastifyRequest) => extractJoinCode((params as { joinCode: string }).joinCode);
  const readToken = (request: FastifyRequest) => {
    const token = cookies.readToken(request, browserCookieId);
    return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined;
  };

  const throwJoinError = (error: unknown) => throwLinkError(error, "endedJoin");
  for (const route of [joinRoute, `${joinRoute}/`]) {
    addPage(app, route, async (request, reply) => {
      const browserToken = readToken(request);
      const languages = [readRequestedLanguage(request) ?? [], readLanguages(request)].flat();
      const message = { code: readCode(request), languages, ...(browserToken && { browserToken }) };
      const group = await pages.call(request, HostedService.method.openJoinCode, message).catch(throwJoinError);
      const token = browserToken ?? randomBytes(32).toString("base64url");
      const { branding, testData } = group;
      const browser = { sessionId: browserCookieId, token };
      const frameAncestors = branding?.frameAncestors ?? [];
      cookies.set(request, reply, browser, { frameAncestors, maxAge: cookieSeconds });
      const offeredLanguages = catalogues.map((each) => each.language).filter((tag) => group.languages.includes(tag));
      const language = chooseLanguage(languages);
      request.appearance = { language, branding: branding ?? {}, isTest: testData, languages: offeredLanguages };
      return pages.send(reply, renderJoinPage(group, deriveCsrfToken(browser), request.appearance));
    });

    app.post(route, async (request, reply) => {
      const browserToken = readToken(request);
      if (browserToken === undefined) throw new PageError("notAccepted", 403);
      const form = await pages.readForm(request, undefined);
      requireCsrfToken(request, { sessionId: browserCookieId, token: browserToken }, form.csrfToken);
      const locale = findOfferedLanguage(form.language) ?? catalogues[0].language;
      const message = { code: readCode(request), browserToken, locale };
      const { linkToken } = await pages.call(request, HostedService.method.joinGroup, message).catch(throwJoinError);
      return redirectTo(reply, `${pages.getBase()}${hostedPrefix}/${linkToken}`);
    });
  }
}
