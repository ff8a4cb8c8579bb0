// The pipeline of another process, for a gateway of its own: gRPC to the core, as a client with the scope `gateway`.
import { createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { callOrigin } from "../../contract/call-origin.ts";
import { metadata } from "../../contract/metadata.ts";
import { TokenService } from "../../gen/assessment/v1/token_service_pb.ts";

export interface CoreAddress {
  /** For example `http://core:50051`. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A token is replaced while it still has this share of its life. */
const renewalShare = 0.1;

/** A transport that tells the core who the gateway is, and what it knows of its caller. */
export function createCoreTransport({ url, clientId, clientSecret }: CoreAddress): Transport {
  const options = { baseUrl: url, readMaxBytes: 4 << 20, defaultTimeoutMs: 10_000 };
  const tokens = createClient(TokenService, createGrpcTransport(options));
  /** When to renew it is by a clock that never steps. */
  let current: { token: Promise<string>; renewAt: number } | undefined;

  const gatewayToken = (): Promise<string> => {
    if (current !== undefined && performance.now() < current.renewAt) return current.token;
    const fetched = { token: Promise.resolve(""), renewAt: Number.POSITIVE_INFINITY };
    fetched.token = tokens.issueToken({ clientId, clientSecret }).then(
      ({ accessToken, expiresIn }) => {
        fetched.renewAt = performance.now() + expiresIn * 1000 * (1 - renewalShare);
        return accessToken;
      },
      (error: unknown) => {
        if (current === fetched) current = undefined;
        throw error;
      },
    );
    current = fetched;
    return fetched.token;
  };

  const identify: Interceptor = (next) => async (request) => {
    request.header.set(metadata.gatewayAuthorization, `Bearer ${await gatewayToken()}`);
    const origin = request.contextValues.get(callOrigin);
    if (origin !== undefined) {
      request.header.set(metadata.callerAddress, origin.address);
      request.header.set(metadata.requestId, origin.requestId);
      if (origin.traceparent !== undefined) request.header.set(metadata.traceparent, origin.traceparent);
    }
    return next(request);
  };
  return createGrpcTransport({ ...options, interceptors: [identify] });
}
