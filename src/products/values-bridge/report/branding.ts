// How a report carries a partner's name, colour and logo.
import { defaultAccent } from "../../../presentation/accent.ts";
import type { ReportModel } from "./report-model.ts";
import { isTeamReport, type TeamReportModel } from "./team/team-model.ts";
import { getTeamTexts } from "./team/words.ts";
import { chooseReportLanguage } from "./words/language.ts";

export interface ReportBranding {
  readonly displayName: string | null;
  /** `#rrggbb`. */
  readonly accentColor: string | null;
  /** Shown in HTML and PDF if it is a `data:` URL; reports fetch nothing. */
  readonly logoUrl: string | null;
}

/** Controls, directional formatting and lone surrogates. */
const invisible = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

/** A text of the partner or the caller as one line of what can be seen. Its length is bounded where it comes in. Null: nothing. */
export function toVisibleLine(text: string | null): string | null {
  const visible = (text ?? "").replace(/\s+/gu, " ").replace(invisible, "").trim();
  return visible === "" ? null : visible;
}

/** The accent, or ours if it is none. */
export function findValidAccent({ accentColor }: ReportBranding): string {
  return accentColor !== null && /^#[0-9a-f]{6}$/i.test(accentColor) ? accentColor.toLowerCase() : defaultAccent;
}

/** The logo, if it comes with the branding itself: nothing is ever fetched. */
export function embedLogo({ logoUrl }: ReportBranding): string | null {
  return logoUrl?.startsWith("data:image/") === true ? logoUrl : null;
}

/** The logo, if a browser has to fetch it: for pages of the service, whose readers' browsers do that on hosted pages too. */
export function linkLogo({ logoUrl }: ReportBranding): string | null {
  return logoUrl?.startsWith("https:") === true ? logoUrl : null;
}

/** A report on a person, or on a group. */
export type AnyReport = Pick<ReportModel, "language"> | TeamReportModel;

/** The partner's name, else neutral words that say what the report is about. */
export function toBrandText({ displayName }: Pick<ReportBranding, "displayName">, model: AnyReport): string {
  const { language } = model;
  const texts = isTeamReport(model) ? getTeamTexts(language) : chooseReportLanguage([language]).texts;
  return toVisibleLine(displayName) ?? texts.neutralHead;
}
