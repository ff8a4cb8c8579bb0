// Finds out who calls, counts the request, and refuses what the token does not allow.
import type { DescMethod } from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";
import { callOrigin } from "../../contract/call-origin.ts";
import { bearerToken, metadata } from "../../contract/metadata.ts";
import { isScope } from "../../domain/identity/scopes.ts";
import { type AuthenticationDeps, actFor, countRequest, resolveToken } from "../auth/token.ts";
import { admitVisit, type VisitAuthenticationDeps } from "../auth/visit.ts";
import { callEndsAt, callPrincipal, callVisit } from "../pipeline/call-context.ts";
import { refusal } from "../pipeline/errors.ts";

/**
 * Requires of every call the scope that its rpc states. Limit and scope come after the token, so that a refused token
 * costs nobody else anything; a call that a trusted door passes on was counted at the door. Calls of the hosted pages
 * are made with the token of a visit instead, and with no other.
 */
export function authenticate(
  deps: AuthenticationDeps & VisitAuthenticationDeps,
  scopeOf: ReadonlyMap<DescMethod, string>,
): Interceptor {
  return (next) => async (request) => {
    const scope = scopeOf.get(request.method);
    const origin = request.contextValues.get(callOrigin);
    if (origin === undefined) throw new Error("the door did not say where the call comes from");
    if (scope === "none" || (scope === "gateway" && origin.isTrusted)) return next(request);
    const token = bearerToken(request.header.get(metadata.authorization));
    const deadline = { signal: request.signal, at: request.contextValues.get(callEndsAt) };
    if (scope === "hosted") {
      const { sessionId } = request.message as { sessionId?: string };
      const credential = { token, address: origin.address, sessionId };
      request.contextValues.set(callVisit, await admitVisit(deps, credential, deadline));
      return next(request);
    }
    const owner = await resolveToken(deps, { token, address: origin.address });
    if (!origin.isTrusted) countRequest(deps, owner);
    if (scope === undefined || !isScope(scope) || !owner.scopes.has(scope)) {
      throw refusal("permission_denied", "The access token lacks the scope that this call requires.", {
        metadata: { scope: scope ?? "" },
      });
    }
    const named = request.header.get(metadata.partnerId) ?? undefined;
    request.contextValues.set(callPrincipal, await actFor(deps, owner, named, deadline));
    return next(request);
  };
}
