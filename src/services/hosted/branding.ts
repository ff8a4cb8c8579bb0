// The branding of a partner's hosted pages and reports: read and changed.
import { findBrandingViolations, normalizeBranding } from "../../domain/hosted/branding.ts";
import { Comparison } from "../../gen/assessment/v1/branding_pb.ts";
import type { PartnerService } from "../../gen/assessment/v1/partner_service_pb.ts";
import { throwIfInvalid } from "../../kernel/errors/refusal.ts";
import type { ServiceImpl } from "../../pipeline/call.ts";
import type { Dependencies } from "../dependencies.ts";
import { getPartner } from "../identity/partners.ts";

export function createBrandingRpcs(deps: Dependencies) {
  const { brandings } = deps;
  return {
    async getBranding({ partnerId }, call) {
      const { id } = await getPartner(deps, partnerId, call);
      return { branding: await brandings.findBranding(id, call.signal) };
    },

    /** Replaces the branding; none is an empty one. */
    async updateBranding({ partnerId, branding: fields }, call) {
      const { id } = await getPartner(deps, partnerId, call);
      const { displayName = null, logoUrl = null, accentColor = null, supportText = null } = fields ?? {};
      const { frameAncestors = [], offerLongForm = false } = fields ?? {};
      const comparison = fields?.comparison === Comparison.OTHERS ? ("others" as const) : ("none" as const);
      const newBranding = { displayName, logoUrl, accentColor, supportText, frameAncestors, comparison, offerLongForm };
      throwIfInvalid(findBrandingViolations(newBranding));
      const branding = normalizeBranding(newBranding);
      await brandings.saveBranding(id, branding, call.signal);
      return { branding };
    },
  } satisfies Partial<ServiceImpl<typeof PartnerService>>;
}
