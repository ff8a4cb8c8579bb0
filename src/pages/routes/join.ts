// Joining a group by its code. Opening the page creates nothing, since programs that check links open it too; its button gives
// each browser one session.
import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { HostedService } from "../../gen/assessment/v1/hosted_service_pb.ts";
import type { BrowserSessionCookies } from "../browser-session/browser-session-cookies.ts";
import type { BrowserSessionPages } from "../browser-session/browser-session-pages.ts";
import { csrfToken, requireCsrfToken } from "../browser-session/form.ts";
import { catalogues, languageFor } from "../catalogue/language.ts";
import { PageError } from "../page-error.ts";
import { hostedPrefix, joinCodeIn, joinRoute } from "../paths.ts";
import { askedLanguage, offeredLanguage, readLanguages } from "../views/appearance.ts";
import { joinPage } from "../views/join.ts";
import { addHead, asLinkError, leadTo } from "./link.ts";

/** In place of a session in the name of the cookie: one for all codes. */
const browserId = "browser";
/** As long as the longest code. */
const cookieSeconds = 90 * 24 * 3_600;

/** Adds the routes of join codes. @param cookies of browsers that join */
export function addJoinRoutes(app: FastifyInstance, pages: BrowserSessionPages, cookies: BrowserSessionCookies): void {
  const codeIn = ({ params }: FastifyRequest) => joinCodeIn((params as { joinCode: string }).joinCode);
  const readToken = (request: FastifyRequest) => {
    const token = cookies.readToken(request, browserId);
    return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined;
  };

  for (const route of [joinRoute, `${joinRoute}/`]) {
    addHead(app, route);

    app.get(route, { exposeHeadRoute: false }, async (request, reply) => {
      const browserToken = readToken(request);
      const languages = [askedLanguage(request) ?? [], readLanguages(request)].flat();
      const message = { code: codeIn(request), languages, ...(browserToken && { browserToken }) };
      const group = await pages.call(request, HostedService.method.openJoinCode, message).catch(asJoinError);
      const token = browserToken ?? randomBytes(32).toString("base64url");
      const { branding, testData } = group;
      const browser = { sessionId: browserId, token };
      const frameAncestors = branding?.frameAncestors ?? [];
      cookies.keep(request, reply, browser, { frameAncestors, maxAge: cookieSeconds });
      const offeredLanguages = catalogues.map((each) => each.language).filter((tag) => group.languages.includes(tag));
      const language = languageFor(languages);
      request.appearance = { language, branding: branding ?? {}, isTest: testData, languages: offeredLanguages };
      return pages.send(reply, joinPage(group, csrfToken(browser), request.appearance));
    });

    app.post(route, async (request, reply) => {
      const browserToken = readToken(request);
      if (browserToken === undefined) throw new PageError("notAccepted", 403);
      const form = await pages.form(request, undefined);
      requireCsrfToken(request, { sessionId: browserId, token: browserToken }, form.csrfToken);
      const locale = offeredLanguage(form.language) ?? catalogues[0].language;
      const message = { code: codeIn(request), browserToken, locale };
      const { linkToken } = await pages.call(request, HostedService.method.joinGroup, message).catch(asJoinError);
      return leadTo(reply, `${pages.base()}${hostedPrefix}/${linkToken}`);
    });
  }
}

function asJoinError(error: unknown): never {
  if (error instanceof PageError && error.page === "expiredLink") throw new PageError("endedJoin", 410, error);
  return asLinkError(error);
}
