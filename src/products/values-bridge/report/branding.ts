// How a report carries a partner's name, colour and logo.
import { defaultAccent } from "../../../presentation/accent.ts";
import type { ReportModel } from "./report-model.ts";
import { isTeamReport, type TeamReportModel } from "./team/team-model.ts";
import { teamTextsOf } from "./team/words.ts";
import { reportLanguageFor } from "./words/language.ts";

export interface ReportBranding {
  readonly displayName: string | null;
  /** `#rrggbb`. */
  readonly accentColor: string | null;
  /** Shown in HTML and PDF if it is a `data:` URL; reports fetch nothing. */
  readonly logoUrl: string | null;
}

/** Texts are cut at this number of characters as people count them. */
const longestName = 60;
const longestSupport = 300;

/** Code units of one character: an emoji of a family has 11, stacked accents have no end. */
const longestCharacter = 32;

/** The longest `data:` URL of a logo, as brandings hold it. */
const longestLogo = 16_384;

/** Controls, directional formatting and lone surrogates. */
const invisible = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

/** A name as one line of visible text: without controls, cut where it is too long. Null if nothing is left of it. */
export function cleanName(name: string | null): string | null {
  return cleanLine(name, longestName);
}

/** The partner's words on where to turn, likewise. */
export function cleanSupport(support: string | null): string | null {
  return cleanLine(support, longestSupport);
}

function cleanLine(given: string | null, most: number): string | null {
  // The part cut off here is beyond the longest text, whatever its characters are composed of.
  const text = (given ?? "")
    .slice(0, most * longestCharacter)
    .replace(/\s+/gu, " ")
    .replace(invisible, "")
    .trim();
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) =>
    segment.slice(0, longestCharacter),
  );
  if (characters.length === 0) return null;
  if (characters.length <= most) return characters.join("");
  return `${characters
    .slice(0, most - 1)
    .join("")
    .trim()}…`;
}

/** The accent, or ours if it is none. */
export function accentOf({ accentColor }: ReportBranding): string {
  return accentColor !== null && /^#[0-9a-f]{6}$/i.test(accentColor) ? accentColor.toLowerCase() : defaultAccent;
}

/** The logo, if it comes with the branding itself: nothing is ever fetched. */
export function embeddedLogo({ logoUrl }: ReportBranding): string | null {
  const isImage =
    logoUrl !== null && logoUrl.length <= longestLogo && /^data:image\/(?:png|jpeg|webp|svg\+xml)[;,]/.test(logoUrl);
  return isImage ? logoUrl : null;
}

/** The logo, if a browser has to fetch it: for pages of the service, whose readers' browsers do that on hosted pages too. */
export function fetchedLogo({ logoUrl }: ReportBranding): string | null {
  return logoUrl !== null && logoUrl.length <= longestLogo && URL.parse(logoUrl)?.protocol === "https:"
    ? logoUrl
    : null;
}

type AnyReport = Pick<ReportModel, "language"> | TeamReportModel;

/** The partner's name, else neutral words that say what the report is about. */
export function brandWords({ displayName }: Pick<ReportBranding, "displayName">, model: AnyReport): string {
  return cleanName(displayName) ?? neutralHead(model);
}

/** What stands at the head of a report without a name. */
export function neutralHead(model: AnyReport): string {
  const { language } = model;
  return isTeamReport(model) ? teamTextsOf(language).neutralHead : reportLanguageFor([language]).texts.neutralHead;
}
