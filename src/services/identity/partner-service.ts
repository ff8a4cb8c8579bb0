// PartnerService, as operators use it.
import type { PartnerService } from "../../gen/assessment/v1/partner_service_pb.ts";
import type { ServiceImpl } from "../../pipeline/call.ts";
import type { Dependencies } from "../dependencies.ts";
import { createBrandingRpcs } from "../hosted/branding.ts";
import { createSessionPolicyRpcs } from "../retention/session-policies.ts";
import { createUsageRpcs } from "../usage/usage.ts";
import {
  createClient,
  createClientRpcs,
  createPartner,
  createTestTwin,
  listClients,
  listPartners,
} from "./partners.ts";

/** The implementation of PartnerService. */
export function createPartnerService(deps: Dependencies): ServiceImpl<typeof PartnerService> {
  return {
    createPartner: async (request, call) => ({ partnerId: await createPartner(deps, request, call) }),
    createTestTwin: async ({ partnerId }, call) => ({ partnerId: await createTestTwin(deps, partnerId, call) }),
    listPartners: (request, call) => listPartners(deps, request, call),
    createClient: (request, call) => createClient(deps, request, call),
    listClients: (request, call) => listClients(deps, request, call),
    ...createClientRpcs(deps),
    ...createUsageRpcs(deps),
    ...createSessionPolicyRpcs(deps),
    ...createBrandingRpcs(deps),
  };
}
