// How the hosted pages and reports of a partner look, and where they may be shown.

import type { Deadline } from "../../kernel/environment.ts";
import { notFound, refuseIfAny } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import { isLongerThan } from "../../kernel/formats.ts";
import { parseUuid } from "../identifiers.ts";
import type { IdentityStore } from "../identity/identity-port.ts";
import type { Branding, BrandingStore } from "./branding-port.ts";

export interface BrandingDeps {
  readonly brandings: BrandingStore;
  readonly identities: Pick<IdentityStore, "findPartner">;
}

export const neutralBranding: Branding = {
  displayName: null,
  logoUrl: null,
  accentColor: null,
  supportText: null,
  frameAncestors: [],
};

const maxNameLength = 60;
const maxSupportLength = 300;
const maxFrameAncestors = 10;
const maxLogoUrlLength = 2048;
/** An image inside the page is sent with every page. */
const maxLogoDataLength = 16_384;
const logoData = /^data:image\/(?:png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/;

/** Names and addresses of hosts. URLs allow more, which would change the meaning of the pages' security policy. */
const plainHost = /^[\w.-]+$/;
/** Sites that people reach securely, and those of developers. A policy would take a wildcard; whoever gets a subdomain of a
 * partner could then frame its pages. */
const framingOrigin = /^(?:https:\/\/[\w.-]{1,253}|http:\/\/localhost)(?::\d{1,5})?$/;

/** The partner's branding. Throws `not_found`. */
export async function getBranding(deps: BrandingDeps, partnerId: string, { signal }: Deadline): Promise<Branding> {
  const id = await knownPartnerId(deps, partnerId, signal);
  return (await deps.brandings.findBranding(id, signal)) ?? neutralBranding;
}

/** Origins of the sites that may show the partner's pages in a frame. */
export async function frameAncestorsOf(
  { brandings }: { readonly brandings: Pick<BrandingStore, "findBranding"> },
  partnerId: string,
  { signal }: Deadline,
): Promise<string[]> {
  return [...((await brandings.findBranding(partnerId, signal)) ?? neutralBranding).frameAncestors];
}

/** Puts a branding in the place of the earlier one. @returns it as stored. Throws `not_found`, `invalid_request`. */
export async function updateBranding(
  deps: BrandingDeps,
  partnerId: string,
  { displayName, logoUrl, accentColor, supportText, frameAncestors }: Branding,
  { signal }: Deadline,
): Promise<Branding> {
  const id = await knownPartnerId(deps, partnerId, signal);
  refuseIfAny([
    ...(displayName === null ? [] : textViolations(displayName, "displayName", "A display name", maxNameLength)),
    ...(logoUrl === null ? [] : logoViolations(logoUrl)),
    ...(accentColor === null ? [] : colorViolations(accentColor)),
    ...(supportText === null ? [] : textViolations(supportText, "supportText", "A support text", maxSupportLength)),
    ...frameViolations(frameAncestors),
  ]);
  const branding = {
    displayName,
    logoUrl,
    accentColor: accentColor?.toLowerCase() ?? null,
    supportText,
    frameAncestors: [...new Set(frameAncestors.flatMap((each) => URL.parse(each)?.origin ?? []))],
  };
  await deps.brandings.saveBranding(id, branding, signal);
  return branding;
}

async function knownPartnerId(deps: BrandingDeps, partnerId: string, signal: AbortSignal): Promise<string> {
  const id = parseUuid(partnerId);
  const partner = id && (await deps.identities.findPartner(id, signal));
  if (!partner) throw notFound();
  return partner.id;
}

function textViolations(text: string, member: string, what: string, most: number): Violation[] {
  const violation = (code: string, detail: string): Violation[] => [{ path: ["branding", member], code, detail }];
  if (text.trim() === "") return violation("too_short", `${what} has at least 1 visible character.`);
  if (isLongerThan(text, most)) return violation("too_long", `${what} has at most ${most} characters.`);
  if (!text.isWellFormed() || /\p{Cc}/u.test(text)) {
    return violation("invalid_characters", `${what} is one line: control characters are not allowed.`);
  }
  return [];
}

function logoViolations(logoUrl: string): Violation[] {
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

function colorViolations(accentColor: string): Violation[] {
  if (/^#[0-9a-f]{6}$/i.test(accentColor)) return [];
  const detail = "An accent colour is written #rrggbb.";
  return [{ path: ["branding", "accentColor"], code: "invalid_format", detail }];
}

function frameViolations(frameAncestors: readonly string[]): Violation[] {
  const path = ["branding", "frameAncestors"];
  if (frameAncestors.length > maxFrameAncestors) {
    const detail = `At most ${maxFrameAncestors} sites may show the pages in a frame.`;
    return [{ path, code: "too_many_items", detail }];
  }
  const detail =
    "An origin is https://, a host and perhaps a port, with nothing after it and no wildcard; or http://localhost.";
  return frameAncestors.flatMap((origin, index) =>
    framingOrigin.test(origin.toLowerCase()) && framingOrigin.test(URL.parse(origin)?.origin ?? "")
      ? []
      : [{ path: [...path, index], code: "invalid_format", detail }],
  );
}
