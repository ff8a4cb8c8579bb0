// The cookie of a browser session. Its name carries the session, so that two sessions in one browser never share one.

import type { FastifyReply, FastifyRequest } from "fastify";
import { isCanonicalUuid } from "../../kernel/ids.ts";
import { PageError } from "../page-error.ts";
import type { BrowserSession } from "./core-calls.ts";

/**
 * For browser sessions of assessments and of reports, which do not grant access to each other, and for the language that
 * the person chose, with its tag in place of a token.
 */
const cookiePrefixes = { session: "pas-visit-", report: "pas-report-", language: "pas-language-" } as const;
/** Browsers accept this prefix from https only, for the whole host and for no other one. */
const secureAnd = "__Host-";
/** Limit of cookies: a shared device collects them, and each request sends all. */
const maxCookies = 12;

export interface KeptCookie {
  /** Unset: when the browser is closed. */
  readonly expires?: Date;
  /** Origins of the sites that may show the pages in a frame. */
  readonly frameAncestors: readonly string[];
}

export class BrowserSessionCookies {
  readonly #publicUrl: () => string;
  readonly #kind: keyof typeof cookiePrefixes;

  /** @param publicUrl of the service: cookies are secure if it is https */
  constructor(publicUrl: () => string, kind: keyof typeof cookiePrefixes = "session") {
    this.#publicUrl = publicUrl;
    this.#kind = kind;
  }

  /** The browser session of the session that the path names. Throws a PageError if the browser has none. */
  browserSessionOf(request: FastifyRequest): BrowserSession {
    const browserSession = this.find(request);
    if (browserSession === undefined)
      throw new PageError(this.#kind === "report" ? "noReportBrowserSession" : "noBrowserSession", 403);
    return browserSession;
  }

  /** Whether the browser has a browser session of that session. */
  hasBrowserSession(request: FastifyRequest): boolean {
    return this.find(request) !== undefined;
  }

  /** The same; undefined if the browser has none. */
  find(request: FastifyRequest): BrowserSession | undefined {
    const { sessionId = "" } = (request.params ?? {}) as { sessionId?: string };
    const token = isCanonicalUuid(sessionId) ? request.cookies[this.#prefix + sessionId] : undefined;
    return token === undefined ? undefined : { sessionId, token };
  }

  /** Keeps a browser session in the browser, in the place of the oldest ones where there are too many. */
  keep(
    request: FastifyRequest,
    reply: FastifyReply,
    { sessionId, token }: BrowserSession,
    { frameAncestors, ...until }: KeptCookie,
  ): void {
    const isFramed = frameAncestors.length > 0 && request.headers["sec-fetch-dest"] === "iframe";
    const attributes = this.#isSecure && isFramed ? this.#inFrame : this.#attributes;
    // Ids of sessions sort by the time they were made.
    const others = Object.keys(request.cookies)
      .filter((name) => name.startsWith(this.#prefix) && name !== this.#prefix + sessionId)
      .sort()
      .reverse();
    for (const name of others.slice(maxCookies - 1)) reply.clearCookie(name, attributes);
    reply.setCookie(this.#prefix + sessionId, token, { ...attributes, ...until });
  }

  get #isSecure(): boolean {
    return this.#publicUrl().startsWith("https:");
  }

  get #prefix(): string {
    const prefix = cookiePrefixes[this.#kind];
    return this.#isSecure ? secureAnd + prefix : prefix;
  }

  /** Lax: the first request comes from a link on another site. */
  get #attributes() {
    return { path: "/", httpOnly: true, sameSite: "lax", secure: this.#isSecure } as const;
  }

  /**
   * In a frame of a site that the partner names, browsers do not send other cookies. They send this one below that site
   * only. Forms do not depend on it: their token is known only to pages of the browser session.
   */
  get #inFrame() {
    return { ...this.#attributes, sameSite: "none", partitioned: true } as const;
  }
}
