// Opening a link: its token becomes a browser session in a cookie, and leaves the address.
import type { Message } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type ExchangeLinkResponse, HostedService } from "../../gen/assessment/v1/hosted_service_pb.ts";
import type { BrowserSessionCookies } from "../browser-session/browser-session-cookies.ts";
import type { BrowserSessionPages } from "../browser-session/browser-session-pages.ts";
import type { BrowserSession } from "../browser-session/core-calls.ts";
import { PageError } from "../page-error.ts";
import { buildPaths, linkTokenIn, routes } from "../paths.ts";

/** Pages, and the cookies of the browser sessions that links lead to. */
export interface LinkRouteDeps {
  readonly pages: BrowserSessionPages;
  readonly cookies: BrowserSessionCookies;
}

/** Adds the route that links to questionnaires lead to. */
export function addHostedLinks(app: FastifyInstance, { pages, cookies }: LinkRouteDeps): void {
  addLinkRoute(app, async (request, reply, linkToken) => {
    const session = await pages.call(request, HostedService.method.exchangeLink, { linkToken }).catch(asLinkError);
    return enter(reply, cookies, session, buildPaths(pages.base(), session.sessionId).start);
  });
}

type OpenLink = (request: FastifyRequest, reply: FastifyReply, linkToken: string) => Promise<FastifyReply>;

/** Adds a route for links, with and without what was added to their end. */
export function addLinkRoute(app: FastifyInstance, open: OpenLink): void {
  for (const route of [routes.link, `${routes.link}/`]) {
    addHead(app, route);
    app.get<{ Params: { linkToken: string } }>(route, { exposeHeadRoute: false }, async (request, reply) =>
      open(request, reply, linkTokenIn(request.params.linkToken)),
    );
  }
}

/** HEAD requests, which only check an address, open nothing, and do not count as a view. */
export function addHead(app: FastifyInstance, route: string): void {
  app.head(route, async (_request, reply) => reply.header("cache-control", "no-store").send());
}

/** A browser session that was opened. */
export type Opened = Omit<ExchangeLinkResponse, keyof Message>;

/** Keeps a browser session in the browser, and leads to its page. */
export function enter(reply: FastifyReply, cookies: BrowserSessionCookies, opened: Opened, path: string): FastifyReply {
  keepOpened(reply, cookies, opened);
  return leadTo(reply, path);
}

/** Leads to a path, from or to an address that is secret. */
export function leadTo(reply: FastifyReply, path: string): FastifyReply {
  return reply.headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" }).redirect(path, 303);
}

/** Keeps a browser session in the browser. */
export function keepOpened(
  reply: FastifyReply,
  cookies: BrowserSessionCookies,
  { sessionId, browserSessionToken: token, expiresAt, frameAncestors }: Opened,
): BrowserSession {
  if (expiresAt === undefined) throw new PageError("defect", 500);
  const browserSession = { sessionId, token };
  cookies.keep(reply.request, reply, browserSession, { expires: timestampDate(expiresAt), frameAncestors });
  return browserSession;
}

/** The error of an invalid link. */
export function asLinkError(error: unknown): never {
  throw error instanceof PageError && error.page === "nothingHere" ? new PageError("unknownLink", 404, error) : error;
}
