// Refuses forms sent by another site on a person's behalf: they lack the token that only a page of the browser
// session has.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { PageError } from "../page-error.ts";
import type { BrowserSession } from "./core-calls.ts";

/**
 * The token in every form of the browser session's pages. It is derived from the browser session, so nothing has
 * to be stored.
 */
export function csrfToken({ sessionId, token }: BrowserSession): string {
  return createHmac("sha256", token).update(`form ${sessionId}`).digest("base64url");
}

/** Throws where the form did not come from a page of the browser session. @param given the form's token */
export function requireCsrfToken(
  request: FastifyRequest,
  browserSession: BrowserSession,
  given: string | undefined,
): void {
  const site = request.headers["sec-fetch-site"];
  const wanted = Buffer.from(csrfToken(browserSession));
  const sent = Buffer.from(given ?? "");
  const isOwn = sent.length === wanted.length && timingSafeEqual(sent, wanted);
  // Older browsers do not send the origin of a request.
  if (!isOwn || (site !== undefined && site !== "same-origin")) throw new PageError("notAccepted", 403);
}
