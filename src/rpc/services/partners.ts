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
import { PartnerService } from "../../gen/assessment/v1/partner_service_pb.ts";
import { fromBrandingMessage, toBrandingMessage } from "../messages/branding.ts";
import { toTimestamp } from "../messages/sessions.ts";
import { type Handlers, implement } from "../pipeline/implementation.ts";

/** The implementation of PartnerService. */
export function partnerService(deps: PartnerDeps & BrandingDeps): Handlers {
  return implement(PartnerService, {
    async createPartner({ name, internal }, { deadline }) {
      return { partnerId: await createPartner(deps, { name, internal }, deadline) };
    },
    async listPartners({ pageSize, pageToken }, { deadline }) {
      const page = await listPartners(deps, { pageSize, pageToken }, deadline);
      const partners = page.partners.map(({ id, name, internal, createdAt }) => ({
        partnerId: id,
        name,
        internal,
        createdAt: toTimestamp(createdAt),
      }));
      return { partners, nextPageToken: page.nextPageToken };
    },
    async createClient({ partnerId, name, scopes }, { deadline }) {
      return await createClient(deps, { partnerId, name, scopes }, deadline);
    },
    async listClients({ partnerId, pageSize, pageToken }, { deadline }) {
      const page = await listClients(deps, { partnerId, pageSize, pageToken }, deadline);
      const clients = page.clients.map(({ id, name, scopes, createdAt, disabledAt, secretsCreatedAt }) => ({
        clientId: id,
        name,
        scopes: [...scopes],
        createdAt: toTimestamp(createdAt),
        ...(disabledAt === null ? {} : { disabledAt: toTimestamp(disabledAt) }),
        secretsCreatedAt: secretsCreatedAt.map(toTimestamp),
      }));
      return { clients, nextPageToken: page.nextPageToken };
    },
    async rotateClientSecret({ clientId }, { deadline }) {
      return { clientId, clientSecret: await rotateClientSecret(deps, clientId, deadline) };
    },
    async disableClient({ clientId }, { deadline }) {
      await disableClient(deps, clientId, deadline);
      return {};
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
