// PartnerService, as operators use it.
import type { ServiceImpl } from "@connectrpc/connect";
import type { PartnerService } from "../../gen/assessment/v1/partner_service_pb.ts";
import { partnerOfTwin } from "../../kernel/test-tenant.ts";
import { addAuditSubject, deadlineOf } from "../../pipeline/call.ts";
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
  toPolicyMessage,
  updateSessionPolicy,
} from "../retention/session-policies.ts";
import { toTimestamp } from "../sessions/session-messages.ts";
import { getUsage, toUsageMessage, type UsageDeps } from "../usage/usage.ts";
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
  deps: PartnerDeps & BrandingDeps & SessionPolicyDeps & UsageDeps,
): ServiceImpl<typeof PartnerService> {
  return {
    async createPartner({ name, internal }, context) {
      const partnerId = await createPartner(deps, { name, internal }, deadlineOf(context));
      addAuditSubject(context, { partnerId });
      return { partnerId };
    },
    async createTestTwin({ partnerId: ofPartner }, context) {
      const partnerId = await createTestTwin(deps, ofPartner, deadlineOf(context));
      addAuditSubject(context, { partnerId });
      return { partnerId };
    },
    async listPartners({ pageSize, pageToken }, context) {
      const page = await listPartners(deps, { pageSize, pageToken }, deadlineOf(context));
      const partners = page.partners.map(({ id, name, internal, createdAt }) => ({
        partnerId: id,
        name,
        internal,
        createdAt: toTimestamp(createdAt),
        twinOf: partnerOfTwin(id),
      }));
      return { partners, nextPageToken: page.nextPageToken };
    },
    async createClient({ partnerId, name, scopes }, context) {
      const created = await createClient(deps, { partnerId, name, scopes }, deadlineOf(context));
      addAuditSubject(context, { targetId: created.clientId });
      return created;
    },
    async listClients({ partnerId, pageSize, pageToken }, context) {
      const page = await listClients(deps, { partnerId, pageSize, pageToken }, deadlineOf(context));
      const clients = page.clients.map(({ id, name, scopes, createdAt, disabledAt, secretsCreatedAt, lastUsedAt }) => ({
        clientId: id,
        name,
        scopes: [...scopes],
        createdAt: toTimestamp(createdAt),
        disabledAt: toTimestamp(disabledAt),
        secretsCreatedAt: secretsCreatedAt.map((at) => toTimestamp(at)),
        lastUsedAt: toTimestamp(lastUsedAt),
      }));
      return { clients, nextPageToken: page.nextPageToken };
    },
    async rotateClientSecret({ clientId }, context) {
      const { partnerId, clientSecret } = await rotateClientSecret(deps, clientId, deadlineOf(context));
      addAuditSubject(context, { partnerId });
      return { clientId, clientSecret };
    },
    async disableClient({ clientId }, context) {
      const { partnerId } = await disableClient(deps, clientId, deadlineOf(context));
      addAuditSubject(context, { partnerId });
      return {};
    },
    async getUsage(request, context) {
      return toUsageMessage(await getUsage(deps, request, deadlineOf(context)));
    },
    async getSessionPolicies({ partnerId }, context) {
      return { policies: (await getSessionPolicies(deps, partnerId, deadlineOf(context))).map(toPolicyMessage) };
    },
    async updateSessionPolicy({ partnerId, policy }, context) {
      const updated = await updateSessionPolicy(deps, fromPolicyMessage(partnerId, policy), deadlineOf(context));
      return { policy: toPolicyMessage(updated) };
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
