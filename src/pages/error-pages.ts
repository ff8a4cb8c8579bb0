// Sends the page of an error, with the action that it offers.
import type { FastifyReply, FastifyRequest } from "fastify";
import { getRecord } from "../transport/http/request-record.ts";
import type { BrowserSessionPages } from "./browser-session/browser-session-pages.ts";
import { isScriptRequest } from "./browser-session/form.ts";
import type { Language } from "./catalogue/language.ts";
import type { ErrorPage, PageError } from "./page-error.ts";
import { type ErrorAction, renderErrorPage } from "./views/message.ts";

/** Errors for which a retry may succeed. */
const retryablePages: readonly ErrorPage[] = ["tooMany", "unavailable", "defect"];

const endedSessionPages: readonly ErrorPage[] = ["cancelledSession", "expiredSession"];

/** Errors of a link that cannot be opened. */
const linkPages: readonly ErrorPage[] = ["unknownLink", "expiredLink", "endedCard", "endedJoin", ...endedSessionPages];

/** Sends an error: scripts get its status, people its page. */
export async function sendErrorPage(
  pages: BrowserSessionPages,
  error: PageError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { page, status, code, retryAfterSeconds } = error;
  reply.code(status);
  getRecord(request.raw).code = code;
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  if (isScriptRequest(request)) return reply.header("cache-control", "no-store").send({ code: code ?? page });
  const appearance = pages.chooseAppearance(request, error.metadata);
  const action = await findErrorAction(page, request, pages, appearance.language);
  // The partner's allowed sites are not known yet, and an empty frame would not explain the error.
  const allowsAnyFrame = request.appearance === null && linkPages.includes(page);
  const view = renderErrorPage(page, request.id, action, appearance);
  return pages.send(reply, { ...view, allowsAnyFrame }, appearance);
}

async function findErrorAction(
  page: ErrorPage,
  request: FastifyRequest,
  pages: BrowserSessionPages,
  { texts }: Language,
): Promise<ErrorAction | undefined> {
  const base = pages.getBase();
  const { sessionId } = (request.params ?? {}) as { sessionId?: string };
  // There is no session yet while somebody joins a group: they reload the page.
  if (retryablePages.includes(page) || (page === "notAccepted" && sessionId === undefined)) {
    const to = base + request.url;
    const form = await pages.readFailedForm(request);
    return form === undefined ? { kind: "link", to, label: texts.tryAgain } : { kind: "form", to, fields: form };
  }
  // An ended session has no page to return to.
  if (endedSessionPages.includes(page)) return undefined;
  // The start page needs a browser session.
  if (request.appearance === null || sessionId === undefined) return undefined;
  return { kind: "link", to: pages.buildPaths(sessionId).start, label: texts.toStart };
}
