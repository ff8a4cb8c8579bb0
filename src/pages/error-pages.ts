// Sends the page of an error, with the way out that it offers.
import type { FastifyReply, FastifyRequest } from "fastify";
import { markRefused } from "../transport/http/request-record.ts";
import type { BrowserSessionPages } from "./browser-session/browser-session-pages.ts";
import { type Form, formToResend, isByScript } from "./browser-session/form.ts";
import { type ErrorPage, endPages, type PageError } from "./page-error.ts";
import { pathsOf } from "./paths.ts";
import { appearanceOf } from "./views/appearance.ts";
import { errorPage, type WayOut } from "./views/message.ts";

/** What the person sent, so that it can be sent again: the service may have stumbled before it read the form. */
async function formOf(request: FastifyRequest, pages: BrowserSessionPages): Promise<Form | undefined> {
  if (request.method !== "POST" || !pages.hasBrowserSession(request)) return undefined;
  return pages.form(request, undefined).then(formToResend, () => undefined);
}

/** Errors that may be gone when the same is tried again. */
const passing: readonly ErrorPage[] = ["tooMany", "unavailable", "defect"];

const ended: readonly ErrorPage[] = Object.values(endPages);

/** What a link can lead to that opens nothing. */
const ofLinks: readonly ErrorPage[] = ["unknownLink", "expiredLink", ...ended];

/** Answers an error: scripts get its status, people its page. */
export async function sendErrorPage(
  pages: BrowserSessionPages,
  { page, status, code, retryAfterSeconds }: PageError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.code(status);
  markRefused(request, code);
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  if (isByScript(request)) return reply.header("cache-control", "no-store").send({ code: code ?? page });
  const wayOut = await wayOutOf(page, request, pages);
  // Which sites the partner of a link names is not known then. An empty frame would tell the person nothing.
  const isForAnyFrame = request.appearance === null && ofLinks.includes(page);
  const view = errorPage({ page, requestId: request.id, wayOut }, appearanceOf(request));
  return pages.send(reply, { ...view, isForAnyFrame });
}

async function wayOutOf(
  page: ErrorPage,
  request: FastifyRequest,
  pages: BrowserSessionPages,
): Promise<WayOut | undefined> {
  const { texts } = appearanceOf(request).language;
  const { base } = pages;
  if (passing.includes(page)) {
    const to = base + request.url;
    const form = await formOf(request, pages);
    return form === undefined ? { kind: "link", to, label: texts.tryAgain } : { kind: "form", to, fields: form };
  }
  // There is nothing to go back to, and nothing that the person could do.
  if (ended.includes(page)) return undefined;
  // Only who has been let in to a session is sent back to it.
  const { sessionId } = (request.params ?? {}) as { sessionId?: string };
  if (request.appearance === null || sessionId === undefined) return undefined;
  return { kind: "link", to: pathsOf(base, sessionId).start, label: texts.toStart };
}
