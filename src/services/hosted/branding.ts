// The branding of a partner's hosted pages and reports: read, changed, and as a message, in which null is absent.
import type { Branding } from "../../domain/hosted/branding.ts";
import { brandingViolations, normalBranding } from "../../domain/hosted/branding.ts";
import { type Branding as BrandingMessage, BrandingSchema, Comparison } from "../../gen/assessment/v1/branding_pb.ts";
import { messageOf } from "../../json/message-of.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { refuseIfAny } from "../../kernel/errors/refusal.ts";
import type { BrandingStore } from "../../store/hosted/branding-store.ts";
import type { Needs } from "../dependencies.ts";
import { getPartner } from "../identity/partners.ts";

export type BrandingDeps = Needs<"identities" | "brandings">;

/** The partner's branding. Throws `not_found`. */
export async function getBranding(deps: BrandingDeps, partnerId: string, deadline: Deadline): Promise<Branding> {
  const { id } = await getPartner(deps, partnerId, deadline);
  return deps.brandings.findBranding(id, deadline.signal);
}

/** Replaces the branding. @returns it as stored. Throws `not_found`, `invalid_request`. */
export async function updateBranding(
  deps: BrandingDeps,
  partnerId: string,
  given: Branding,
  deadline: Deadline,
): Promise<Branding> {
  const { id } = await getPartner(deps, partnerId, deadline);
  refuseIfAny(brandingViolations(given));
  const branding = normalBranding(given);
  await deps.brandings.saveBranding(id, branding, deadline.signal);
  return branding;
}

/** Origins of the sites that may show the partner's pages in a frame. */
export async function frameAncestorsOf(
  { brandings }: { readonly brandings: Pick<BrandingStore, "findBranding"> },
  partnerId: string,
  { signal }: Deadline,
): Promise<string[]> {
  return [...(await brandings.findBranding(partnerId, signal)).frameAncestors];
}

/** The branding as a message. */
export const toBrandingMessage = messageOf(BrandingSchema);

/** The branding in a message; no message is an empty branding. */
export function fromBrandingMessage(message: BrandingMessage | undefined): Branding {
  const { displayName = null, logoUrl = null, accentColor = null } = message ?? {};
  const { supportText = null, frameAncestors = [] } = message ?? {};
  const comparison = message?.comparison === Comparison.OTHERS ? "others" : "none";
  return { displayName, logoUrl, accentColor, supportText, frameAncestors, comparison };
}
