// Opening a link: its token becomes a browser session in a cookie, and leaves the address.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { FastifyInstance } from "fastify";
import type { BrowserSessionCookies } from "../browser-session/browser-session-cookies.ts";
import type { BrowserSessionPages } from "../browser-session/browser-session-pages.ts";
import { PageError } from "../page-error.ts";
import { pathsOf, routes } from "../paths.ts";

export interface LinkRouteDeps {
  readonly pages: BrowserSessionPages;
  readonly cookies: BrowserSessionCookies;
}

/** Adds the route that links lead to. */
export function addLinkRoute(app: FastifyInstance, { pages, cookies }: LinkRouteDeps): void {
  // HEAD requests, which only check a link, do not open it.
  app.head(routes.link, async (_request, reply) => reply.header("cache-control", "no-store").send());

  app.get(routes.link, { exposeHeadRoute: false }, async (request, reply) => {
    const { linkToken } = request.params as { linkToken: string };
    const opened = await pages.client.exchangeLink(request, linkToken).catch(asLinkError);
    const { sessionId, visitToken, expiresAt, frameAncestors } = opened;
    if (expiresAt === undefined) throw new PageError("defect", 500);
    const browserSession = { sessionId, token: visitToken };
    cookies.keep(request, reply, browserSession, { expires: timestampDate(expiresAt), frameAncestors });
    return reply
      .headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" })
      .redirect(pathsOf(pages.base, sessionId).start, 303);
  });
}

/** The error of an invalid link. */
export function asLinkError(error: unknown): never {
  throw error instanceof PageError && error.page === "nothingHere" ? new PageError("unknownLink", 404) : error;
}
