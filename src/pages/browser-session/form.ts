// Forms of the pages, as browsers send them. A CSRF token, which only pages of the browser session contain, protects against
// forms of other sites.

import { createHmac, timingSafeEqual } from "node:crypto";
import { html, type SafeHtml } from "@remix-run/html-template";
import type { FastifyRequest } from "fastify";
import { maxUnknownMessageBytes, type Sender } from "../../kernel/calls/core.ts";
import type { ArrivingMessages } from "../../limits/memory.ts";
import { readFormBody } from "../../transport/http/bodies.ts";
import { PageError } from "../page-error.ts";
import type { BrowserSession } from "./core-calls.ts";

/** The members of a form; the last one counts if a name comes twice. */
export type Form = Readonly<Record<string, string | undefined>>;

declare module "fastify" {
  interface FastifyRequest {
    /** Set when the form was read. */
    form: Form | null;
  }
}

const answerName = /^q-(\d{1,10})$/;
const ratingText = /^\d{1,3}$/;
/** Question ids are int32. */
const maxQuestionId = 2 ** 31 - 1;
/** Fields beside the answers. The script adds `embedded` in a frame whose page waits for the end of the session. */
const controlFields = ["csrfToken", "go", "embedded"];

/**
 * Reads the form of a request, once. Throws a PageError for a body that is not a form, and errors of reading the body.
 * @param caller the session that sends it; undefined if the core has not checked its browser session
 */
export async function readForm(
  request: FastifyRequest,
  bodies: ArrivingMessages,
  caller: Sender["caller"],
): Promise<Form> {
  if (request.form !== null) return request.form;
  const limits = { maxBytes: maxUnknownMessageBytes, caller, address: request.callerAddress };
  const body = await readFormBody(request.raw, limits, bodies);
  if (body === undefined) throw new PageError("invalid", 422);
  request.form = Object.fromEntries(body);
  return request.form;
}

/** Whether the script of the page sent the form, and wants a short response. */
export function isScriptRequest(request: FastifyRequest): boolean {
  return request.headers.accept === "application/json";
}

/** The known fields of a form, to send it again. */
export function pickResendableFields(form: Form): Form {
  const fields = Object.entries(form).filter(([name]) => controlFields.includes(name) || answerName.test(name));
  return Object.fromEntries(fields);
}

/** The ratings in a form by question id. Throws a PageError for an unknown field, which could be an answer. */
export function readRatings(form: Form): Map<number, number> {
  const ratings = new Map<number, number>();
  for (const [name, value = ""] of Object.entries(form)) {
    if (controlFields.includes(name)) continue;
    const questionId = Number(answerName.exec(name)?.[1]);
    if (!(questionId <= maxQuestionId) || !ratingText.test(value)) throw new PageError("invalid", 422);
    ratings.set(questionId, Number(value));
  }
  return ratings;
}

/** The token in every form of the browser session's pages. It is derived from the browser session and stored nowhere. */
export function deriveCsrfToken({ sessionId, token }: BrowserSession): string {
  return createHmac("sha256", token).update(`form ${sessionId}`).digest("base64url");
}

/** The field of a form with that token. */
export function renderCsrfField(browserSession: BrowserSession): SafeHtml {
  return html`<input type="hidden" name="csrfToken" value="${deriveCsrfToken(browserSession)}">`;
}

/** Throws a PageError unless the form comes from a page of the browser session. @param formToken the form's token */
export function requireCsrfToken(
  request: FastifyRequest,
  browserSession: BrowserSession,
  formToken: string | undefined,
): void {
  const site = request.headers["sec-fetch-site"];
  const expectedToken = Buffer.from(deriveCsrfToken(browserSession));
  const actualToken = Buffer.from(formToken ?? "");
  const isOwn = actualToken.length === expectedToken.length && timingSafeEqual(actualToken, expectedToken);
  // Older browsers do not send the origin of a request.
  if (!isOwn || (site !== undefined && site !== "same-origin")) throw new PageError("notAccepted", 403);
}
