// Believes what a gateway in another process says of its caller, if it is one.
import type { Interceptor } from "@connectrpc/connect";
import { type CallOrigin, callOrigin } from "../../contract/call-origin.ts";
import { bearerToken, metadata, requestIdOf, traceparentOf } from "../../contract/metadata.ts";
import type { TokenResolver } from "../../domain/identity/tokens.ts";
import { networkOf } from "../limits/network.ts";
import type { RateLimits } from "../limits/rate-limits.ts";

/**
 * Replaces the origin of calls that carry the token of a client with the scope `gateway`: the caller's address and
 * request id are those that the gateway names, and the request was counted at the gateway's Introspect.
 * An address that sends tokens which are no gateway's is refused like one whose tokens are refused.
 */
export function trustGateways(resolver: TokenResolver, { addresses }: Pick<RateLimits, "addresses">): Interceptor {
  return (next) => async (request) => {
    const origin = request.contextValues.get(callOrigin);
    const token = bearerToken(request.header.get(metadata.gatewayAuthorization));
    if (origin !== undefined && token !== undefined) {
      const network = networkOf(origin.address);
      addresses.check(network);
      const gateway = await resolver.resolve(token);
      if (gateway?.scopes.has("gateway")) {
        request.contextValues.set(callOrigin, forwarded(origin, request.header));
      } else {
        addresses.consume(network);
      }
    }
    return next(request);
  };
}

function forwarded(origin: CallOrigin, header: Headers): CallOrigin {
  return {
    door: "rest",
    address: header.get(metadata.callerAddress) ?? origin.address,
    requestId: requestIdOf(header.get(metadata.requestId)),
    traceparent: traceparentOf(header.get(metadata.traceparent)),
    isTrusted: true,
  };
}
