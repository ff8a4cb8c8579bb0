// PartnerService: messages in, use cases of the domain, messages out.

import { type BrandingDeps, getBranding, updateBranding } from "../../domain/hosted/branding.ts";
import {
  createClient,
  createPartner,
  disableClient,
  listClients,
  listPartners,
  type PartnerDeps,
  rotateClientSecret,
} from "../../domain/identity/partners.ts";
import { createTestTwin } from "../../domain/identity/test-twins.ts";
import {
  getSessionPolicies,
  type SessionPolicyDeps,
  updateSessionPolicy,
} from "../../domain/retention/session-policies.ts";
import { getUsage, type UsageDeps } from "../../domain/usage/usage.ts";
import { PartnerService } from "../../gen/assessment/v1/partner_service_pb.ts";
import { partnerOfTwin } from "../../kernel/test-tenant.ts";
import { type Handlers, implement } from "../../pipeline/implementation.ts";
import { fromBrandingMessage, toBrandingMessage } from "../hosted/branding-messages.ts";
import { fromPolicyMessage, toPolicyMessage } from "../retention/session-policy-messages.ts";
import { toTimestamp } from "../sessions/session-messages.ts";
import { toUsageMessage } from "../usage/usage-messages.ts";

/** The implementation of PartnerService. */
export function partnerService(deps: PartnerDeps & BrandingDeps & SessionPolicyDeps & UsageDeps): Handlers {
  return implement(PartnerService, {
    async createPartner({ name, internal }, { deadline, concerns }) {
      const partnerId = await createPartner(deps, { name, internal }, deadline);
      concerns({ partnerId });
      return { partnerId };
    },
    async createTestTwin({ partnerId: ofPartner }, { deadline, concerns }) {
      const partnerId = await createTestTwin(deps, ofPartner, deadline);
      concerns({ partnerId });
      return { partnerId };
    },
    async listPartners({ pageSize, pageToken }, { deadline }) {
      const page = await listPartners(deps, { pageSize, pageToken }, deadline);
      const partners = page.partners.map(({ id, name, internal, createdAt }) => ({
        partnerId: id,
        name,
        internal,
        createdAt: toTimestamp(createdAt),
        twinOf: partnerOfTwin(id),
      }));
      return { partners, nextPageToken: page.nextPageToken };
    },
    async createClient({ partnerId, name, scopes }, { deadline, concerns }) {
      const created = await createClient(deps, { partnerId, name, scopes }, deadline);
      concerns({ targetId: created.clientId });
      return created;
    },
    async listClients({ partnerId, pageSize, pageToken }, { deadline }) {
      const page = await listClients(deps, { partnerId, pageSize, pageToken }, deadline);
      const clients = page.clients.map(({ id, name, scopes, createdAt, disabledAt, secretsCreatedAt, lastUsedAt }) => ({
        clientId: id,
        name,
        scopes: [...scopes],
        createdAt: toTimestamp(createdAt),
        ...(disabledAt === null ? {} : { disabledAt: toTimestamp(disabledAt) }),
        secretsCreatedAt: secretsCreatedAt.map(toTimestamp),
        ...(lastUsedAt === null ? {} : { lastUsedAt: toTimestamp(lastUsedAt) }),
      }));
      return { clients, nextPageToken: page.nextPageToken };
    },
    async rotateClientSecret({ clientId }, { deadline, concerns }) {
      const { partnerId, clientSecret } = await rotateClientSecret(deps, clientId, deadline);
      concerns({ partnerId });
      return { clientId, clientSecret };
    },
    async disableClient({ clientId }, { deadline, concerns }) {
      const { partnerId } = await disableClient(deps, clientId, deadline);
      concerns({ partnerId });
      return {};
    },
    async getUsage(request, { deadline }) {
      return toUsageMessage(await getUsage(deps, request, deadline));
    },
    async getSessionPolicies({ partnerId }, { deadline }) {
      return { policies: (await getSessionPolicies(deps, partnerId, deadline)).map(toPolicyMessage) };
    },
    async updateSessionPolicy({ partnerId, policy }, { deadline }) {
      const updated = await updateSessionPolicy(deps, fromPolicyMessage(partnerId, policy), deadline);
      return { policy: toPolicyMessage(updated) };
    },
    async getBranding({ partnerId }, { deadline }) {
      return { branding: toBrandingMessage(await getBranding(deps, partnerId, deadline)) };
    },
    async updateBranding({ partnerId, branding }, { deadline }) {
      const updated = await updateBranding(deps, partnerId, fromBrandingMessage(branding), deadline);
      return { branding: toBrandingMessage(updated) };
    },
  });
}
