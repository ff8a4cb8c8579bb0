// Reports and brandings as PDF and PNG can show them.
import type { ReportBranding } from "../report/branding.ts";
import { textUnprintable } from "../report/rendering.ts";
import type { ReportModel } from "../report/report-model.ts";
import { isTeamReport, type TeamReportModel } from "../report/team/team-model.ts";
import { boundedLogo } from "./logo.ts";
import type { LogoBytes, Typst } from "./typst.ts";

/** Directional formatting, soft hyphens and what turns signs into emoji, which have no glyph. */
const invisible = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\ufe0e|\ufe0f/gu;

/** Texts of the letters that the bundled font is known to have; all others are tried. */
const bundled = /^[\n\x20-\x7e\u00a0-\u017f\u0400-\u045f\u2010-\u201e\u2020-\u2022\u2026\u20ac]*$/u;

/** What there is to render, and the logo that goes with it. */
export interface Printable {
  readonly model: ReportModel | TeamReportModel;
  readonly branding: ReportBranding;
  readonly logo: LogoBytes;
  /** Whether other fonts than the bundled one are needed. */
  readonly needsMoreFonts: boolean;
}

/**
 * The same with printable texts. The partner's name and logo, the name on the report and the partner's words on where to turn
 * are left out if no font has a letter of them; of those words, signs that none has.
 * @throws `not_acceptable` for any other text
 */
export function printable(
  given: { readonly model: ReportModel | TeamReportModel; readonly branding: ReportBranding },
  { canShow }: Pick<Typst, "canShow">,
): Printable {
  const isShown = (text: string) => bundled.test(text) || canShow(text);
  const { branding } = given;
  const displayName = visible(branding.displayName ?? "").trim();
  const bytes = boundedLogo(branding);
  const logo = bytes !== null && canShow("", bytes) ? bytes : null;
  const model = isTeamReport(given.model)
    ? visibleTexts(given.model)
    : withShownNames(visibleTexts(given.model), isShown);
  const texts = textsOf(model).join("\n");
  if (!isShown(texts)) throw textUnprintable();
  const name = displayName !== "" && isShown(displayName) ? displayName : null;
  return {
    model,
    branding: { ...branding, displayName: name, logoUrl: logo === null ? null : branding.logoUrl },
    logo,
    needsMoreFonts: !bundled.test(texts + (name ?? "")),
  };
}

function withShownNames({ cover, support, ...model }: ReportModel, isShown: (text: string) => boolean): ReportModel {
  const words = Array.from(support?.text ?? "")
    .filter((character) => !/\p{So}/u.test(character) || isShown(character))
    .join("")
    .trim();
  const name = cover?.name && isShown(cover.name) ? cover.name : null;
  return {
    ...model,
    cover: cover && (name ?? cover.date) !== null ? { ...cover, name } : null,
    support: support !== null && words !== "" && isShown(words) ? { ...support, text: words } : null,
  };
}

/** A text without characters that ask for no glyph, letters and their accents composed. */
function visible(text: string): string {
  return text.normalize("NFC").replace(invisible, "");
}

function visibleTexts<Model extends object>(model: Model): Model {
  return JSON.parse(JSON.stringify(model), (_name, value: unknown) =>
    typeof value === "string" ? visible(value) : value,
  ) as Model;
}

/** All texts of a report, whatever they stand in. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
