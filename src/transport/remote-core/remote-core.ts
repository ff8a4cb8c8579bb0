// The core of another process, for a gateway: gRPC, as a client with the scope `gateway`. It asks the core who the caller is
// before it reads a message, as the pipeline does, so that both refuse the same calls.
import { ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { type IntrospectResponse, TokenService } from "../../gen/assessment/v1/token_service_pb.ts";
import { Health, HealthCheckResponse_ServingStatus } from "../../gen/health/v1/health_pb.ts";
import {
  bearerToken,
  type CallHead,
  type CallOrigin,
  type Core,
  isBrowserScope,
  maxBytesOf,
  metadata,
} from "../../kernel/calls/core.ts";
import { lacksScope, outcomeOf, Refusal, unauthenticated, violationOf } from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import { callerOf } from "../../kernel/limits/caller.ts";
import { requiredScope } from "../../kernel/rpc-options.ts";
import { type CallEvent, type CallTracing, isSampled } from "../../kernel/telemetry.ts";
import { fromCoreError } from "./core-errors.ts";
import { type GatewayCredentials, GatewayToken } from "./gateway-token.ts";
import { IdentifiedCalls } from "./identified-calls.ts";

/** A session of a person with its statements, as large as the limits of a definition allow, takes some 9 MB. */
const maxResponseBytes = 16 << 20;
const defaultTimeoutMs = 10_000;
const probeTimeoutMs = 2_000;
/** Pings detect a core that died without closing its connection; the next call opens another one. */
const pings = { pingIntervalMs: 5_000, pingTimeoutMs: 5_000 };

export interface RemoteCoreOptions extends GatewayCredentials {
  /** For example `http://core:50051`. */
  readonly url: string;
  /** PEM texts for TLS to the core; Node's defaults where undefined. */
  readonly tls: {
    readonly ca?: Buffer | undefined;
    readonly cert?: Buffer | undefined;
    readonly key?: Buffer | undefined;
  };
  readonly observer: (event: CallEvent) => void;
  /** Receives every call of the core: one call of a caller may make several. */
  readonly observeCall: ObserveCoreCall;
  /** Records requests. */
  readonly tracing?: CallTracing | undefined;
  /** Whether internal partners alone have a scope: what they record is recorded. */
  readonly isInternalScope: (scope: string) => boolean;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

export interface RemoteCore extends Core {
  /** Throws a Refusal if the core cannot serve this gateway's calls right now. */
  probe(): Promise<void>;
}

/** A core that is reached by gRPC. */
export function createRemoteCore(remote: RemoteCoreOptions): RemoteCore {
  const { url, tls, clientId, clientSecret, observer, observeCall, tracing, isInternalScope, now } = remote;
  const transport = createGrpcTransport({
    baseUrl: url,
    readMaxBytes: maxResponseBytes,
    defaultTimeoutMs,
    ...pings,
    nodeOptions: { ...tls },
    interceptors: [retryRefusedStreams, observedCalls(observeCall, now)],
  });
  const token = new GatewayToken({
    tokens: createClient(TokenService, transport),
    credentials: { clientId, clientSecret },
    now,
  });
  const calls = new IdentifiedCalls(transport, token);

  /** Refuses what the pipeline would refuse. @returns the client; undefined if the rpc takes no client's token */
  async function introspect(scope: string, head: CallHead): Promise<IntrospectResponse | undefined> {
    if (scope === "none" || isBrowserScope(scope)) return undefined;
    const { origin, facts } = head;
    const authorization = head.header(metadata.authorization);
    const partnerId = head.header(metadata.partnerId);
    const bearer = bearerToken(authorization);
    const message = { token: bearer ?? "", ...(partnerId === undefined ? {} : { partnerId }) };
    const client = await calls.call(TokenService.method.introspect, { origin }, {}, message);
    if (!client.active) throw unauthenticated(bearer, authorization);
    facts.caller = callerOf(client.partnerId, client.clientId);
    facts.quota = client.rateLimit;
    facts.isTestData = isTestTwin(client.partnerId);
    if (!client.scopes.includes(scope)) throw lacksScope(scope);
    if (client.scopes.some(isInternalScope)) followInternal(origin);
    return client;
  }

  /** Records what a client of an internal partner records: only those have the scope. */
  function followInternal({ trace, traceparent, tracestate }: CallOrigin): void {
    if (tracing === undefined || trace === undefined || trace.span !== undefined || !isSampled(traceparent)) return;
    const { name, startedAt } = trace;
    trace.span = tracing.follow({ name, startedAt, traceparent, tracestate });
  }

  let serving = 0;
  return {
    isServing: () => serving > 0,

    async admit(method, head) {
      const served = head.timeoutMs === undefined ? 1 : 0;
      serving += served;
      const { origin, facts } = head;
      const startedAt = now();
      let isOver = false;
      let client: IntrospectResponse | undefined;
      const end = async (error: unknown): Promise<Error> => {
        if (!isOver) report(error);
        return error as Error;
      };
      const report = (error: unknown) => {
        isOver = true;
        serving -= served;
        observer({
          rpc: `${method.parent.name}/${method.name}`,
          transport: origin.transport,
          requestId: origin.requestId,
          traceparent: origin.traceparent,
          span: undefined,
          clientId: client?.clientId,
          partnerId: client?.partnerId,
          outcome: outcomeOf(error),
          violation: violationOf(error),
          seconds: (now() - startedAt) / 1000 - facts.waitedSeconds,
          cause: error instanceof Refusal ? error.cause : error,
        });
      };
      const scope = requiredScope(method);
      try {
        client = await introspect(scope, head);
      } catch (error) {
        throw await end(error);
      }
      return {
        maxBytes: maxBytesOf(scope),
        sender: { knownAs: facts.caller, address: origin.address },
        end,
        async run(message) {
          try {
            const response = await calls.call(method, head, forwardedMetadata(head, client), message);
            report(undefined);
            return response;
          } catch (error) {
            throw await end(error);
          }
        },
      };
    },

    async probe() {
      const health = createClient(Health, transport).check({}, { timeoutMs: probeTimeoutMs });
      const { status } = await health.catch((error: unknown) => {
        throw fromCoreError(error);
      });
      if (status !== HealthCheckResponse_ServingStatus.SERVING) {
        throw new Refusal("unavailable", "The core is not ready.");
      }
      const origin = { transport: "internal", address: "", requestId: "readiness", traceparent: undefined } as const;
      // The gateway's own token: any other would count as a refused one.
      const message = { token: await token.get() };
      const head = { origin: { ...origin, isTrusted: false }, timeoutMs: probeTimeoutMs };
      await calls.call(TokenService.method.introspect, head, {}, message);
    },
  };
}

/** The caller's metadata that the core needs. @param client undefined: the rpc takes no client's token */
function forwardedMetadata(head: CallHead, client: IntrospectResponse | undefined): Record<string, string> {
  const forwarded: Record<string, string> = {};
  for (const name of [metadata.authorization, ...(client === undefined ? [] : [metadata.partnerId])]) {
    const value = head.header(name);
    if (value !== undefined) forwarded[name] = value;
  }
  return forwarded;
}

/** Receives a call. @param code of gRPC, in lower case: `ok`, `unavailable` */
export type ObserveCoreCall = (rpc: string, code: string, seconds: number) => void;

/** An interceptor of the transport that reports calls. @param now milliseconds of a monotonic clock */
function observedCalls(observe: ObserveCoreCall, now: () => number): Interceptor {
  return (next) => async (request) => {
    const startedAt = now();
    const rpc = `${request.service.name}/${request.method.name}`;
    const end = (code: string) => observe(rpc, code, (now() - startedAt) / 1000);
    try {
      const response = await next(request);
      end("ok");
      return response;
    } catch (error) {
      end(codeToString(ConnectError.from(error).code));
      throw error;
    }
  };
}

/** A core refuses a stream three times only if it closes connections faster than they are opened. */
const maxTries = 3;

/**
 * An interceptor of the transport that retries a call whose stream was refused. That is safe for every call: a refused
 * stream was not processed at all (RFC 9113 section 8.7).
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
  if (!(cause instanceof Error) || !("code" in cause)) return false;
  return cause.code === "ERR_HTTP2_STREAM_ERROR" && cause.message.endsWith("NGHTTP2_REFUSED_STREAM");
}
