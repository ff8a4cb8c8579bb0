// Believes what a gateway in another process says of its caller, if it is one.

import type { CallOrigin, IncomingCall } from "../../kernel/calls/core.ts";
import { bearerToken, metadata, requestIdOf, traceparentOf, tracestateOf } from "../../kernel/calls/metadata.ts";
import type { MonotonicClock } from "../../kernel/environment.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import type { Semaphore } from "../../kernel/limits/semaphore.ts";
import type { RateLimits } from "../auth/token.ts";
import type { TokenOwner, TokenResolver } from "../auth/token-resolver.ts";
import type { Interceptor } from "../call.ts";
import { lookUpInSlot } from "./authenticate.ts";

export interface TrustDeps {
  readonly resolver: TokenResolver;
  readonly limits: Pick<RateLimits, "strangers">;
  readonly admission: Semaphore;
  readonly monotonic: MonotonicClock;
}

/**
 * Replaces the origin of calls that carry the token of a client with the scope `gateway`: the caller's address and
 * request id are those that the gateway names, and the request was counted at the gateway's Introspect. Any other
 * gateway token is refused with a reason of its own, so that the gateway knows that its caller is not to blame; each
 * one counts once against the address, like any refused token.
 */
export function resolveGateway(deps: TrustDeps): Interceptor {
  const { resolver, limits } = deps;
  return {
    name: "trust-gateway",
    enter(call) {
      const token = bearerToken(call.incoming.header(metadata.gatewayAuthorization));
      if (token === undefined) return;
      const known = resolver.known(token);
      if (known !== undefined) return trust(call, known, true);
      limits.strangers.check(call.origin.address, token);
      // A gateway whose token is lost sends it with all the calls that are under way: that is no guessing.
      const isNew = !resolver.has(token);
      return resolver
        .resolve(token, lookUpInSlot(deps, limits.strangers.callerOf(call.origin.address, token)))
        .then((gateway) => trust(call, gateway, isNew));
    },
  };

  function trust(
    call: { incoming: IncomingCall; origin: CallOrigin },
    gateway: TokenOwner | undefined,
    isCounted: boolean,
  ): void {
    if (!gateway?.scopes.has("gateway")) {
      if (isCounted) limits.strangers.refuse(call.origin.address);
      throw new Refusal("gateway_unauthenticated", "The gateway's own token is unknown, expired or lacks its scope.");
    }
    call.origin = forwarded(call.incoming, call.origin);
  }
}

function forwarded(incoming: IncomingCall, origin: CallOrigin): CallOrigin {
  return {
    transport: incoming.header(metadata.callerTransport) === "web" ? "web" : "rest",
    address: incoming.header(metadata.callerAddress) ?? origin.address,
    requestId: requestIdOf(incoming.header(metadata.requestId)),
    traceparent: traceparentOf(incoming.header(metadata.traceparent)),
    tracestate: tracestateOf(incoming.header(metadata.tracestate)),
    isTrusted: true,
  };
}
