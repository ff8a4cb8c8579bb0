// Steps of every page: opening the session, reading forms, sending HTML.
import { randomBytes } from "node:crypto";
import type { SafeHtml } from "@remix-run/html-template";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type GetHostedSessionResponse, HostedService } from "../../gen/assessment/v1/hosted_service_pb.ts";
import { PersonAccess, SessionStatus } from "../../gen/assessment/v1/session_service_pb.ts";
import { toCaller } from "../../kernel/calls/core.ts";
import type { ArrivingMessages } from "../../limits/memory.ts";
import { createJsonRepresentation, type SentReply, sendRepresentation } from "../../transport/http/send.ts";
import { readBasePath } from "../../transport/http/server.ts";
import type { AssetPaths } from "../assets.ts";
import { catalogues, chooseLanguage } from "../catalogue/language.ts";
import { createPageHeaders, type FrameAncestors } from "../headers.ts";
import { type PageError, throwIfEnded } from "../page-error.ts";
import { buildPaths, type SessionPaths } from "../paths.ts";
import {
  type Appearance,
  createAppearance,
  findOfferedLanguage,
  readLanguages,
  readRequestedLanguage,
} from "../views/appearance.ts";
import { type Page, renderPage } from "../views/layout.ts";
import { type Progress, type QuestionPage, splitPages, summarizeProgress } from "../views/pagination.ts";
import { type CookieKind, createBrowserSessionCookies } from "./browser-session-cookies.ts";
import type { BrowserSession, CallCore } from "./core-calls.ts";
import { type Form, pickResendableFields, readForm, renderCsrfField, requireCsrfToken } from "./form.ts";

/** A browser session that the core accepted, with all that its pages show. */
export interface OpenBrowserSession extends BrowserSession {
  readonly session: GetHostedSessionResponse;
  readonly isCompleted: boolean;
  /** Whether the person may see the report after completion. */
  readonly offersReport: boolean;
  readonly pages: readonly QuestionPage[];
  readonly progress: Progress;
  readonly paths: SessionPaths;
  /** For every form of the pages. */
  readonly csrfField: SafeHtml;
  readonly appearance: Appearance;
  /** BCP 47 tag of the language that the person chose; undefined: none. */
  readonly chosenLanguage: string | undefined;
}

export interface BrowserSessionPagesDeps {
  readonly call: CallCore;
  /** Messages that are arriving, over every transport. */
  readonly bodies: ArrivingMessages;
  /** Of the browser sessions whose pages these are. */
  readonly kind: CookieKind;
  readonly assets: AssetPaths;
  readonly publicUrl: () => string;
}

const noMetadata: PageError["metadata"] = {};

export type BrowserSessionPages = ReturnType<typeof createBrowserSessionPages>;

export function createBrowserSessionPages({ call, bodies, kind, assets, publicUrl }: BrowserSessionPagesDeps) {
  const cookies = createBrowserSessionCookies(publicUrl, kind);
  const chosenLanguages = createBrowserSessionCookies(publicUrl, "language");
  /** Prefix of every path on a page. */
  const getBase = () => readBasePath(publicUrl());
  const readChosenLanguage = (request: FastifyRequest) =>
    readRequestedLanguage(request) ?? findOfferedLanguage(chosenLanguages.find(request)?.token);

  /** The appearance of the request's pages. Until the session is known: the branding of the error, and all languages. */
  function chooseAppearance(
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
    cookies,
    /** Of the browser sessions of reports. */
    reportCookies: createBrowserSessionCookies(publicUrl, "report"),
    publicUrl,
    getBase,
    /** The addresses of a session's pages. */
    buildPaths: (sessionId: string) => buildPaths(getBase(), sessionId),
    chooseAppearance,

    /** Opens the browser session of the session in the path. Throws a PageError. */
    async open(request: FastifyRequest): Promise<OpenBrowserSession> {
      const browserSession = cookies.requireBrowserSession(request);
      const languages = readLanguages(request);
      const chosenLanguage = readChosenLanguage(request);
      const { sessionId, token } = browserSession;
      const message = { sessionId, languages, chosenLanguage };
      const session = await call(request, HostedService.method.getHostedSession, message, token);
      const { locale } = session;
      const appearance = createAppearance(session, locale === undefined ? languages : [locale, ...languages]);
      // From here on, error pages have this appearance too.
      request.appearance = appearance;
      throwIfEnded(session.status);
      const pages = splitPages(session);
      return {
        ...browserSession,
        session,
        isCompleted: session.status === SessionStatus.COMPLETED,
        offersReport: session.personAccess === PersonAccess.AFTER_COMPLETION,
        pages,
        progress: summarizeProgress(pages),
        paths: buildPaths(getBase(), sessionId),
        csrfField: renderCsrfField(browserSession),
        appearance,
        chosenLanguage,
      };
    },

    /**
     * Adds a route for forms. Forms that no page of the browser session sent are refused.
     * @param find the browser session of a request; throws a PageError if it has none
     */
    addForm<Session extends BrowserSession>(
      app: FastifyInstance,
      route: string,
      find: (request: FastifyRequest) => Session | Promise<Session>,
      handle: (session: Session, form: Form, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
    ): void {
      app.post(route, async (request, reply) => {
        const session = await find(request);
        const isOpen = request.appearance !== null;
        const caller = isOpen ? toCaller(session.sessionId, session.sessionId) : undefined;
        const form = await readForm(request, bodies, caller);
        requireCsrfToken(request, session, form.csrfToken);
        return handle(session, form, request, reply);
      });
    },

    /** The failed form of a request, so that the person can send it again; undefined if there is none. */
    async readFailedForm(request: FastifyRequest): Promise<Form | undefined> {
      if (request.method !== "POST" || cookies.find(request) === undefined) return undefined;
      return readForm(request, bodies, undefined).then(pickResendableFields, () => undefined);
    },

    /** Sends a page. */
    send(reply: FastifyReply, page: Page, appearance = chooseAppearance(reply.request)): SentReply {
      const { request } = reply;
      const nonce = randomBytes(16).toString("base64url");
      const { logoUrl, frameAncestors: partnerAncestors = [] } = appearance.branding;
      const frameAncestors: FrameAncestors = page.allowsAnyFrame ? "all" : partnerAncestors;
      const { sessionId } = request.params as { readonly sessionId?: string };
      const embedding = { frameAncestors, sessionId: request.appearance === null ? undefined : sessionId };
      const text = renderPage(page, { appearance, assets, base: getBase(), nonce, ...embedding });
      const requestedLanguage = readRequestedLanguage(request);
      if (requestedLanguage !== undefined && request.appearance !== null && sessionId !== undefined) {
        const choice = { sessionId, token: requestedLanguage };
        chosenLanguages.set(request, reply, choice, { frameAncestors: partnerAncestors });
      }
      const { submitsToOtherSite = false, imageUrl } = page;
      const policy = { nonce, images: [logoUrl, imageUrl], submitsToOtherSite, frameAncestors };
      return sendHtml(reply.headers(createPageHeaders(policy)), text);
    },
  };
}

/** Sends HTML, compressed unless it is short. */
export function sendHtml(reply: FastifyReply, html: string | Uint8Array): SentReply {
  return sendRepresentation(reply, { ...createJsonRepresentation(html), type: "text/html; charset=utf-8" });
}
