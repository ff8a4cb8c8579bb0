// The cookie of a browser session. Its name contains the session's id, so that each session in a browser has its own.

import type { FastifyReply, FastifyRequest } from "fastify";
import { isUuid } from "../../kernel/ids.ts";
import { PageError } from "../page-error.ts";
import type { BrowserSession } from "./core-calls.ts";

/**
 * Prefixes of cookies by kind. Those of assessments and of reports give no access to each other; that of the chosen language
 * contains its tag instead of a token; `join` recognises browsers that join groups.
 */
const cookiePrefixes = {
  session: "pas-hosted-",
  report: "pas-report-",
  language: "pas-language-",
  join: "pas-join-",
} as const;
export type CookieKind = keyof typeof cookiePrefixes;
/** A cookie with this prefix must be secure and belongs to exactly one host. */
const hostPrefix = "__Host-";
/** Most cookies of one kind: each request sends all, and on a shared device there are ever more. */
const maxCookies = 12;

export interface CookieOptions {
  /** Unset: the cookie ends with the browser. */
  readonly expires?: Date;
  /** The same in seconds from now. */
  readonly maxAge?: number;
  /** Origins of the sites that may show the pages in a frame. */
  readonly frameAncestors: readonly string[];
}

export type BrowserSessionCookies = ReturnType<typeof createBrowserSessionCookies>;

/** Reads and sets the cookies of one kind. @param publicUrl of the service: they are secure if it is https */
export function createBrowserSessionCookies(publicUrl: () => string, kind: CookieKind) {
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

    /** The same as `find`, but throws a PageError if the browser has none. */
    requireBrowserSession(request: FastifyRequest): BrowserSession {
      const browserSession = find(request);
      if (browserSession !== undefined) return browserSession;
      throw new PageError(kind === "report" ? "noReportBrowserSession" : "noBrowserSession", 403);
    },

    /** Sets the cookie of a browser session, and removes the oldest if there are too many. */
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
      // Ids of sessions sort by time.
      const otherNames = Object.keys(request.cookies)
        .filter((each) => each.startsWith(choosePrefix()) && each !== name)
        .sort()
        .reverse();
      for (const each of otherNames.slice(maxCookies - 1)) reply.clearCookie(each, attributes);
      reply.setCookie(name, token, { ...attributes, ...lifetime });
    },
  };
}

/** Allows links from other sites. */
const topLevelAttributes = { sameSite: "lax" } as const;
/** In a frame of another site, browsers send partitioned cookies only. Forms are safe with them, by their CSRF token. */
const framedAttributes = { sameSite: "none", partitioned: true } as const;
