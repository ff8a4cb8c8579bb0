// The cookie of a browser session. Its name carries the session, so that two sessions in one browser never share one.

import type { FastifyReply, FastifyRequest } from "fastify";
import { isUuid } from "../../kernel/ids.ts";
import { PageError } from "../page-error.ts";
import type { BrowserSession } from "./core-calls.ts";

/**
 * For browser sessions of assessments and of reports, which do not grant access to each other; for the language that the
 * person chose, with its tag in place of a token; and for browsers that join groups.
 */
const cookiePrefixes = {
  session: "pas-hosted-",
  report: "pas-report-",
  language: "pas-language-",
  join: "pas-join-",
} as const;
/** Browsers accept this prefix from https only, for the whole host and for no other one. */
const secureAnd = "__Host-";
/** Limit of cookies: a shared device collects them, and each request sends all. */
const maxCookies = 12;

export interface KeptCookie {
  /** Unset: when the browser is closed. */
  readonly expires?: Date;
  /** The same in seconds from now on. */
  readonly maxAge?: number;
  /** Origins of the sites that may show the pages in a frame. */
  readonly frameAncestors: readonly string[];
}

export type BrowserSessionCookies = ReturnType<typeof browserSessionCookies>;

/** The cookies of a kind. @param publicUrl of the service: they are secure if it is https */
export function browserSessionCookies(publicUrl: () => string, kind: keyof typeof cookiePrefixes = "session") {
  const isSecure = () => publicUrl().startsWith("https:");
  const prefix = () => (isSecure() ? secureAnd : "") + cookiePrefixes[kind];

  const readToken = ({ cookies }: FastifyRequest, id: string): string | undefined => cookies[prefix() + id];

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
    browserSessionOf(request: FastifyRequest): BrowserSession {
      const browserSession = find(request);
      if (browserSession !== undefined) return browserSession;
      throw new PageError(kind === "report" ? "noReportBrowserSession" : "noBrowserSession", 403);
    },

    /** Keeps a browser session in the browser, in the place of the oldest ones where there are too many. */
    keep(
      request: FastifyRequest,
      reply: FastifyReply,
      { sessionId, token }: BrowserSession,
      { frameAncestors, ...until }: KeptCookie,
    ): void {
      const isFramed = frameAncestors.length > 0 && request.headers["sec-fetch-dest"] === "iframe";
      const attributes = {
        path: "/",
        httpOnly: true,
        secure: isSecure(),
        ...(isSecure() && isFramed ? inFrame : fromLink),
      };
      const name = prefix() + sessionId;
      // Ids of sessions sort by the time they were made.
      const others = Object.keys(request.cookies)
        .filter((each) => each.startsWith(prefix()) && each !== name)
        .sort()
        .reverse();
      for (const each of others.slice(maxCookies - 1)) reply.clearCookie(each, attributes);
      reply.setCookie(name, token, { ...attributes, ...until });
    },
  };
}

/** The first request comes from a link on another site. */
const fromLink = { sameSite: "lax" } as const;
/**
 * In a frame of a site that the partner names, browsers do not send other cookies. They send this one below that site
 * only. Forms do not depend on it: their token is known only to pages of the browser session.
 */
const inFrame = { sameSite: "none", partitioned: true } as const;
