// Joining a group by its code. Programs that check links open the page too, so only its button creates a session: one for
// each browser.
import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { HostedService } from "../../gen/assessment/v1/hosted_service_pb.ts";
import type { BrowserSessionPages } from "../browser-session/browser-session-pages.ts";
import type { BrowserSession } from "../browser-session/core-calls.ts";
import { renderCsrfField } from "../browser-session/form.ts";
import { catalogues } from "../catalogue/language.ts";
import { PageError } from "../page-error.ts";
import { extractJoinCode, hostedPrefix, joinRoute } from "../paths.ts";
import { createAppearance, findOfferedLanguage, readLanguages, readRequestedLanguage } from "../views/appearance.ts";
import { renderJoinPage } from "../views/join.ts";
import { addPage, redirectTo, throwLinkError } from "./link.ts";

/** Takes the place of the session's id in the name of the cookie: a browser has one cookie for all codes. */
const browserCookieId = "browser";
/** As long as the longest code. */
const cookieSeconds = 90 * 24 * 3_600;

/** Adds the routes of join codes. */
export function addJoinRoutes(app: FastifyInstance, pages: BrowserSessionPages): void {
  const readCode = ({ params }: FastifyRequest) => extractJoinCode((params as { joinCode: string }).joinCode);
  const findBrowser = (request: FastifyRequest): BrowserSession | undefined => {
    const token = pages.cookies.readToken(request, browserCookieId);
    return token !== undefined && /^[\w-]{43}$/.test(token) ? { sessionId: browserCookieId, token } : undefined;
  };
  const requireBrowser = (request: FastifyRequest): BrowserSession => {
    const browser = findBrowser(request);
    if (browser === undefined) throw new PageError("notAccepted", 403);
    return browser;
  };

  const throwJoinError = (error: unknown) => throwLinkError(error, "endedJoin");
  for (const route of [joinRoute, `${joinRoute}/`]) {
    addPage(app, route, async (request, reply) => {
      const knownBrowser = findBrowser(request);
      const languages = [readRequestedLanguage(request) ?? [], readLanguages(request)].flat();
      const message = { code: readCode(request), languages, browserToken: knownBrowser?.token };
      const group = await pages.call(request, HostedService.method.openJoinCode, message).catch(throwJoinError);
      const browser = knownBrowser ?? { sessionId: browserCookieId, token: randomBytes(32).toString("base64url") };
      const frameAncestors = group.branding?.frameAncestors ?? [];
      pages.cookies.set(request, reply, browser, { frameAncestors, maxAge: cookieSeconds });
      request.appearance = createAppearance(group, languages);
      return pages.send(reply, renderJoinPage(group, renderCsrfField(browser), request.appearance));
    });

    pages.addForm(app, route, requireBrowser, async ({ token: browserToken }, form, request, reply) => {
      const locale = findOfferedLanguage(form.language) ?? catalogues[0].language;
      const message = { code: readCode(request), browserToken, locale };
      const { linkToken } = await pages.call(request, HostedService.method.joinGroup, message).catch(throwJoinError);
      return redirectTo(reply, `${pages.getBase()}${hostedPrefix}/${linkToken}`);
    });
  }
}
