// Common steps of every page of a browser session: reading the session, and sending HTML.
import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type GetHostedSessionResponse, HostedService } from "../../gen/assessment/v1/hosted_service_pb.ts";
import { PersonAccess, SessionStatus } from "../../gen/assessment/v1/session_service_pb.ts";
import { toCaller } from "../../kernel/calls/caller.ts";
import type { ArrivingMessages } from "../../limits/memory.ts";
import { createJsonRepresentation, type SentReply, sendRepresentation } from "../../transport/http/send.ts";
import { readBasePath } from "../../transport/http/server.ts";
import type { AssetPaths } from "../assets.ts";
import { catalogues, chooseLanguage } from "../catalogue/language.ts";
import { createPageHeaders, type FrameAncestors } from "../headers.ts";
import { type PageError, throwIfEnded } from "../page-error.ts";
import { buildPaths, type SessionPaths } from "../paths.ts";
import { type Appearance, findOfferedLanguage, readLanguages, readRequestedLanguage } from "../views/appearance.ts";
import { type Page, renderPage } from "../views/layout.ts";
import { computeProgress, type Progress, type QuestionPage, splitPages } from "../views/pagination.ts";
import { type BrowserSessionCookies, createBrowserSessionCookies } from "./browser-session-cookies.ts";
import type { BrowserSession, CallCore } from "./core-calls.ts";
import { deriveCsrfToken, type Form, readForm } from "./form.ts";

/** A browser session, with all that its pages show. */
export interface OpenBrowserSession {
  readonly browserSession: BrowserSession;
  readonly session: GetHostedSessionResponse;
  readonly isCompleted: boolean;
  /** Whether the person may see the results after the end. */
  readonly offersReport: boolean;
  readonly pages: readonly QuestionPage[];
  readonly progress: Progress;
  readonly paths: SessionPaths;
  /** In every form of the pages. */
  readonly csrfToken: string;
  readonly appearance: Appearance;
  /** BCP 47 tag of the language that the person chose; undefined: none. */
  readonly chosenLanguage: string | undefined;
}

export interface BrowserSessionPagesDeps {
  readonly call: CallCore;
  /** Messages that are arriving, over every transport. */
  readonly bodies: ArrivingMessages;
  readonly cookies: BrowserSessionCookies;
  readonly assets: AssetPaths;
  readonly publicUrl: () => string;
}

const noMetadata: PageError["metadata"] = {};

export type BrowserSessionPages = ReturnType<typeof createBrowserSessionPages>;

export function createBrowserSessionPages({ call, bodies, cookies, assets, publicUrl }: BrowserSessionPagesDeps) {
  const chosenLanguages = createBrowserSessionCookies(publicUrl, "language");
  /** Prefix of every path on a page. */
  const getBase = () => readBasePath(publicUrl());
  const readChosenLanguage = (request: FastifyRequest) =>
    readRequestedLanguage(request) ?? findOfferedLanguage(chosenLanguages.find(request)?.token);

  /** The appearance of the request's pages; before the session is known, what the error tells, in every language there is. */
  function readAppearance(
    request: FastifyRequest,
    { locale, displayName, accentColor, logoUrl } = noMetadata,
  ): Appearance {
    if (request.appearance !== null) return request.appearance;
    const language = chooseLanguage([readChosenLanguage(request) ?? [], locale ?? [], readLanguages(request)].flat());
    const branding = { displayName, accentColor, logoUrl };
    return { language, branding, isTest: false, languages: catalogues.map((each) => each.language) };
  }

  return {
    call,
    getBase,
    readAppearance,

    /** The session that the path names, for the browser that has a browser session of it. Throws a PageError. */
    async open(request: FastifyRequest): Promise<OpenBrowserSession> {
      const browserSession = cookies.requireBrowserSession(request);
      const languages = readLanguages(request);
      const chosenLanguage = readChosenLanguage(request);
      const { sessionId, token } = browserSession;
      const message = { sessionId, languages, ...(chosenLanguage && { chosenLanguage }) };
      const session = await call(request, HostedService.method.getHostedSession, message, token);
      const { locale, branding, testData } = session;
      const language = chooseLanguage(locale === undefined ? languages : [locale, ...languages]);
      const offeredLanguages = catalogues.map((each) => each.language).filter((tag) => session.languages.includes(tag));
      const appearance = { language, branding: branding ?? {}, isTest: testData, languages: offeredLanguages };
      // From here on, error pages have the partner's appearance too.
      request.appearance = appearance;
      throwIfEnded(session.status);
      const pages = splitPages(session);
      return {
        browserSession,
        session,
        isCompleted: session.status === SessionStatus.COMPLETED,
        offersReport: session.personAccess === PersonAccess.AFTER_COMPLETION,
        pages,
        progress: computeProgress(pages),
        paths: buildPaths(getBase(), sessionId),
        csrfToken: deriveCsrfToken(browserSession),
        appearance,
        chosenLanguage,
      };
    },

    /**
     * The form of a request. Throws a PageError.
     * @param browserSession that was opened; undefined: it is not known to be one
     */
    readForm(request: FastifyRequest, browserSession: BrowserSession | undefined): Promise<Form> {
      return readForm(request, bodies, browserSession && toCaller(browserSession.sessionId, browserSession.sessionId));
    },

    /** Whether the browser has a browser session of the session that the path names. */
    hasBrowserSession(request: FastifyRequest): boolean {
      return cookies.find(request) !== undefined;
    },

    /** Sends a page. */
    send(reply: FastifyReply, page: Page, appearance = readAppearance(reply.request)): SentReply {
      const { request } = reply;
      const nonce = randomBytes(16).toString("base64url");
      const { logoUrl, frameAncestors: partnerAncestors = [] } = appearance.branding;
      const frameAncestors: FrameAncestors = page.allowsAnyFrame ? "all" : partnerAncestors;
      const { sessionId } = request.params as { readonly sessionId?: string };
      const embedding = { frameAncestors, sessionId: request.appearance === null ? undefined : sessionId };
      const text = renderPage(page, { appearance, assets, base: getBase(), nonce, ...embedding });
      const requestedLanguage = readRequestedLanguage(request);
      if (requestedLanguage !== undefined && request.appearance !== null && sessionId !== undefined) {
        chosenLanguages.set(
          request,
          reply,
          { sessionId, token: requestedLanguage },
          { frameAncestors: partnerAncestors },
        );
      }
      const { submitsToOtherSite = false, imageUrl } = page;
      const policy = { nonce, images: [logoUrl, imageUrl], submitsToOtherSite, frameAncestors };
      return sendHtml(reply.headers(createPageHeaders(policy)), text);
    },
  };
}

/** Sends HTML, compressed unless it is short. */
export function sendHtml(reply: FastifyReply, html: string | Buffer): SentReply {
  return sendRepresentation(reply, { ...createJsonRepresentation(html), type: "text/html; charset=utf-8" });
}
