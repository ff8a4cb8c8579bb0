// Forms of the pages, as browsers send them.
import type { FastifyRequest } from "fastify";
import { PageError } from "./page-error.ts";

/** The members of a form; the last one counts where a name comes twice. */
export type Form = Readonly<Record<string, string | undefined>>;

const answerName = /^q-(\d{1,9})$/;
const ratingText = /^\d{1,3}$/;

export function formOf(request: FastifyRequest): Form {
  const { body } = request;
  if (typeof body !== "object" || body === null) throw new PageError("invalid", 422);
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, String(Array.isArray(value) ? value.at(-1) : value)]),
  );
}

/** Whether the script of the page sent the form, and wants a short answer. */
export function isByScript(request: FastifyRequest): boolean {
  return request.headers.accept === "application/json";
}

/** What a form holds of what the pages ask for, to be sent once more; undefined where the request has none. */
export function formToResend({ body }: FastifyRequest): Form | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const known = Object.entries(body).filter(([name]) => ["csrfToken", "go"].includes(name) || answerName.test(name));
  return Object.fromEntries(known.map(([name, value]) => [name, String(value)]));
}

/** The ratings in a form by question id. Throws where one of them is no number. */
export function ratingsIn(form: Form): Map<number, number> {
  const ratings = new Map<number, number>();
  for (const [name, value = ""] of Object.entries(form)) {
    const questionId = answerName.exec(name)?.[1];
    if (questionId === undefined) continue;
    if (!ratingText.test(value)) throw new PageError("invalid", 422);
    ratings.set(Number(questionId), Number(value));
  }
  return ratings;
}
