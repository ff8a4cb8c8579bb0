// PartnerService, as operators use it: partners, their clients, usage, branding, and policies for their sessions.
import { findBrandingViolations, normalizeBranding } from "../../domain/hosted/branding.ts";
import { createSecret, hashSecret } from "../../domain/identity/secrets.ts";
import type { SessionMode } from "../../domain/sessions/session.ts";
import { Comparison } from "../../gen/assessment/v1/branding_pb.ts";
import type { PartnerService } from "../../gen/assessment/v1/partner_service_pb.ts";
import { findEnumWord } from "../../json/members.ts";
import { invalidFieldError, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import type { ServiceImpl } from "../../pipeline/call.ts";
import type { CallDependencies } from "../dependencies.ts";
import { policyModes, readPolicyMessage } from "../retention/session-policies.ts";
import { getUsage } from "../usage/usage.ts";
import {
  createClient,
  createPartner,
  createTestTwin,
  getClient,
  getPartner,
  listClients,
  listPartners,
} from "./partners.ts";

const maxLiveSecrets = 2;

/** The implementation of PartnerService. */
export function createPartnerService(deps: CallDependencies): ServiceImpl<typeof PartnerService> {
  const { identities, brandings, sessionPolicies } = deps;
  return {
    createPartner: async (request, call) => ({ partnerId: await createPartner(deps, request, call) }),
    createTestTwin: async ({ partnerId }, call) => ({ partnerId: await createTestTwin(deps, partnerId, call) }),
    listPartners: (request, call) => listPartners(deps, request, call),
    createClient: (request, call) => createClient(deps, request, call),
    listClients: (request, call) => listClients(deps, request, call),

    /** Adds a secret to a client; above two, the oldest is removed at once. */
    async rotateClientSecret({ clientId }, call) {
      const { id, partnerId } = await getClient(deps, clientId, call);
      const clientSecret = createSecret("clientSecret", deps.random, isTestTwin(partnerId));
      const secret = { hash: hashSecret(clientSecret), clientId: id, createdAt: new Date(deps.clock()) };
      await identities.addClientSecret(secret, maxLiveSecrets, call.signal);
      call.auditSubjects.push({ partnerId });
      return { clientId, clientSecret };
    },

    /** Disables a client permanently. */
    async disableClient({ clientId }, call) {
      const { id, partnerId } = await getClient(deps, clientId, call);
      await identities.disableClient(id, new Date(deps.clock()), call.signal);
      call.auditSubjects.push({ partnerId });
      return {};
    },

    getUsage: (request, call) => getUsage(deps, request, call),

    /** One policy for each mode. */
    async getSessionPolicies({ partnerId }, call) {
      const { id } = await getPartner(deps, partnerId, call);
      const find = async (mode: SessionMode) => (await sessionPolicies.findPolicy(id, mode, call.signal)) ?? { mode };
      return { policies: await Promise.all(policyModes.map(find)) };
    },

    /** Replaces the policy of a mode. */
    async updateSessionPolicy({ partnerId, policy: message }, call) {
      const policy = readPolicyMessage(message);
      const { id } = await getPartner(deps, partnerId, call);
      if (policy.mode === "headless" && policy.expiresAfterDays !== null) {
        const detail = "Headless sessions expire only if their request says so.";
        throw invalidFieldError(["policy", "expiresAfterDays"], "not_applicable", detail);
      }
      await sessionPolicies.savePolicy({ partnerId: id, ...policy }, call.signal);
      return { policy };
    },

    async getBranding({ partnerId }, call) {
      const { id } = await getPartner(deps, partnerId, call);
      return { branding: await brandings.findBranding(id, call.signal) };
    },

    /** Replaces the branding; none is an empty one. */
    async updateBranding({ partnerId, branding: fields }, call) {
      const { id } = await getPartner(deps, partnerId, call);
      const { displayName = null, logoUrl = null, accentColor = null, supportText = null } = fields ?? {};
      const { frameAncestors = [], offerLongForm = false } = fields ?? {};
      const comparison = findEnumWord(Comparison, fields?.comparison) ?? "none";
      const newBranding = { displayName, logoUrl, accentColor, supportText, frameAncestors, comparison, offerLongForm };
      throwIfInvalid(findBrandingViolations(newBranding));
      const branding = normalizeBranding(newBranding);
      await brandings.saveBranding(id, branding, call.signal);
      return { branding };
    },
  };
}
