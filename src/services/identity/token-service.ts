// TokenService: issues, revokes and introspects access tokens for client credentials (RFC 6749 section 4.4).

import { timingSafeEqual } from "node:crypto";
import { isScope, type Scope } from "../../domain/identity/scopes.ts";
import { createSecret, hashSecret, isWellFormedSecret } from "../../domain/identity/secrets.ts";
import type { IssueTokenRequest, RevokeTokenRequest, TokenService } from "../../gen/assessment/v1/token_service_pb.ts";
import { toNetwork } from "../../kernel/calls/core.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { invalidFieldError, Refusal } from "../../kernel/errors/refusal.ts";
import { clientSecretPrefix } from "../../kernel/formats.ts";
import { isTestTwin, parseUuid } from "../../kernel/ids.ts";
import { actAsPartner, countRequest, findTokenOwner } from "../../pipeline/auth/token.ts";
import type { PipelineCall, ServiceImpl } from "../../pipeline/call.ts";
import type { Client, IdentityStore } from "../../store/identity/identity-store.ts";
import type { CallDependencies } from "../dependencies.ts";

const tokenLifetimeSeconds = 3600;

/** The implementation of TokenService. */
export function createTokenService(deps: CallDependencies): ServiceImpl<typeof TokenService> {
  const { unauthenticatedCallers, tokenRequests } = deps.limits;
  /** The client that a request names. Requests are limited by client and address, made-up secrets by address. */
  const requireClient = async (
    credentials: IssueTokenRequest | RevokeTokenRequest,
    call: PipelineCall,
  ): Promise<Client> => {
    const { address } = call.origin;
    // All texts that are not a client id share one limit.
    tokenRequests.consume(`${parseUuid(credentials.clientId)} ${toNetwork(address)}`);
    const isMadeUp = unauthenticatedCallers.countIfMadeUp(address, "clientSecret", credentials.clientSecret);
    const client = isMadeUp ? undefined : await authenticateClient(deps.identities, credentials, call);
    if (client !== undefined) return client;
    throw wrongClientError(credentials);
  };
  return {
    /** For all scopes of the client unless it asks for some. */
    async issueToken(request, call) {
      const client = await requireClient(request, call);
      deps.clientUses.markUsed(client.id);
      const scopes = request.scopes.length === 0 ? [...client.scopes] : grantScopes(request.scopes, client);
      const accessToken = createSecret("accessToken", deps.random, isTestTwin(client.partnerId));
      const expiresAt = new Date(deps.clock() + tokenLifetimeSeconds * 1000);
      const token = { hash: hashSecret(accessToken), clientId: client.id, scopes, expiresAt };
      await deps.identities.insertToken(token, call.signal);
      return { accessToken, expiresIn: tokenLifetimeSeconds, scopes };
    },

    /** Does nothing for an unknown token or another client's. */
    async revokeToken(request, call) {
      const client = await requireClient(request, call);
      if (!isWellFormedSecret("accessToken", request.token)) return {};
      await deps.identities.deleteToken(hashSecret(request.token), client.id, call.signal);
      deps.resolver.forget(request.token);
      return {};
    },

    async introspect({ token, partnerId }, call) {
      const owner = await findTokenOwner(deps, token || undefined, call.origin.address, (lookUp) => lookUp(call));
      if (owner === undefined) return { active: false, clientId: "", partnerId: "", clientPartnerId: "", scopes: null };
      const rateLimit = countRequest(deps, owner);
      const principal = partnerId === undefined ? owner : await actAsPartner(deps, owner, partnerId, call);
      return {
        active: true,
        clientId: owner.clientId,
        partnerId: principal.partnerId,
        clientPartnerId: owner.partnerId,
        scopes: [...owner.scopes],
        expiresAt: owner.expiresAt,
        rateLimit,
      };
    },

    async getPublicKeys() {
      return { keys: await deps.signer.listPublicKeys() };
    },
  };
}

async function authenticateClient(
  identities: IdentityStore,
  { clientId, clientSecret }: Pick<IssueTokenRequest, "clientId" | "clientSecret">,
  { signal }: Deadline,
): Promise<Client | undefined> {
  const id = parseUuid(clientId);
  if (id === undefined) return undefined;
  const client = await identities.findClient(id, signal);
  const secretHash = hashSecret(clientSecret);
  const secrets = client === undefined ? [] : await identities.listClientSecrets(client.id, signal);
  // Every secret is compared, so that the time taken does not reveal which one matched.
  const matches = secrets.filter((secret) => timingSafeEqual(secret.hash, secretHash)).length;
  return matches > 0 && client?.disabledAt === null ? client : undefined;
}

function wrongClientError({ clientId }: { readonly clientId: string }): Refusal {
  const detail = clientId.startsWith(clientSecretPrefix)
    ? "The client id is a client secret: the two are probably exchanged."
    : "The client is unknown, disabled, or its secret is wrong.";
  return new Refusal("unauthenticated", detail);
}

function grantScopes(requestedScopes: readonly string[], client: Client): Scope[] {
  const allowedScopes = requestedScopes.filter(isScope).filter((scope) => client.scopes.includes(scope));
  const refusedScope = requestedScopes.find((scope) => !allowedScopes.some((each) => each === scope));
  if (refusedScope !== undefined) {
    // It may be a secret in the wrong field: text that does not look like a scope is not echoed.
    const name = /^[a-z:-]{1,40}$/.test(refusedScope) ? `the scope \`${refusedScope}\`` : "one of these scopes";
    const detail = `The client does not have ${name}. It has: ${client.scopes.join(" ")}.`;
    throw invalidFieldError(["scopes"], "invalid_scope", detail);
  }
  return [...new Set(allowedScopes)];
}
