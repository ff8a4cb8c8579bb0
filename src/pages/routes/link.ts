// Exchanges the token of a link for a cookie, and redirects to an address without it.
import type { Message } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type ExchangeLinkResponse, HostedService } from "../../gen/assessment/v1/hosted_service_pb.ts";
import type { BrowserSessionCookies } from "../browser-session/browser-session-cookies.ts";
import type { BrowserSessionPages } from "../browser-session/browser-session-pages.ts";
import type { BrowserSession } from "../browser-session/core-calls.ts";
import { type ErrorPage, PageError } from "../page-error.ts";
import { extractLinkToken, routes } from "../paths.ts";

/** Adds the route of links to questionnaires. */
export function addHostedLinks(app: FastifyInstance, pages: BrowserSessionPages): void {
  addLinkRoute(app, async (request, reply, linkToken) => {
    const session = await pages.call(request, HostedService.method.exchangeLink, { linkToken }).catch(throwLinkError);
    return startBrowserSession(reply, pages.cookies, session, pages.buildPaths(session.sessionId).start);
  });
}

type OpenLink = (request: FastifyRequest, reply: FastifyReply, linkToken: string) => Promise<FastifyReply>;
type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Adds a route for links, with and without a slash at their end. */
export function addLinkRoute(app: FastifyInstance, open: OpenLink): void {
  for (const route of [routes.link, `${routes.link}/`]) {
    addPage(app, route, async (request, reply) =>
      open(request, reply, extractLinkToken((request.params as { linkToken: string }).linkToken)),
    );
  }
}

/** Adds a page. HEAD requests exchange no token and count as no view. */
export function addPage(app: FastifyInstance, route: string, handle: SendPage): void {
  app.head(route, async (_request, reply) => reply.header("cache-control", "no-store").send());
  app.get(route, { exposeHeadRoute: false }, handle);
}

/** A browser session that a link opened. */
export type NewBrowserSession = Omit<ExchangeLinkResponse, keyof Message>;

/** Sets the cookie of a browser session, and redirects to its page. */
export function startBrowserSession(
  reply: FastifyReply,
  cookies: BrowserSessionCookies,
  newSession: NewBrowserSession,
  path: string,
): FastifyReply {
  setSessionCookie(reply, cookies, newSession);
  return redirectTo(reply, path);
}

/** Redirects without a referrer: one of the two addresses contains a secret. */
export function redirectTo(reply: FastifyReply, path: string): FastifyReply {
  return reply.headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" }).redirect(path, 303);
}

/** Sets the cookie of a browser session. */
export function setSessionCookie(
  reply: FastifyReply,
  cookies: BrowserSessionCookies,
  { sessionId, browserSessionToken: token, expiresAt, frameAncestors }: NewBrowserSession,
): BrowserSession {
  if (expiresAt === undefined) throw new PageError("defect", 500);
  const browserSession = { sessionId, token };
  cookies.set(reply.request, reply, browserSession, { expires: timestampDate(expiresAt), frameAncestors });
  return browserSession;
}

/** Throws the error of an invalid link. @param expiredPage of one that has expired */
export function throwLinkError(error: unknown, expiredPage: ErrorPage = "expiredLink"): never {
  if (!(error instanceof PageError)) throw error;
  if (error.page === "expiredLink") throw new PageError(expiredPage, 410, error);
  throw error.page === "nothingHere" ? new PageError("unknownLink", 404, error) : error;
}
