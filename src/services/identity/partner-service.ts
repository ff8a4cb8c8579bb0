// PartnerService, as operators use it.
import {
  GetUsageResponseSchema,
  ListClientsResponseSchema,
  ListPartnersResponseSchema,
  type PartnerService,
  SessionPolicySchema,
} from "../../gen/assessment/v1/partner_service_pb.ts";
import { SessionMode } from "../../gen/assessment/v1/session_service_pb.ts";
import { messageOf } from "../../json/message-of.ts";
import { partnerOfTwin } from "../../kernel/ids.ts";
import type { ServiceImpl } from "../../pipeline/handlers.ts";
import { deadlineOf } from "../../pipeline/pipeline.ts";
import {
  type BrandingDeps,
  fromBrandingMessage,
  getBranding,
  toBrandingMessage,
  updateBranding,
} from "../hosted/branding.ts";
import {
  fromPolicyMessage,
  getSessionPolicies,
  type SessionPolicyDeps,
  updateSessionPolicy,
} from "../retention/session-policies.ts";
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

const toPartners = messageOf(ListPartnersResponseSchema);
const toClients = messageOf(ListClientsResponseSchema);
const toUsage = messageOf(GetUsageResponseSchema);
const toPolicy = messageOf(SessionPolicySchema);

/** The implementation of PartnerService. */
export function partnerService(
  deps: PartnerDeps & BrandingDeps & SessionPolicyDeps & UsageDeps,
): ServiceImpl<typeof PartnerService> {
  return {
    async createPartner({ name, internal }, context) {
      const partnerId = await createPartner(deps, { name, internal }, deadlineOf(context));
      context.auditSubjects.push({ partnerId });
      return { partnerId };
    },
    async createTestTwin({ partnerId: ofPartner }, context) {
      const partnerId = await createTestTwin(deps, ofPartner, deadlineOf(context));
      context.auditSubjects.push({ partnerId });
      return { partnerId };
    },
    async listPartners({ pageSize, pageToken }, context) {
      const page = await listPartners(deps, { pageSize, pageToken }, deadlineOf(context));
      return toPartners({
        ...page,
        partners: page.partners.map((each) => ({ ...each, partnerId: each.id, twinOf: partnerOfTwin(each.id) })),
      });
    },
    async createClient({ partnerId, name, scopes }, context) {
      const created = await createClient(deps, { partnerId, name, scopes }, deadlineOf(context));
      context.auditSubjects.push({ targetId: created.clientId });
      return created;
    },
    async listClients({ partnerId, pageSize, pageToken }, context) {
      const page = await listClients(deps, { partnerId, pageSize, pageToken }, deadlineOf(context));
      return toClients({ ...page, clients: page.clients.map((each) => ({ ...each, clientId: each.id })) });
    },
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
    async getUsage(request, context) {
      const page = await getUsage(deps, request, deadlineOf(context));
      return toUsage({
        ...page,
        days: page.days.map((day) => ({ ...day, mode: day.mode ?? SessionMode.UNSPECIFIED })),
      });
    },
    async getSessionPolicies({ partnerId }, context) {
      return { policies: (await getSessionPolicies(deps, partnerId, deadlineOf(context))).map(toPolicy) };
    },
    async updateSessionPolicy({ partnerId, policy }, context) {
      const updated = await updateSessionPolicy(deps, fromPolicyMessage(partnerId, policy), deadlineOf(context));
      return { policy: toPolicy(updated) };
    },
    async getBranding({ partnerId }, context) {
      return { branding: toBrandingMessage(await getBranding(deps, partnerId, deadlineOf(context))) };
    },
    async updateBranding({ partnerId, branding }, context) {
      const updated = await updateBranding(deps, partnerId, fromBrandingMessage(branding), deadlineOf(context));
      return { branding: toBrandingMessage(updated) };
    },
  };
}
