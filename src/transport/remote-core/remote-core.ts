// The core of another process, for a gateway: gRPC, as a client with the scope `gateway`. It asks the core who the caller is
// before it reads a message, as the pipeline does, so that both refuse the same calls.
import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { type IntrospectResponse, TokenService } from "../../gen/assessment/v1/token_service_pb.ts";
import { Health, HealthCheckResponse_ServingStatus } from "../../gen/health/v1/health_pb.ts";
import {
  type CallHead,
  type CallOrigin,
  type Core,
  createInternalOrigin,
  getMessageLimit,
  headerNames,
  isBrowserScope,
  parseBearerToken,
  toCallEvent,
  toCaller,
  toSpanStart,
} from "../../kernel/calls/core.ts";
import { monotonic } from "../../kernel/environment.ts";
import {
  type CallerGone,
  missingScopeError,
  Refusal,
  toOutcome,
  toRefusal,
  unauthenticatedError,
} from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import { readRequiredScope } from "../../kernel/rpc-options.ts";
import { type CallEvent, type CallSpan, type CallTracing, clearSampledFlag } from "../../kernel/telemetry.ts";
import { findCoreInfo, readCoreError, unreachableError } from "./core-errors.ts";

/** A session of a person with its statements, as large as the limits of a definition allow, takes some 9 MB. */
const maxResponseBytes = 16 << 20;
const defaultTimeoutMs = 10_000;
const probeTimeoutMs = 2_000;
/** Pings detect a core that died without closing its connection; the next call opens another one. */
const pings = { pingIntervalMs: 5_000, pingTimeoutMs: 5_000 };
/** After the core refused the gateway's credentials, it is not asked again for this time: it counts every request. */
const refusalBackoffMs = 5_000;

export interface RemoteCoreOptions {
  /** The gateway's own. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** For example `http://core:50051`. */
  readonly url: string;
  /** PEM texts for TLS to the core; Node's defaults where undefined. */
  readonly tls: {
    readonly ca?: Buffer | undefined;
    readonly cert?: Buffer | undefined;
    readonly key?: Buffer | undefined;
  };
  /** Notified of every call when it is over. Never throws. */
  readonly observer: (event: CallEvent) => void;
  readonly tracing?: CallTracing | undefined;
  /** Whether only internal partners may have a scope: traces that they sample are recorded. */
  readonly isInternalScope: (scope: string) => boolean;
}

export interface RemoteCore extends Core {
  /** Throws a Refusal if the core cannot serve this gateway's calls right now. */
  probe(): Promise<void>;
}

/** A core that is reached by gRPC. */
export function createRemoteCore(remote: RemoteCoreOptions): RemoteCore {
  const { url, tls, clientId, clientSecret, observer, tracing, isInternalScope } = remote;
  const transport = createGrpcTransport({
    baseUrl: url,
    readMaxBytes: maxResponseBytes,
    defaultTimeoutMs,
    ...pings,
    nodeOptions: { ...tls },
    interceptors: [retryRefusedStreams],
  });
  const tokens = createClient(TokenService, transport);
  /** The gateway's own token: until the core refuses it. */
  let gatewayToken: Promise<string> | undefined;

  async function obtainToken(): Promise<string> {
    try {
      return (await tokens.issueToken({ clientId, clientSecret })).accessToken;
    } catch (error) {
      const pauseMs = findCoreInfo(error) === undefined ? 0 : refusalBackoffMs;
      setTimeout(() => (gatewayToken = undefined), pauseMs).unref();
      throw unreachableError("the core gives this gateway no token", error);
    }
  }

  /** Makes a call under the gateway's own token. If the core refuses that, it is replaced once. Throws a Refusal. */
  async function call<M extends DescMethodUnary>(
    method: M,
    message: MessageInitShape<M["input"]>,
    origin: CallOrigin,
    { headers, ...options }: CoreCallOptions = {},
  ): Promise<MessageShape<M["output"]>> {
    for (let isRetry = false; ; isRetry = true) {
      gatewayToken ??= obtainToken();
      const token = gatewayToken;
      const header = {
        ...headers,
        [headerNames.gatewayAuthorization]: `Bearer ${await token}`,
        [headerNames.callerAddress]: origin.address,
        [headerNames.callerTransport]: origin.transport,
        [headerNames.requestId]: origin.requestId,
      };
      try {
        return await send(method, message, origin, header, options);
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== "gateway_unauthenticated") throw error;
        if (isRetry) throw unreachableError("the core refuses this gateway's own token", error);
        if (gatewayToken === token) gatewayToken = undefined;
      }
    }
  }

  async function send<M extends DescMethodUnary>(
    method: M,
    message: MessageInitShape<M["input"]>,
    origin: CallOrigin,
    header: Record<string, string>,
    { span: outer, timeoutMs }: CoreCallOptions,
  ): Promise<MessageShape<M["output"]>> {
    const rpc = `${method.parent.typeName}/${method.name}`;
    const span = outer?.begin(rpc, "client", { "rpc.system.name": "grpc", "rpc.method": rpc });
    // The core trusts a gateway, so the gateway decides what is recorded, not the caller.
    const parent = span?.traceparent ?? clearSampledFlag(origin.traceparent);
    if (parent !== undefined) header[headerNames.traceparent] = parent;
    let refusal: Refusal | undefined;
    try {
      return (await transport.unary<M["input"], M["output"]>(method, undefined, timeoutMs, header, message)).message;
    } catch (error) {
      refusal = readCoreError(error);
      throw refusal;
    } finally {
      span?.end(
        { "rpc.response.status_code": refusal === undefined ? "OK" : toOutcome(refusal).toUpperCase() },
        refusal !== undefined,
      );
    }
  }

  /** Refuses what the pipeline would refuse. @returns the client; undefined if the rpc takes no client's token */
  async function introspect(scope: string, head: CallHead, span?: CallSpan): Promise<IntrospectResponse | undefined> {
    if (scope === "none" || isBrowserScope(scope)) return undefined;
    const { origin, context } = head;
    const partnerId = head.header(headerNames.partnerId);
    const authorization = head.header(headerNames.authorization);
    const bearer = parseBearerToken(authorization);
    const message = { token: bearer ?? "", ...(partnerId === undefined ? {} : { partnerId }) };
    const client = await call(TokenService.method.introspect, message, origin, { span });
    if (!client.active) throw unauthenticatedError(bearer, authorization);
    context.caller = toCaller(client.clientPartnerId, client.clientId);
    context.quota = client.rateLimit;
    context.isTestData = isTestTwin(client.partnerId);
    if (!client.scopes.includes(scope)) throw missingScopeError(scope);
    return client;
  }

  return {
    async admit(method, head) {
      const { origin, context, timeoutMs } = head;
      const startedAt = monotonic();
      const start = toSpanStart({ method, startedAt, origin });
      let span = tracing?.sample(start);
      let principal: IntrospectResponse | undefined;
      const report = (error?: Refusal | CallerGone) => {
        observer(toCallEvent({ method, origin, principal, startedAt, span }, error, monotonic()));
      };
      const end = (cause: unknown): Error => {
        const error = toRefusal(cause);
        report(error);
        return error;
      };
      const scope = readRequiredScope(method);
      try {
        principal = await introspect(scope, head, span);
        // As the pipeline does: only clients of internal partners have such a scope.
        if (principal?.scopes.some(isInternalScope)) span ??= tracing?.follow(start);
      } catch (error) {
        throw end(error);
      }
      return {
        maxBytes: getMessageLimit(scope),
        caller: context.caller,
        address: origin.address,
        end,
        async run(message) {
          const headers: Record<string, string> = {};
          for (const name of [headerNames.authorization, headerNames.partnerId]) {
            const value = head.header(name);
            if (value !== undefined) headers[name] = value;
          }
          const response = await call(method, message, origin, { span, timeoutMs, headers });
          report();
          return response;
        },
      };
    },

    async probe() {
      const health = createClient(Health, transport).check({}, { timeoutMs: probeTimeoutMs });
      const { status } = await health.catch((error: unknown) => {
        throw readCoreError(error);
      });
      if (status !== HealthCheckResponse_ServingStatus.SERVING) {
        throw new Refusal("unavailable", "The core is not ready.");
      }
      // The gateway's own token: any other would count as a refused one.
      gatewayToken ??= obtainToken();
      const message = { token: await gatewayToken };
      await call(TokenService.method.introspect, message, probeOrigin, { timeoutMs: probeTimeoutMs });
    },
  };
}

const probeOrigin = createInternalOrigin("readiness", false);

interface CoreCallOptions {
  /** The span of the caller's call; undefined if that is not recorded. */
  readonly span?: CallSpan | undefined;
  readonly timeoutMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A core refuses a stream three times only if it closes connections faster than they are opened. */
const maxTries = 3;

/**
 * An interceptor of the transport that repeats a call whose stream was refused. That is safe for every call: a refused stream was
 * not processed at all (RFC 9113 section 8.7).
 */
export const retryRefusedStreams: Interceptor = (next) => async (request) => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await next(request);
    } catch (error) {
      if (tries === maxTries || !isRefusedStream(error)) throw error;
    }
  }
};

/** Node reports the code of a stream in the message of its error only. */
function isRefusedStream(error: unknown): boolean {
  const cause = error instanceof ConnectError ? error.cause : undefined;
  return cause instanceof Error && cause.message.endsWith("NGHTTP2_REFUSED_STREAM");
}
