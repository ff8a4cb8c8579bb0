// A partner's name, colour and logo in reports.
import { defaultAccent } from "../../../presentation/accent.ts";
import type { ReportModel } from "./report-model.ts";
import { isTeamReport, type TeamReportModel } from "./team/team-model.ts";
import { getTeamTexts } from "./team/words.ts";
import { chooseReportLanguage } from "./words/language.ts";

export interface ReportBranding {
  readonly displayName: string | null;
  /** `#rrggbb`. */
  readonly accentColor: string | null;
  /** Shown in HTML and PDF if it is a `data:` URL: reports fetch nothing. */
  readonly logoUrl: string | null;
}

/** Controls, directional formatting and lone surrogates. */
const invisible = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

/** The visible characters of a partner's or a caller's text, in one line; null if there are none. Requests bound its length. */
export function toVisibleLine(text: string | null): string | null {
  const visible = (text ?? "").replace(/\s+/gu, " ").replace(invisible, "").trim();
  return visible === "" ? null : visible;
}

/** The partner's accent, or the default if it is invalid. */
export function findValidAccent({ accentColor }: ReportBranding): string {
  return accentColor !== null && /^#[0-9a-f]{6}$/i.test(accentColor) ? accentColor.toLowerCase() : defaultAccent;
}

/** The logo, if the branding contains it. */
export function embedLogo({ logoUrl }: ReportBranding): string | null {
  return logoUrl?.startsWith("data:image/") === true ? logoUrl : null;
}

/** The logo, if a browser has to fetch it. Only pages of the service do so, as hosted pages do. */
export function linkLogo({ logoUrl }: ReportBranding): string | null {
  return logoUrl?.startsWith("https:") === true ? logoUrl : null;
}

/** A report on a person, or on a group. */
export type AnyReport = Pick<ReportModel, "language"> | TeamReportModel;

/** The partner's name, else what the report is about. */
export function toBrandText({ displayName }: Pick<ReportBranding, "displayName">, model: AnyReport): string {
  const { language } = model;
  const texts = isTeamReport(model) ? getTeamTexts(language) : chooseReportLanguage([language]).texts;
  return toVisibleLine(displayName) ?? texts.neutralHead;
}
