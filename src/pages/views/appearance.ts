// The appearance of pages for this person: language, and branding of the partner.
import type { FastifyRequest } from "fastify";
import type { Branding } from "../../gen/assessment/v1/branding_pb.ts";
import type { GetHostedSessionResponse } from "../../gen/assessment/v1/hosted_service_pb.ts";
import { parseAcceptedLanguages } from "../../kernel/languages.ts";
import { catalogues, chooseLanguage, type Language } from "../catalogue/language.ts";

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
    /** Null until the session is known: pages are neutral. */
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

/**
 * The appearance of what the core sends for a page.
 * @param languages BCP 47 tags of its own; pages offer those that they have
 * @param preferred BCP 47 tags
 */
export function createAppearance(
  { branding, testData, languages }: Pick<GetHostedSessionResponse, "branding" | "testData" | "languages">,
  preferred: readonly string[],
): Appearance {
  const offeredLanguages = catalogues.map((each) => each.language).filter((tag) => languages.includes(tag));
  const language = chooseLanguage(preferred);
  return { language, branding: branding ?? {}, isTest: testData, languages: offeredLanguages };
}

/** The tag, if pages are in that language. */
export function findOfferedLanguage(tag: unknown): string | undefined {
  return catalogues.find(({ language }) => language === tag)?.language;
}

/** The name of the partner in sentences. */
export function getPartnerName({ language, branding }: Appearance): string {
  return branding.displayName ?? language.texts.somePartner;
}
