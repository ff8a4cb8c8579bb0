// Sends the page of an error, with the action that it offers.
import type { FastifyReply, FastifyRequest } from "fastify";
import { getRecord } from "../transport/http/request-record.ts";
import type { BrowserSessionPages } from "./browser-session/browser-session-pages.ts";
import { type Form, formToResend, isByScript } from "./browser-session/form.ts";
import type { Language } from "./catalogue/language.ts";
import type { ErrorPage, PageError } from "./page-error.ts";
import { buildPaths } from "./paths.ts";
import { errorPage, type WayOut } from "./views/message.ts";

/** What the person sent, so that it can be sent again: the error may have occurred before the form was read. */
async function readSubmittedForm(request: FastifyRequest, pages: BrowserSessionPages): Promise<Form | undefined> {
  if (request.method !== "POST" || !pages.hasBrowserSession(request)) return undefined;
  return pages.form(request, undefined).then(formToResend, () => undefined);
}

/** Errors for which a retry may succeed. */
const passing: readonly ErrorPage[] = ["tooMany", "unavailable", "defect"];

const pagesOfEndedSessions: readonly ErrorPage[] = ["cancelledSession", "expiredSession"];

/** Errors of a link that cannot be opened. */
const ofLinks: readonly ErrorPage[] = ["unknownLink", "expiredLink", "endedCard", "endedJoin", ...pagesOfEndedSessions];

/** Answers an error: scripts get its status, people its page. */
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
  if (isByScript(request)) return reply.header("cache-control", "no-store").send({ code: code ?? page });
  const appearance = pages.appearanceOf(request, error.facts);
  const wayOut = await findWayOut(page, request, pages, appearance.language);
  // The partner's allowed sites are not known at that point, and an empty frame would not explain the error.
  const isForAnyFrame = request.appearance === null && ofLinks.includes(page);
  const view = errorPage({ page, requestId: request.id, wayOut }, appearance);
  return pages.send(reply, { ...view, isForAnyFrame }, appearance);
}

async function findWayOut(
  page: ErrorPage,
  request: FastifyRequest,
  pages: BrowserSessionPages,
  { texts }: Language,
): Promise<WayOut | undefined> {
  const base = pages.base();
  const { sessionId } = (request.params ?? {}) as { sessionId?: string };
  // Whoever joins a group has no session yet, and may open the page again.
  if (passing.includes(page) || (page === "notAccepted" && sessionId === undefined)) {
    const to = base + request.url;
    const form = await readSubmittedForm(request, pages);
    return form === undefined ? { kind: "link", to, label: texts.tryAgain } : { kind: "form", to, fields: form };
  }
  // There is no page to return to, and no action for the person.
  if (pagesOfEndedSessions.includes(page)) return undefined;
  // Only a person with a browser session is sent back to it.
  if (request.appearance === null || sessionId === undefined) return undefined;
  return { kind: "link", to: buildPaths(base, sessionId).start, label: texts.toStart };
}
