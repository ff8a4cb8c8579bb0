// The branding of a partner's hosted pages and reports: read and changed.
import { brandingViolations, normalizeBranding } from "../../domain/hosted/branding.ts";
import { Comparison } from "../../gen/assessment/v1/branding_pb.ts";
import type { GetBrandingRequest, UpdateBrandingRequest } from "../../gen/assessment/v1/partner_service_pb.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { throwIfInvalid } from "../../kernel/errors/refusal.ts";
import type { Needs } from "../dependencies.ts";
import { getPartner } from "../identity/partners.ts";

/** The partner's branding. Throws `not_found`. */
export async function getBranding(
  deps: Needs<"identities" | "brandings">,
  { partnerId }: GetBrandingRequest,
  deadline: Deadline,
) {
  const { id } = await getPartner(deps, partnerId, deadline);
  return { branding: await deps.brandings.findBranding(id, deadline.signal) };
}

/** Replaces the branding; none is an empty one. @returns it as stored. Throws `not_found`, `invalid_request`. */
export async function updateBranding(
  deps: Needs<"identities" | "brandings">,
  { partnerId, branding: fields }: UpdateBrandingRequest,
  deadline: Deadline,
) {
  const { id } = await getPartner(deps, partnerId, deadline);
  const { displayName = null, logoUrl = null, accentColor = null, supportText = null } = fields ?? {};
  const { frameAncestors = [], offerLongForm = false } = fields ?? {};
  const comparison = fields?.comparison === Comparison.OTHERS ? ("others" as const) : ("none" as const);
  const newBranding = { displayName, logoUrl, accentColor, supportText, frameAncestors, comparison, offerLongForm };
  throwIfInvalid(brandingViolations(newBranding));
  const branding = normalizeBranding(newBranding);
  await deps.brandings.saveBranding(id, branding, deadline.signal);
  return { branding };
}
