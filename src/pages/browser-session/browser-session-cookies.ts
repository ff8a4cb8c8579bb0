// The cookie of a browser session. Its name contains the session's id, so that two sessions in one browser never share one.

import type { FastifyReply, FastifyRequest } from "fastify";
import { isUuid } from "../../kernel/ids.ts";
import { PageError } from "../page-error.ts";
import type { BrowserSession } from "./core-calls.ts";

/**
 * The kinds of cookies: for browser sessions of assessments and of reports, which do not grant access to each other; for the
 * chosen language, with its tag in place of a token; and for browsers that join groups.
 */
const cookiePrefixes = {
  session: "pas-hosted-",
  report: "pas-report-",
  language: "pas-language-",
  join: "pas-join-",
} as const;
/** A cookie with this prefix must be secure and belongs to exactly one host. */
const hostPrefix = "__Host-";
/** Most cookies of one kind: a shared device collects them, and each request sends all. */
const maxCookies = 12;

export interface CookieOptions {
  /** Unset: when the browser is closed. */
  readonly expires?: Date;
  /** The same in seconds from now on. */
  readonly maxAge?: number;
  /** Origins of the sites that may show the pages in a frame. */
  readonly frameAncestors: readonly string[];
}

export type BrowserSessionCookies = ReturnType<typeof createBrowserSessionCookies>;

/** Reads and sets the cookies of one kind. @param publicUrl of the service: they are secure if it is https */
export function createBrowserSessionCookies(publicUrl: () => string, kind: keyof typeof cookiePrefixes = "session") {
  const isSecure = () => publicUrl().startsWith("https:");
  const choosePrefix = () => (isSecure() ? hostPrefix : "") + cookiePrefixes[kind];

  const readToken = ({ cookies }: FastifyRequest, id: string): string | undefined => cookies[choosePrefix() + id];

  /** The browser session of the session that the path names; undefined if the browser has none. */
  function find(request: FastifyRequest): BrowserSession | undefined {
    const { sessionId = "" } = (request.params ?? {}) as { sessionId?: string };
    const token = isUuid(sessionId) ? readToken(request, sessionId) : undefined;
    return token === undefined ? undefined : { sessionId, token };
  }

  return {
    readToken,
    find,

    /** The same. Throws a PageError if the browser has none. */
    requireBrowserSession(request: FastifyRequest): BrowserSession {
      const browserSession = find(request);
      if (browserSession !== undefined) return browserSession;
      throw new PageError(kind === "report" ? "noReportBrowserSession" : "noBrowserSession", 403);
    },

    /** Sets the cookie of a browser session, and removes the oldest ones beyond the limit. */
    set(
      request: FastifyRequest,
      reply: FastifyReply,
      { sessionId, token }: BrowserSession,
      { frameAncestors, ...lifetime }: CookieOptions,
    ): void {
      const isFramed = frameAncestors.length > 0 && request.headers["sec-fetch-dest"] === "iframe";
      const attributes = {
        path: "/",
        httpOnly: true,
        secure: isSecure(),
        ...(isSecure() && isFramed ? framedAttributes : topLevelAttributes),
      };
      const name = choosePrefix() + sessionId;
      // Ids of sessions sort by the time they were made.
      const otherNames = Object.keys(request.cookies)
        .filter((each) => each.startsWith(choosePrefix()) && each !== name)
        .sort()
        .reverse();
      for (const each of otherNames.slice(maxCookies - 1)) reply.clearCookie(each, attributes);
      reply.setCookie(name, token, { ...attributes, ...lifetime });
    },
  };
}

/** The first request comes from a link on another site. */
const topLevelAttributes = { sameSite: "lax" } as const;
/**
 * A partner's frame needs a partitioned cookie: browsers send no others there. Forms do not depend on it: their token is
 * known only to pages of the browser session.
 */
const framedAttributes = { sameSite: "none", partitioned: true } as const;
