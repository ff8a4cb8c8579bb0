// TokenService: messages in, use cases of the domain, messages out.
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { parseUuid } from "../../domain/identifiers.ts";
import type { TokenService } from "../../gen/assessment/v1/token_service_pb.ts";
import { networkOf } from "../../kernel/calls/network.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { type AuthenticationDeps, actFor, countRequest, resolveToken } from "../../pipeline/auth/token.ts";
import { issueToken, revokeToken, type TokenDeps, tokenLifetimeSeconds } from "../../pipeline/auth/token-resolver.ts";
import { deadlineOf, originOf } from "../../pipeline/context-values.ts";
import type { CompletionSigner } from "../hosted/completion-signing.ts";
import { toTimestamp } from "../sessions/session-messages.ts";

/** The implementation of TokenService. */
export function tokenService(
  deps: TokenDeps & AuthenticationDeps & { readonly signer: CompletionSigner },
): ServiceImpl<typeof TokenService> {
  const { strangers, tokenRequests } = deps.limits;
  /** Does what a client asks for with its credentials. Requests count by client and address, refused ones by address. */
  const withCredentials = async <T>(context: HandlerContext, clientId: string, work: () => Promise<T>): Promise<T> => {
    const { address } = originOf(context);
    // Whatever is no id of a client counts as one and the same.
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
      const { address } = originOf(context);
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
