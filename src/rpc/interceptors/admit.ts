// Lets calls in as the process can take them: before anything of theirs reaches the database.
import type { Interceptor, UnaryRequest } from "@connectrpc/connect";
import { callOrigin } from "../../contract/call-origin.ts";
import { bearerToken, metadata } from "../../contract/metadata.ts";
import type { TokenResolver } from "../../domain/identity/tokens.ts";
import { type IntrospectRequest, TokenService } from "../../gen/assessment/v1/token_service_pb.ts";
import type { Admission } from "../limits/admission.ts";
import { networkOf } from "../limits/network.ts";
import { RefusalPacing } from "../limits/refusal-pacing.ts";

/**
 * Requires a place for every call: one of its client, or of its network where the token is not yet known.
 * A door that asks who calls, before it passes the call on, takes no place with the question where the answer is at
 * hand, and hears at once where the call itself would be refused.
 */
export function admit(admission: Admission, resolver: TokenResolver): Interceptor {
  const refusals = new RefusalPacing();
  return (next) => async (request) => {
    const call = request as UnaryRequest;
    if (call.method === TokenService.method.introspect) {
      const { token, partnerId } = call.message as IntrospectRequest;
      const asked = resolver.known(token);
      if (asked !== undefined && partnerId === undefined) {
        try {
          admission.check(asked.clientId);
        } catch (refusal) {
          return refuseInTurn(refusal);
        }
        return next(request);
      }
      return inPlace(asked?.clientId ?? networkOfCall(call, resolver), request.signal, () => next(request));
    }
    const owner = resolver.known(bearerToken(call.header.get(metadata.authorization)) ?? "");
    return inPlace(owner?.clientId ?? networkOfCall(call, resolver), request.signal, () => next(request));
  };

  async function inPlace<T>(caller: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      const wait = admission.enter(caller, signal);
      if (wait !== undefined) await wait;
    } catch (refusal) {
      return refuseInTurn(refusal);
    }
    try {
      return await work();
    } finally {
      admission.leave(caller);
    }
  }

  /** A flood of refusals would keep the answers of the database from being read, and with them what was let in. */
  async function refuseInTurn(refusal: unknown): Promise<never> {
    await refusals.next();
    throw refusal;
  }
}

/** The network of the caller's address, as seen here or by a gateway that is known to be one. */
function networkOfCall({ contextValues, header }: UnaryRequest, resolver: TokenResolver): string {
  const gateway = resolver.known(bearerToken(header.get(metadata.gatewayAuthorization)) ?? "");
  const named = gateway?.scopes.has("gateway") ? header.get(metadata.callerAddress) : null;
  return networkOf(named ?? contextValues.get(callOrigin)?.address ?? "");
}
