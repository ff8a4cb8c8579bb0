// What a page looks like to this person: the language they read, and the partner that invited them.
import type { FastifyRequest } from "fastify";
import type { Branding } from "../gen/assessment/v1/branding_pb.ts";
import { acceptedLanguages, type Language, languageFor } from "./language.ts";

export interface Look {
  readonly language: Language;
  readonly branding: Pick<Branding, "displayName" | "logoUrl" | "accentColor">;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set as soon as the session is known; until then pages are neutral. */
    look: Look | null;
  }
}

/** The languages that the browser asks for, the preferred one first. */
export function languagesOf(request: FastifyRequest): string[] {
  return acceptedLanguages(request.headers["accept-language"]);
}

/** The look of the request's pages. */
export function lookOf(request: FastifyRequest): Look {
  return request.look ?? { language: languageFor(languagesOf(request)), branding: {} };
}

/** How sentences name the partner. */
export function partnerName({ language, branding }: Look): string {
  return branding.displayName ?? language.texts.somePartner;
}
