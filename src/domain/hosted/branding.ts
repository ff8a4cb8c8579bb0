// The look of a partner's hosted pages and reports, and the sites that may show them.
import type { Violation } from "../../kernel/errors/violation.ts";
import { byteText, flag, nullable, type ObjectOf, oneOf, plain, wordList } from "../stored-fields.ts";

export const brandingFields = {
  displayName: plain<string | null>(),
  logoUrl: nullable(byteText),
  /** `#rrggbb` in lower case. */
  accentColor: plain<string | null>(),
  /** The help that people can get if their results upset them, in the partner's words. */
  supportText: plain<string | null>(),
  /** Origins of the sites that may show the pages in a frame, at most 10; empty: none. */
  frameAncestors: wordList,
  /** Whom reports compare a person with. */
  comparison: oneOf("none", "others"),
  /** Whether the last page of a short session offers the other statements. */
  offerLongForm: flag,
};

/** The look of a partner's hosted pages and reports, and the sites that may show them; null if nothing was set. */
export interface Branding extends ObjectOf<typeof brandingFields> {}

export const neutralBranding: Branding = {
  displayName: null,
  logoUrl: null,
  accentColor: null,
  supportText: null,
  frameAncestors: [],
  comparison: "none",
  offerLongForm: false,
};

const maxLogoUrlLength = 2048;
/** An image inside the page is sent with every page. */
const maxLogoDataLength = 16_384;
const logoData = /^data:image\/(?:png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/;

/** Names and addresses of hosts. URLs allow more, which would change the meaning of the pages' security policy. */
const plainHost = /^[\w.-]+$/;
/** Sites over https, and those of developers. A policy would accept a wildcard; anybody who gets a subdomain of a
 * partner could then frame its pages. */
const framingOrigin = /^(?:https:\/\/[\w.-]{1,253}|http:\/\/localhost)(?::\d{1,5})?$/;

/** The violations of a new branding, in addition to the bounds of its proto. */
export function findBrandingViolations(branding: Branding): Violation[] {
  const { displayName, logoUrl, accentColor, supportText, frameAncestors } = branding;
  return [
    ...(displayName === null ? [] : findTextViolations(displayName, "displayName", "A display name")),
    ...(logoUrl === null ? [] : findLogoViolations(logoUrl)),
    ...(accentColor === null ? [] : findColorViolations(accentColor)),
    ...(supportText === null ? [] : findTextViolations(supportText, "supportText", "A support text")),
    ...findFrameViolations(frameAncestors),
  ];
}

/** A branding without violations, as it is stored. */
export function normalizeBranding({ accentColor, frameAncestors, ...texts }: Branding): Branding {
  return {
    ...texts,
    accentColor: accentColor?.toLowerCase() ?? null,
    frameAncestors: [...new Set(frameAncestors.flatMap((each) => URL.parse(each)?.origin ?? []))],
  };
}

function findTextViolations(text: string, member: string, subject: string): Violation[] {
  const violation = (code: string, detail: string): Violation[] => [{ path: ["branding", member], code, detail }];
  if (text.trim() === "") return violation("too_short", `${subject} has at least 1 visible character.`);
  if (!text.isWellFormed() || /\p{Cc}/u.test(text)) {
    return violation("invalid_characters", `${subject} is one line: control characters are not allowed.`);
  }
  return [];
}

function findLogoViolations(logoUrl: string): Violation[] {
  const violation = (code: string, detail: string): Violation[] => [{ path: ["branding", "logoUrl"], code, detail }];
  const isData = logoUrl.startsWith("data:");
  const limit = isData ? maxLogoDataLength : maxLogoUrlLength;
  if (logoUrl.length > limit) return violation("too_long", `A logo URL of this kind has at most ${limit} characters.`);
  if (isData) {
    if (logoData.test(logoUrl)) return [];
    return violation("invalid_format", "A data URL must hold a PNG, JPEG, WebP or SVG image in base64.");
  }
  const url = logoUrl.isWellFormed() ? URL.parse(logoUrl) : null;
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "") {
    return violation("invalid_format", "A logo URL is an absolute https URL without user information, or a data URL.");
  }
  if (!plainHost.test(url.hostname))
    return violation("invalid_format", "The host of a logo URL is a name or an IPv4 address.");
  return [];
}

function findColorViolations(accentColor: string): Violation[] {
  if (/^#[0-9a-f]{6}$/i.test(accentColor)) return [];
  const detail = "An accent colour is written #rrggbb.";
  return [{ path: ["branding", "accentColor"], code: "invalid_format", detail }];
}

function findFrameViolations(frameAncestors: readonly string[]): Violation[] {
  const path = ["branding", "frameAncestors"];
  const detail =
    "An origin is https://, a host and perhaps a port, with nothing after it and no wildcard; or http://localhost.";
  return frameAncestors.flatMap((origin, index) =>
    framingOrigin.test(origin.toLowerCase()) && framingOrigin.test(URL.parse(origin)?.origin ?? "")
      ? []
      : [{ path: [...path, index], code: "invalid_format", detail }],
  );
}
