// PartnerService, as operators use it.
import type { PartnerService } from "../../gen/assessment/v1/partner_service_pb.ts";
import { deadlineOf } from "../../pipeline/call.ts";
import type { ServiceImpl } from "../../pipeline/handlers.ts";
import type { Needs } from "../dependencies.ts";
import { getBranding, updateBranding } from "../hosted/branding.ts";
import { getSessionPolicies, updateSessionPolicy } from "../retention/session-policies.ts";
import { getUsage, type UsageDeps } from "../usage/usage.ts";
import {
  createClient,
  createPartner,
  createTestTwin,
  disableClient,
  listClients,
  listPartners,
  type PartnerDeps,
  rotateClientSecret,
} from "./partners.ts";

/** The implementation of PartnerService. */
export function partnerService(
  deps: PartnerDeps & UsageDeps & Needs<"brandings" | "sessionPolicies">,
): ServiceImpl<typeof PartnerService> {
  return {
    async createPartner(request, context) {
      const partnerId = await createPartner(deps, request, deadlineOf(context));
      context.auditSubjects.push({ partnerId });
      return { partnerId };
    },
    async createTestTwin(request, context) {
      const partnerId = await createTestTwin(deps, request.partnerId, deadlineOf(context));
      context.auditSubjects.push({ partnerId });
      return { partnerId };
    },
    listPartners: (request, context) => listPartners(deps, request, deadlineOf(context)),
    async createClient(request, context) {
      const created = await createClient(deps, request, deadlineOf(context));
      context.auditSubjects.push({ targetId: created.clientId });
      return created;
    },
    listClients: (request, context) => listClients(deps, request, deadlineOf(context)),
    async rotateClientSecret({ clientId }, context) {
      const { partnerId, clientSecret } = await rotateClientSecret(deps, clientId, deadlineOf(context));
      context.auditSubjects.push({ partnerId });
      return { clientId, clientSecret };
    },
    async disableClient({ clientId }, context) {
      const { partnerId } = await disableClient(deps, clientId, deadlineOf(context));
      context.auditSubjects.push({ partnerId });
      return {};
    },
    getUsage: (request, context) => getUsage(deps, request, deadlineOf(context)),
    getSessionPolicies: (request, context) => getSessionPolicies(deps, request, deadlineOf(context)),
    updateSessionPolicy: (request, context) => updateSessionPolicy(deps, request, deadlineOf(context)),
    getBranding: (request, context) => getBranding(deps, request, deadlineOf(context)),
    updateBranding: (request, context) => updateBranding(deps, request, deadlineOf(context)),
  };
}
