// TokenService: issues, revokes and introspects access tokens for client credentials (RFC 6749 section 4.4).

import { timingSafeEqual } from "node:crypto";
import { isScope, type Scope } from "../../domain/identity/scopes.ts";
import { hashSecret, isWellFormedSecret, newSecret } from "../../domain/identity/secrets.ts";
import type { TokenService } from "../../gen/assessment/v1/token_service_pb.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { invalidRequest, Refusal } from "../../kernel/errors/refusal.ts";
import { isTestTwin, parseUuid } from "../../kernel/ids.ts";
import { networkOf } from "../../kernel/limits/caller.ts";
import { type AuthenticationDeps, actFor, countRequest, resolveToken } from "../../pipeline/auth/token.ts";
import type { ServiceImpl } from "../../pipeline/handlers.ts";
import { deadlineOf, type PipelineCall } from "../../pipeline/pipeline.ts";
import type { Client, IdentityStore } from "../../store/identity/identity-store.ts";
import type { Needs } from "../dependencies.ts";
import type { CompletionSigner } from "../hosted/completion-signing.ts";
import { toTimestamp } from "../sessions/session-messages.ts";

const tokenLifetimeSeconds = 3600;

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export type TokenDeps = Needs<"identities" | "clientUses" | "resolver" | "clock" | "random">;

/**
 * Issues a token.
 * @param scopes those of the token; empty for all of the client
 * Throws `unauthenticated`, `invalid_request` (a scope that the client does not have).
 */
async function issueToken(
  deps: TokenDeps,
  credentials: Credentials,
  scopes: readonly string[],
  deadline: Deadline,
): Promise<{ accessToken: string; scopes: readonly Scope[] }> {
  const client = await authenticateClient(deps.identities, credentials, deadline);
  deps.clientUses.note(client.id);
  const granted = scopes.length === 0 ? client.scopes : grantedScopes(scopes, client);
  const accessToken = newSecret("accessToken", deps.random, isTestTwin(client.partnerId));
  const expiresAt = new Date(deps.clock() + tokenLifetimeSeconds * 1000);
  const token = { hash: hashSecret(accessToken), clientId: client.id, scopes: granted, expiresAt };
  await deps.identities.insertToken(token, deadline.signal);
  return { accessToken, scopes: granted };
}

/** Revokes a token of the client; does nothing for an unknown token or another client's. Throws `unauthenticated`. */
async function revokeToken(
  deps: TokenDeps,
  credentials: Credentials,
  token: string,
  deadline: Deadline,
): Promise<void> {
  const client = await authenticateClient(deps.identities, credentials, deadline);
  if (!isWellFormedSecret("accessToken", token)) return;
  await deps.identities.deleteToken(hashSecret(token), client.id, deadline.signal);
  deps.resolver.forget(token);
}

/** The implementation of TokenService. */
export function tokenService(
  deps: TokenDeps & AuthenticationDeps & { readonly signer: CompletionSigner },
): ServiceImpl<typeof TokenService> {
  const { strangers, tokenRequests } = deps.limits;
  /** Runs a client's request with its credentials. Requests are limited by client and address, refused ones by address. */
  const withCredentials = async <T>(context: PipelineCall, clientId: string, work: () => Promise<T>): Promise<T> => {
    const { address } = context.origin;
    // All texts that are not a client id share one limit.
    tokenRequests.consume(`${parseUuid(clientId)} ${networkOf(address)}`);
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal && error.code === "unauthenticated") strangers.refuse(address);
      throw error;
    }
  };
  return {
    async issueToken({ clientId, clientSecret, scopes: requested }, context) {
      const credentials = { clientId, clientSecret };
      const { accessToken, scopes } = await withCredentials(context, clientId, () =>
        issueToken(deps, credentials, requested, deadlineOf(context)),
      );
      return { accessToken, expiresIn: tokenLifetimeSeconds, scopes: [...scopes] };
    },

    async revokeToken({ clientId, clientSecret, token }, context) {
      const credentials = { clientId, clientSecret };
      await withCredentials(context, clientId, () => revokeToken(deps, credentials, token, deadlineOf(context)));
      return {};
    },

    async introspect({ token, partnerId }, context) {
      const { address } = context.origin;
      const owner = await resolveToken(deps, { token: token === "" ? undefined : token, address }).catch(inactive);
      if (owner === undefined) return { active: false };
      const rateLimit = countRequest(deps, owner);
      const principal = partnerId === undefined ? owner : await actFor(deps, owner, partnerId, deadlineOf(context));
      return {
        active: true,
        clientId: owner.clientId,
        partnerId: principal.partnerId,
        scopes: [...owner.scopes],
        expiresAt: toTimestamp(owner.expiresAt),
        ...(rateLimit === undefined ? {} : { rateLimit: { ...rateLimit } }),
      };
    },

    async getPublicKeys() {
      return { keys: await deps.signer.publicKeys() };
    },
  };
}

function inactive(error: unknown): undefined {
  if (error instanceof Refusal && error.code === "unauthenticated") return undefined;
  throw error;
}

async function authenticateClient(
  identities: IdentityStore,
  { clientId, clientSecret }: Credentials,
  { signal }: Deadline,
): Promise<Client> {
  const id = parseUuid(clientId);
  if (id !== undefined && isWellFormedSecret("clientSecret", clientSecret)) {
    const client = await identities.findClient(id, signal);
    const given = hashSecret(clientSecret);
    const secrets = client === undefined ? [] : await identities.listClientSecrets(client.id, signal);
    // Every secret is compared, so that the time taken does not reveal which one matched.
    const matches = secrets.filter((secret) => timingSafeEqual(secret.hash, given)).length;
    if (client !== undefined && matches > 0 && client.disabledAt === null) return client;
  }
  throw new Refusal("unauthenticated", "The client is unknown, disabled, or its secret is wrong.");
}

function grantedScopes(requested: readonly string[], client: Client): Scope[] {
  const granted = requested.filter(isScope).filter((scope) => client.scopes.includes(scope));
  const refused = requested.find((scope) => !granted.some((each) => each === scope));
  if (refused !== undefined) {
    // It may be a secret in the wrong field: text that does not look like a scope is not echoed.
    const name = /^[a-z:-]{1,40}$/.test(refused) ? `the scope \`${refused}\`` : "one of these scopes";
    const detail = `The client does not have ${name}. It has: ${client.scopes.join(" ")}.`;
    throw invalidRequest([{ path: ["scopes"], code: "invalid_scope", detail }]);
  }
  return [...new Set(granted)];
}
