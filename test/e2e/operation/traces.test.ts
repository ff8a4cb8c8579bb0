import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { SessionService } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { addCaller, startTestGateway, type TestApp } from "../../support/app.ts";
import { appOfTest } from "../../support/of-test.ts";
import { type CollectedSpan, type Collector, startCollector } from "../../support/processes/collector.ts";
import { GrpcClient } from "../../support/transports/grpc-client.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { connectTransport, grpcTransport } from "../../support/transports/rpc-transport.ts";
import type { Transport } from "../../support/transports/transports.ts";
import { answer, bodyOf } from "../cases/case.ts";

const callerTraceId = "0123456789abcdef0123456789abcdef";
const parentId = "fedcba9876543210";
const sampled = `00-${callerTraceId}-${parentId}-01`;

let collector: Collector;
beforeEach(async () => {
  collector = await startCollector();
  onTestFinished(() => collector.close());
});

const traced = (share: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: share });

/** The service until the test ends. */
const start = (share: string) => appOfTest(traced(share));

const childrenOf = ({ spanId }: CollectedSpan) => collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId);
const named = (name: string) => collector.spans.filter((span) => span.name === name);
const complete = "assessment.v1.SessionService/CompleteSession";

async function playThrough(transport: Transport, token: string): Promise<void> {
  const { sessionId } = bodyOf(await transport.createSession({ token }, {}));
  bodyOf(await transport.completeSession({ token }, sessionId, { answers: [answer(1001, 3)] }));
  await transport.close();
}

describe("a service that records every call", () => {
  test("every transport sends the same spans: the call, its statements and waits, each within its parent, and the log names its trace", async () => {
    const app = await start("1");
    const { token, credentials } = await addCaller(app);
    await playThrough(restTransport(app.httpUrl), token);
    await playThrough(connectTransport(app.httpUrl, true), token);
    await playThrough(grpcTransport(app.grpcAddress), token);
    await app.stopService();
    const lines = app.logLines.map((line) => JSON.parse(line));
    const calls = named(complete);
    expect(calls.map(({ attributes }) => [attributes["pas.transport"], attributes["rpc.system.name"]])).toEqual([
      ["rest", undefined],
      ["connect", "connectrpc"],
      ["grpc", "grpc"],
    ]);
    for (const call of calls) {
      expect(call).toMatchObject({ kind: "server", parentSpanId: "", isError: false });
      expect(call.service).toBe("partner-assessment-service");
      expect(lines).toContainEqual(
        expect.objectContaining({ rpc: "SessionService/CompleteSession", traceId: call.traceId }),
      );
      expect(call.attributes).toMatchObject({
        "rpc.method": complete,
        "rpc.response.status_code": "OK",
        "pas.outcome": "ok",
        "pas.client_id": credentials.clientId,
      });
      const parts = childrenOf(call);
      expect(new Set(parts.map(({ traceId }) => traceId))).toEqual(new Set([call.traceId]));
      const summaries = parts.map(({ name, kind }) => `${kind} ${name}`);
      expect(summaries).toEqual(expect.arrayContaining(["internal wait for a connection", "client UPDATE sessions"]));
      const update = parts.find(({ name }) => name === "UPDATE sessions");
      expect(update?.attributes).toMatchObject({ "db.system.name": "mysql", "db.query.summary": "UPDATE sessions" });
      expect(update?.attributes["db.query.text"]).toMatch(
        /^UPDATE sessions FORCE INDEX \(PRIMARY\)\s+SET .*revision = \?/s,
      );
      for (const { seconds } of parts) expect(seconds).toBeLessThanOrEqual(call.seconds);
    }
  });

  test("a refusal is recorded as no error, and the look-up of a token as a part of its call", async () => {
    const app = await start("1");
    const { token } = await addCaller(app);
    const outcome = await restTransport(app.httpUrl).getSession({ token }, crypto.randomUUID());
    expect(outcome).toMatchObject({ code: "not_found" });
    await app.stopService();
    const [call] = named("assessment.v1.SessionService/GetSession");
    expect(call).toMatchObject({ isError: false, attributes: { "rpc.response.status_code": "NOT_FOUND" } });
    expect(call && childrenOf(call).map(({ name }) => name)).toContain("SELECT access_tokens");
  });
});

describe("traces of callers", () => {
  const create = SessionService.method.createSession;
  const call = async (app: TestApp, token: string, traceparent: string) => {
    const client = new GrpcClient(app.grpcAddress);
    const metadata = { authorization: `Bearer ${token}`, traceparent };
    await client.unary(create, { product: "values-bridge" }, { metadata });
    client.close();
  };

  test("a partner's trace is not continued: its ids are kept if the call is sampled", async () => {
    const off = await start("0");
    const { token } = await addCaller(off);
    await call(off, token, sampled);
    await off.stopService();
    expect(collector.spans).toEqual([]);
    const on = await start("1");
    await call(on, (await addCaller(on)).token, sampled.replace(/01$/, "00"));
    await on.stopService();
    const [span] = named("assessment.v1.SessionService/CreateSession");
    expect(span).toMatchObject({ traceId: callerTraceId, parentSpanId: parentId });
  });

  test("an internal partner's trace is continued", async () => {
    const app = await start("0");
    const client = await app.addClient(await app.addPartner({ internal: true }), ["sessions:write", "partners:act-as"]);
    const token = await app.tokenOf(client);
    await call(app, token, sampled.replace(/01$/, "00"));
    await call(app, token, sampled);
    await app.stopService();
    const calls = named("assessment.v1.SessionService/CreateSession");
    expect(calls).toMatchObject([{ traceId: callerTraceId, parentSpanId: parentId }]);
    expect(calls[0] && childrenOf(calls[0]).map(({ name }) => name)).toContain("INSERT sessions");
  });
});

describe("traces of a separate gateway", () => {
  const post = (url: string, token: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/v1/values-bridge/sessions`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
      body: "{}",
    });

  test("a gateway records its calls, and its core those that they cause, in one trace", async () => {
    const app = await start("0");
    const gateway = await startTestGateway(app, { environment: { ...traced("1"), OTEL_SERVICE_NAME: "gateway" } });
    const { token } = await addCaller(app);
    const response = await post(gateway.httpUrl, token, { traceparent: sampled.replace(/01$/, "00") });
    expect(response.status).toBe(201);
    await gateway.stop();
    await app.stopService();
    const request = named("assessment.v1.SessionService/CreateSession").find(
      ({ kind, service }) => kind === "server" && service === "gateway",
    );
    expect(request).toMatchObject({
      kind: "server",
      service: "gateway",
      traceId: callerTraceId,
      parentSpanId: parentId,
    });
    expect(request?.attributes).toMatchObject({
      "rpc.response.status_code": "OK",
      "pas.transport": "rest",
      "pas.request_id": response.headers.get("x-request-id"),
    });
    const hops = request ? childrenOf(request) : [];
    expect(hops.map(({ kind, name }) => [kind, name])).toEqual([
      ["client", "assessment.v1.TokenService/Introspect"],
      ["client", "assessment.v1.SessionService/CreateSession"],
    ]);
    for (const hop of hops) {
      expect(childrenOf(hop)).toMatchObject([
        { kind: "server", name: hop.name, service: "partner-assessment-service" },
      ]);
      expect(hop.attributes["rpc.response.status_code"]).toBe("OK");
    }
    const [created] = hops[1] ? childrenOf(hops[1]) : [];
    expect(created && childrenOf(created).map(({ name }) => name)).toContain("INSERT sessions");
  });

  test("a gateway and its core trust traces of internal partners only, whatever a partner says of its trace", async () => {
    const app = await start("0");
    const gateway = await startTestGateway(app, { environment: traced("0") });
    const { token } = await addCaller(app);
    const internal = await app.addClient(await app.addPartner({ internal: true }), ["sessions:write", "admin"]);
    expect((await post(gateway.httpUrl, token, { traceparent: sampled })).status).toBe(201);
    expect((await post(gateway.httpUrl, await app.tokenOf(internal), { traceparent: sampled })).status).toBe(201);
    await gateway.stop();
    await app.stopService();
    const calls = named("assessment.v1.SessionService/CreateSession");
    expect(calls.map(({ kind, traceId }) => `${kind} ${traceId}`).toSorted()).toEqual([
      `client ${callerTraceId}`,
      `server ${callerTraceId}`,
      `server ${callerTraceId}`,
    ]);
  });
});
