// TokenService: messages in, use cases of the domain, messages out.
import { DomainError } from "../../domain/errors.ts";
import type { CompletionSigner } from "../../domain/hosted/completion-signing.ts";
import { parseUuid } from "../../domain/identifiers.ts";
import { issueToken, revokeToken, type TokenDeps, tokenLifetimeSeconds } from "../../domain/identity/tokens.ts";
import { TokenService } from "../../gen/assessment/v1/token_service_pb.ts";
import { networkOf } from "../../kernel/calls/network.ts";
import { type AuthenticationDeps, actFor, countRequest, resolveToken } from "../../pipeline/auth/token.ts";
import { type Call, type Handlers, implement } from "../../pipeline/implementation.ts";
import { toTimestamp } from "../sessions/session-messages.ts";

/** The implementation of TokenService. */
export function tokenService(deps: TokenDeps & AuthenticationDeps & { readonly signer: CompletionSigner }): Handlers {
  const { addresses, tokenRequests } = deps.limits;
  /** Does what a client asks for with its credentials. Requests count by client and address, refused ones by address. */
  const withCredentials = async <T>({ origin }: Call, clientId: string, work: () => Promise<T>): Promise<T> => {
    const network = networkOf(origin.address);
    // Whatever is no id of a client counts as one and the same.
    tokenRequests.consume(`${parseUuid(clientId)} ${network}`);
    try {
      return await work();
    } catch (error) {
      if (error instanceof DomainError && error.code === "unauthenticated") addresses.consume(network);
      throw error;
    }
  };
  return implement(TokenService, {
    async issueToken({ clientId, clientSecret, scopes: requested }, call) {
      const credentials = { clientId, clientSecret };
      const { accessToken, scopes } = await withCredentials(call, clientId, () =>
        issueToken(deps, credentials, requested, call.deadline),
      );
      return { accessToken, expiresIn: tokenLifetimeSeconds, scopes: [...scopes] };
    },

    async revokeToken({ clientId, clientSecret, token }, call) {
      const credentials = { clientId, clientSecret };
      await withCredentials(call, clientId, () => revokeToken(deps, credentials, token, call.deadline));
      return {};
    },

    async introspect({ token, partnerId }, call) {
      const { address } = call.origin;
      const owner = await resolveToken(deps, { token: token === "" ? undefined : token, address }).catch(inactive);
      if (owner === undefined) return { active: false };
      const rateLimit = countRequest(deps, owner);
      const principal = partnerId === undefined ? owner : await actFor(deps, owner, partnerId, call.deadline);
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
  });
}

function inactive(error: unknown): undefined {
  if (error instanceof DomainError && error.code === "unauthenticated") return undefined;
  throw error;
}
