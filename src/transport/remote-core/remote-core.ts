// The core of another process, for a gateway: gRPC, as a client with the scope `gateway`. It asks the core who the caller is
// before it reads a message, as the pipeline does, so that both refuse the same calls.
import type { DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { ConnectError, createClient, type Interceptor, type UnaryResponse } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { type IntrospectResponse, TokenService } from "../../gen/assessment/v1/token_service_pb.ts";
import { Health, HealthCheckResponse_ServingStatus } from "../../gen/health/v1/health_pb.ts";
import {
  bearerToken,
  type CallHead,
  type CallOrigin,
  type Core,
  callEvent,
  isBrowserScope,
  maxBytesOf,
  metadata,
} from "../../kernel/calls/core.ts";
import { lacksScope, outcomeOf, Refusal, toRefusal, unauthenticated } from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import { callerOf } from "../../kernel/limits/caller.ts";
import { requiredScope } from "../../kernel/rpc-options.ts";
import { type CallEvent, type CallTracing, isSampled, withoutSampling } from "../../kernel/telemetry.ts";
import { fromCoreError, unreachable } from "./core-errors.ts";
import { type GatewayCredentials, GatewayToken } from "./gateway-token.ts";

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
    interceptors: [observedTries(observeCall, now)],
  });
  const tokens = createClient(TokenService, transport);
  const gatewayToken = new GatewayToken(() => tokens.issueToken({ clientId, clientSecret }), now);

  /** Makes a call under the gateway's own token. If the core refuses that, it is replaced once. Throws a Refusal. */
  async function call<M extends DescMethodUnary>(
    method: M,
    origin: CallOrigin,
    timeoutMs: number | undefined,
    headers: Readonly<Record<string, string>>,
    message: MessageInitShape<M["input"]>,
  ): Promise<UnaryResponse<M["input"], M["output"]>> {
    for (let isRepeated = false; ; isRepeated = true) {
      const token = gatewayToken.get();
      const header = { ...headers, ...identity(await token, origin) };
      try {
        return await send(method, origin, timeoutMs, header, message);
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== "gateway_unauthenticated") throw error;
        if (isRepeated) throw unreachable("the core refuses this gateway's own token", error);
        gatewayToken.drop(token);
      }
    }
  }

  /** Sends a call, with the request's span if it is recorded. */
  async function send<M extends DescMethodUnary>(
    method: M,
    { trace, traceparent }: CallOrigin,
    timeoutMs: number | undefined,
    header: Record<string, string>,
    message: MessageInitShape<M["input"]>,
  ): Promise<UnaryResponse<M["input"], M["output"]>> {
    const rpc = `${method.parent.typeName}/${method.name}`;
    const span = trace?.span?.begin(rpc, "client", { "rpc.system.name": "grpc", "rpc.method": rpc });
    // The core trusts a gateway, so the gateway decides what is recorded, whatever the caller asks for.
    const parent = span?.traceparent ?? withoutSampling(traceparent);
    if (parent !== undefined) header[metadata.traceparent] = parent;
    if (span?.tracestate !== undefined) header[metadata.tracestate] = span.tracestate;
    let refusal: Refusal | undefined;
    try {
      return await transport.unary<M["input"], M["output"]>(method, undefined, timeoutMs, header, message);
    } catch (error) {
      refusal = fromCoreError(error);
      throw refusal;
    } finally {
      span?.end({ "rpc.response.status_code": outcomeOf(refusal).toUpperCase() }, refusal !== undefined);
    }
  }

  /** Refuses what the pipeline would refuse. @returns the client; undefined if the rpc takes no client's token */
  async function introspect(scope: string, head: CallHead): Promise<IntrospectResponse | undefined> {
    if (scope === "none" || isBrowserScope(scope)) return undefined;
    const { origin, facts } = head;
    const authorization = head.header(metadata.authorization);
    const partnerId = head.header(metadata.partnerId);
    const bearer = bearerToken(authorization);
    const message = { token: bearer ?? "", ...(partnerId === undefined ? {} : { partnerId }) };
    const { message: client } = await call(TokenService.method.introspect, origin, undefined, {}, message);
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
      const { origin, facts, timeoutMs } = head;
      const increment = timeoutMs === undefined ? 1 : 0;
      serving += increment;
      const startedAt = now();
      let isOver = false;
      let principal: IntrospectResponse | undefined;
      const report = (error: Error | undefined) => {
        if (isOver) return;
        isOver = true;
        serving -= increment;
        observer(callEvent({ method, head, origin, principal, startedAt, span: undefined }, error, now()));
      };
      const end = async (cause: unknown): Promise<Error> => {
        const error = toRefusal(cause);
        report(error);
        return error;
      };
      const scope = requiredScope(method);
      try {
        principal = await introspect(scope, head);
      } catch (error) {
        throw await end(error);
      }
      return {
        maxBytes: maxBytesOf(scope),
        sender: { knownAs: facts.caller, address: origin.address },
        end,
        async run(message) {
          try {
            const names = [metadata.authorization, ...(principal === undefined ? [] : [metadata.partnerId])];
            const response = await call(method, origin, timeoutMs, headersOf(head, names), message);
            facts.waitedSeconds += Number(response.header.get(metadata.waitedMs)) / 1_000;
            report(undefined);
            return response.message;
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
      const message = { token: await gatewayToken.get() };
      await call(TokenService.method.introspect, { ...origin, isTrusted: false }, probeTimeoutMs, {}, message);
    },
  };
}

/** What the core needs to know of a caller, from a gateway. */
function identity(token: string, { address, transport, requestId }: CallOrigin): Record<string, string> {
  return {
    [metadata.gatewayAuthorization]: `Bearer ${token}`,
    [metadata.callerAddress]: address,
    [metadata.callerTransport]: transport,
    [metadata.requestId]: requestId,
  };
}

/** The metadata of these names that a caller has sent. */
function headersOf(head: CallHead, names: readonly string[]): Record<string, string> {
  const values = names.flatMap((name) => {
    const value = head.header(name);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(values);
}

/** Receives a call. @param code of gRPC, in lower case: `ok`, `unavailable` */
export type ObserveCoreCall = (rpc: string, code: string, seconds: number) => void;

/** A core refuses a stream three times only if it closes connections faster than they are opened. */
const maxTries = 3;

/**
 * An interceptor of the transport that reports calls, and repeats one whose stream was refused. That is safe for every call: a
 * refused stream was not processed at all (RFC 9113 section 8.7).
 * @param now milliseconds of a monotonic clock
 */
export function observedTries(observe: ObserveCoreCall, now: () => number): Interceptor {
  return (next) => async (request) => {
    const rpc = `${request.service.name}/${request.method.name}`;
    for (let tries = 1; ; tries += 1) {
      const startedAt = now();
      const end = (code: string) => observe(rpc, code, (now() - startedAt) / 1_000);
      try {
        const response = await next(request);
        end("ok");
        return response;
      } catch (error) {
        end(codeToString(ConnectError.from(error).code));
        if (tries === maxTries || !isRefusedStream(error)) throw error;
      }
    }
  };
}

/** Node reports the code of a stream in the message of its error only. */
function isRefusedStream(error: unknown): boolean {
  const cause = error instanceof ConnectError ? error.cause : undefined;
  return cause instanceof Error && cause.message.endsWith("NGHTTP2_REFUSED_STREAM");
}
