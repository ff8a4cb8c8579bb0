// Makes reports and brandings printable: PDF, PNG and SVG need a font for every character.
import { embedLogo, type ReportBranding } from "../report/branding.ts";
import type { ReportModel } from "../report/report-model.ts";
import { createTextUnprintable } from "../report/report-renderer.ts";
import { isTeamReport, type TeamReportModel } from "../report/team/team-model.ts";
import type { LogoBytes, Typst } from "./typst.ts";

/** Characters without a glyph: directional formatting, soft hyphens and variants of emoji. */
const glyphless = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\ufe0e|\ufe0f/gu;

/** Texts that the bundled font can show. Others are tried. */
const bundledCharacters = /^[\n\x20-\x7e\u00a0-\u017f\u0400-\u045f\u2010-\u201e\u2020-\u2022\u2026\u20ac]*$/u;

/** A report to render, with its logo. */
export interface Printable {
  readonly model: ReportModel | TeamReportModel;
  readonly branding: ReportBranding;
  readonly logo: LogoBytes;
}

/**
 * Makes texts printable. Names and the logo are omitted if no font can show them. Sentences of the person and of the partner lose
 * characters that no font has, and are omitted if nothing remains.
 * @throws `not_acceptable` for any other text that no font can show
 */
export function toPrintable(
  document: { readonly model: ReportModel | TeamReportModel; readonly branding: ReportBranding },
  { canShow }: Pick<Typst, "canShow">,
): Printable {
  const isShown = (text: string) => bundledCharacters.test(text) || canShow(text);
  const { branding } = document;
  const displayName = removeGlyphless(branding.displayName ?? "").trim();
  const bytes = readLogo(branding);
  const logo = bytes !== null && canShow("", bytes) ? bytes : null;
  // The syntax of JSON is ASCII, which fonts have.
  const visibleModel: typeof document.model = JSON.parse(removeGlyphless(JSON.stringify(document.model)));
  const model = isTeamReport(visibleModel)
    ? { ...visibleModel, label: keepPrintable(visibleModel.label, isShown) }
    : keepPrintableSentences(visibleModel, isShown);
  if (!isShown(JSON.stringify(model))) throw createTextUnprintable();
  const name = displayName !== "" && isShown(displayName) ? displayName : null;
  return {
    model,
    branding: { ...branding, displayName: name, logoUrl: logo === null ? null : branding.logoUrl },
    logo,
  };
}

type HasGlyphs = (text: string) => boolean;

function keepPrintableSentences({ cover, steps, support, ...model }: ReportModel, isShown: HasGlyphs): ReportModel {
  const name = cover?.name && isShown(cover.name) ? cover.name : null;
  const { chosen: chosenStep = null, earlier = null } = steps ?? {};
  const words = keepPrintable(support?.text ?? "", isShown);
  return {
    ...model,
    cover: cover && (name ?? cover.date) !== null ? { ...cover, name } : null,
    steps: steps && {
      ...steps,
      chosen: chosenStep && {
        ...chosenStep,
        step: keepPrintable(chosenStep.step, isShown),
        text: keepPrintable(chosenStep.text, isShown),
      },
      earlier: earlier && keepPrintable(earlier, isShown),
    },
    support: support !== null && /[\p{L}\p{N}]/u.test(words) ? { ...support, text: words } : null,
  };
}

/** A text that fonts can show: without signs, then with an ellipsis for letters. Fonts are tried at most twice. */
function keepPrintable(text: string, isShown: HasGlyphs): string {
  if (isShown(text)) return text;
  const withoutSigns = text
    .replace(/[\p{So}\p{Sk}\p{Cf}]/gu, "")
    .replace(/ {2,}/g, " ")
    .trim();
  if (isShown(withoutSigns)) return withoutSigns;
  return Array.from(withoutSigns, (character) => (bundledCharacters.test(character) ? character : "…"))
    .join("")
    .replace(/…[…\s]*…/g, "…");
}

/** A text without characters that have no glyph. Letters and accents are composed. */
function removeGlyphless(text: string): string {
  return text.normalize("NFC").replace(glyphless, "");
}

/** Most pixels of a logo, which bounds the memory of decoding it. */
const maxPixels = 4_000_000;

/** The bytes of a PNG or JPEG with at most 4 million pixels; null for any other logo. */
function readLogo(branding: ReportBranding): readonly number[] | null {
  const [, data] = /^data:image\/(?:png|jpeg);base64,([A-Za-z0-9+/]+=*)$/.exec(embedLogo(branding) ?? "") ?? [];
  if (data === undefined) return null;
  const bytes = Buffer.from(data, "base64");
  const size = readImageSize(bytes);
  if (size === null || size.width * size.height > maxPixels || size.width * size.height === 0) return null;
  return [...bytes];
}

/** Width and height from the header of a PNG or JPEG. */
function readImageSize(bytes: Buffer): { readonly width: number; readonly height: number } | null {
  if (bytes.length > 24 && bytes.readUInt32BE(0) === 0x89504e47) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  // Each step is at least two bytes.
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))) {
    // Markers may have several of these bytes.
    while (bytes[at + 1] === 0xff && at + 10 < bytes.length) at += 1;
    const marker = bytes[at + 1] ?? 0;
    // These markers have no length, so decoders would read other segments than this loop.
    if (marker === 0x01 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd9)) return null;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return null;
}
