// How the hosted pages of a partner look.

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

export const neutralBranding: Branding = { displayName: null, logoUrl: null, accentColor: null };

const maxNameLength = 60;
const maxLogoUrlLength = 2048;
/** An image inside the page is sent with every page. */
const maxLogoDataLength = 16_384;
const logoData = /^data:image\/(?:png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/;

/** Names and addresses of hosts. URLs allow more, which would change the meaning of the pages' security policy. */
const plainHost = /^[\w.-]+$/;

/** The partner's branding. Throws `not_found`. */
export async function getBranding(deps: BrandingDeps, partnerId: string, { signal }: Deadline): Promise<Branding> {
  const id = await knownPartnerId(deps, partnerId, signal);
  return (await deps.brandings.findBranding(id, signal)) ?? neutralBranding;
}

/** Puts a branding in the place of the earlier one. @returns it as stored. Throws `not_found`, `invalid_request`. */
export async function updateBranding(
  deps: BrandingDeps,
  partnerId: string,
  { displayName, logoUrl, accentColor }: Branding,
  { signal }: Deadline,
): Promise<Branding> {
  const id = await knownPartnerId(deps, partnerId, signal);
  refuseIfAny([
    ...(displayName === null ? [] : nameViolations(displayName)),
    ...(logoUrl === null ? [] : logoViolations(logoUrl)),
    ...(accentColor === null ? [] : colorViolations(accentColor)),
  ]);
  const branding = { displayName, logoUrl, accentColor: accentColor?.toLowerCase() ?? null };
  await deps.brandings.saveBranding(id, branding, signal);
  return branding;
}

async function knownPartnerId(deps: BrandingDeps, partnerId: string, signal: AbortSignal): Promise<string> {
  const id = parseUuid(partnerId);
  const partner = id && (await deps.identities.findPartner(id, signal));
  if (!partner) throw notFound();
  return partner.id;
}

function nameViolations(displayName: string): Violation[] {
  const violation = (code: string, detail: string): Violation[] => [
    { path: ["branding", "displayName"], code, detail },
  ];
  if (displayName.trim() === "") return violation("too_short", "A display name has at least 1 visible character.");
  if (isLongerThan(displayName, maxNameLength)) {
    return violation("too_long", `A display name has at most ${maxNameLength} characters.`);
  }
  if (!displayName.isWellFormed() || /\p{Cc}/u.test(displayName)) {
    return violation("invalid_characters", "Control characters are not allowed.");
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
