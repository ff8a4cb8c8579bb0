// The appearance of pages for this person: language, and branding of the partner.
import type { FastifyRequest } from "fastify";
import type { Branding } from "../../gen/assessment/v1/branding_pb.ts";
import { parseAcceptedLanguages } from "../../kernel/languages.ts";
import { catalogues, type Language } from "../catalogue/language.ts";

export interface Appearance {
  readonly language: Language;
  readonly branding: Partial<Omit<Branding, "$typeName" | "$unknown">>;
  /** Whether it is test data, which pages show. */
  readonly isTest: boolean;
  /** BCP 47 tags of the languages that the person may choose from. */
  readonly languages: readonly string[];
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set as soon as the session is known; until then pages are neutral. */
    appearance: Appearance | null;
  }
}

/** The languages that the browser asks for, the preferred one first. */
export function readLanguages(request: FastifyRequest): string[] {
  return parseAcceptedLanguages(request.headers["accept-language"]);
}

/** The language that a link of the page asks for. */
export function readRequestedLanguage({ query }: FastifyRequest): string | undefined {
  return findOfferedLanguage((query as { readonly language?: unknown } | undefined)?.language);
}

/** Which languages of the pages are among some, in the order of the pages. @param tags BCP 47 */
export function filterOfferedLanguages(tags: readonly string[]): string[] {
  return catalogues.map(({ language }) => language).filter((tag) => tags.includes(tag));
}

export function findOfferedLanguage(tag: unknown): string | undefined {
  return catalogues.find(({ language }) => language === tag)?.language;
}

/** How sentences name the partner. */
export function getPartnerName({ language, branding }: Appearance): string {
  return branding.displayName ?? language.texts.somePartner;
}
