// Rate limits: at the pipeline, so that every transport is covered; counted for the right one and for nobody else.
import { randomBytes } from "node:crypto";
import { Code, type ConnectError } from "@connectrpc/connect";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { partnerScopes } from "../../src/domain/identity/scopes.ts";
import { createSecret } from "../../src/domain/identity/secrets.ts";
import { AssessmentService } from "../../src/gen/assessment/v1/assessment_service_pb.ts";
import { SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { TokenService } from "../../src/gen/assessment/v1/token_service_pb.ts";
import { ErrorInfoSchema, RetryInfoSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { addCaller, startTestApp, type TestApp } from "../support/app.ts";
import { gatewayOfTest } from "../support/of-test.ts";
import { GrpcClient } from "../support/transports/grpc-client.ts";
import { connectTransport, grpcTransport } from "../support/transports/rpc-transport.ts";

let app: TestApp;
afterEach(() => app.stop());

const path = "/v1/values-bridge/assessment";

function get(token: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(app.httpUrl + path, { headers: { authorization: `Bearer ${token}`, ...headers } });
}

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { code: string }).code;
}

/** Asks for the assessment over gRPC. @returns the reason of a refusal */
function asksOverGrpc(): (metadata: Record<string, string>) => Promise<string> {
  const client = new GrpcClient(app.grpcAddress);
  onTestFinished(() => client.close());
  return (metadata) =>
    client
      .unary(
        AssessmentService.method.getPublishedAssessment,
        { product: "values-bridge" },
        { metadata: { authorization: "Bearer nonsense", ...metadata } },
      )
      .then(
        () => "",
        (error: ConnectError) => error.findDetails(ErrorInfoSchema)[0]?.reason ?? "none",
      );
}

/** Asks for a token or revokes one, as somebody at an address. @returns the status */
async function post(
  endpoint: "token" | "revoke",
  { clientId, clientSecret }: Awaited<ReturnType<TestApp["addClient"]>>,
  address = "203.0.113.1",
): Promise<number> {
  const form = { client_id: clientId, client_secret: clientSecret, token: "x", grant_type: "client_credentials" };
  const init = { method: "POST", headers: { "x-forwarded-for": address }, body: new URLSearchParams(form) };
  return (await fetch(`${app.httpUrl}/oauth/${endpoint}`, init)).status;
}

test("a client's limit holds over all transports together, and another client has its own", async () => {
  app = await startTestApp({ RATE_LIMIT_PER_MINUTE: "6", RATE_LIMIT_BURST: "6" });
  const { token } = await addCaller(app);
  const other = await addCaller(app);
  const transports = [grpcTransport(app.grpcAddress), connectTransport(app.httpUrl, true)];
  for (const [index, transport] of transports.entries()) {
    expect((await transport.getPublishedAssessment({ token })).ok).toBe(true);
    const response = await get(token);
    expect(response.headers.get("ratelimit-policy")).toBe('"default";q=6;w=60');
    expect(response.headers.get("ratelimit")).toMatch(new RegExp(`^"default";r=${4 - 2 * index};t=\\d+$`));
  }
  await get(token);
  await get(token);
  const refused = await get(token);
  expect([refused.status, await codeOf(refused)]).toEqual([429, "rate_limited"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refused.headers.get("ratelimit")).toMatch(/^"default";r=0;t=\d+$/);
  expect(refused.headers.get("ratelimit-policy")).toBe('"default";q=6;w=60');
  for (const transport of transports)
    expect(await transport.getPublishedAssessment({ token })).toMatchObject({ code: "rate_limited" });
  const client = new GrpcClient(app.grpcAddress);
  const metadata = { authorization: `Bearer ${token}` };
  const error = await client
    .unary(SessionService.method.getSession, {}, { metadata })
    .catch((thrown: ConnectError) => thrown);
  if (!("findDetails" in error)) throw new Error("not refused");
  expect(error.code).toBe(Code.ResourceExhausted);
  expect(error.findDetails(RetryInfoSchema)[0]?.retryDelay?.seconds).toBeGreaterThan(0n);
  client.close();
  expect((await get(other.token)).status).toBe(200);
  for (const transport of transports) transport.close();
});

test("all clients of a partner and its test twin may send as much as two of them, and another partner has its own", async () => {
  app = await startTestApp({ RATE_LIMIT_PER_MINUTE: "3", RATE_LIMIT_BURST: "3" });
  const partner = await addCaller(app);
  const twin = await app.tokenOf(await app.addClient(await app.addTwin(partner.partnerId), partnerScopes));
  const third = await app.tokenOf(await app.addClient(partner.partnerId, partnerScopes));
  for (const token of [partner.token, partner.token, twin, twin, third]) expect((await get(token)).status).toBe(200);
  const last = await get(third);
  expect([last.status, last.headers.get("ratelimit")]).toEqual([200, expect.stringMatching(/^"default";r=0;/)]);
  expect((await get(third)).status).toBe(429);
  expect((await get((await addCaller(app)).token)).status).toBe(200);
});

test("a refused body and a missing scope count for the client that sent them, and a refused token for no client", async () => {
  app = await startTestApp({ RATE_LIMIT_PER_MINUTE: "3", RATE_LIMIT_BURST: "3" });
  const { token } = await addCaller(app, ["sessions:write"]);
  const other = await addCaller(app, ["assessments:read"]);
  expect((await get(token)).status).toBe(403);
  expect((await get("nonsense")).status).toBe(401);
  expect((await get(`pas_at_${"0".repeat(49)}`)).status).toBe(401);
  expect((await get(token)).status).toBe(403);
  expect((await get(token)).status).toBe(403);
  expect((await get(token)).status).toBe(429);
  for (const _ of [1, 2, 3]) expect((await get(other.token)).status).toBe(200);
});

describe("addresses with too many made-up tokens, behind a proxy", () => {
  const environment = { ADDRESS_RATE_LIMIT_PER_MINUTE: "3", TRUSTED_PROXIES: "127.0.0.1/32" };
  const blocked = "203.0.113.1";

  /** Asks for the assessment over every transport, as somebody at an address. @returns what came of it, by transport */
  async function askAll(token: string, forwardedFor: string): Promise<Record<string, string | number>> {
    const gateway = await gatewayOfTest(app, { environment });
    const headers = { authorization: `Bearer ${token}`, "x-forwarded-for": forwardedFor };
    const overConnect = fetch(`${app.httpUrl}/assessment.v1.AssessmentService/GetPublishedAssessment`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ product: "values-bridge" }),
    });
    return {
      rest: (await get(token, headers)).status,
      gateway: (await fetch(gateway.httpUrl + path, { headers })).status,
      grpc: await asksOverGrpc()(headers),
      connect: (await overConnect).status,
    };
  }

  const served = { rest: 200, gateway: 200, grpc: "", connect: 200 };
  const unknown = { rest: 401, gateway: 401, grpc: "UNAUTHENTICATED", connect: 401 };
  const refused = { rest: 429, gateway: 429, grpc: "RATE_LIMITED", connect: 429 };

  test("an address with too many made-up tokens is refused over every transport, and no token that was issued is", async () => {
    app = await startTestApp(environment);
    const partner = await addCaller(app);
    expect((await get(partner.token)).status).toBe(200);
    const stranger = await addCaller(app);
    for (const _ of [1, 2, 3]) expect((await get("nonsense", { "x-forwarded-for": blocked })).status).toBe(401);
    expect(await askAll("nonsense", blocked)).toEqual(refused);
    expect(await askAll(partner.token, blocked)).toEqual(served);
    expect(await askAll(stranger.token, blocked)).toEqual(served);
    expect(await askAll(createSecret("accessToken", randomBytes), blocked)).toEqual(unknown);
    for (const each of ["/livez", "/readyz"])
      expect((await fetch(app.httpUrl + each, { headers: { "x-forwarded-for": blocked } })).status).toBe(200);
  });

  test("the address that counts is the one that the proxy names, whatever the client claims, also over gRPC", async () => {
    app = await startTestApp(environment);
    const overGrpc = asksOverGrpc();
    const ask = (forwardedFor: string) => overGrpc({ "x-forwarded-for": forwardedFor });
    for (const _ of [1, 2, 3])
      expect(await ask(`${crypto.randomUUID()}, 198.51.100.1, ${blocked}`)).toBe("UNAUTHENTICATED");
    expect(await ask(`198.51.100.9, ${blocked}`)).toBe("RATE_LIMITED");
    expect(await ask(`${blocked}, 127.0.0.1`)).toBe("RATE_LIMITED");
    expect(await ask(`${blocked}, 203.0.113.2`)).toBe("UNAUTHENTICATED");
    // An IPv6 network is one, however many addresses it has.
    for (const last of ["0:0:0:1", ":2:3", "ffff:ffff:ffff:ffff"]) {
      expect(await ask(`2001:db8:0:7:${last}`)).toBe("UNAUTHENTICATED");
    }
    expect(await ask("2001:db8:0:7::9")).toBe("RATE_LIMITED");
    expect(await ask("2001:db8:0:8::9")).toBe("UNAUTHENTICATED");
  });

  test("a caller cannot name its own address, with or without another's token, over any transport", async () => {
    app = await startTestApp({ ADDRESS_RATE_LIMIT_PER_MINUTE: "3" });
    const { token } = await addCaller(app);
    const ask = asksOverGrpc();
    const name = () => ({ "caller-address": crypto.randomUUID(), "x-forwarded-for": crypto.randomUUID() });
    expect((await get(token, { ...name(), "gateway-authorization": "Bearer nonsense" })).status).toBe(200);
    for (const _ of [1, 2]) {
      expect(await ask(name())).toBe("UNAUTHENTICATED");
      expect(await ask({ ...name(), "gateway-authorization": `Bearer ${token}` })).toBe("GATEWAY_UNAUTHENTICATED");
    }
    expect((await get("nonsense", { ...name(), "caller-transport": "web" })).status).toBe(401);
    expect(await ask(name())).toBe("RATE_LIMITED");
    expect((await get("nonsense", { "x-forwarded-for": "203.0.113.9" })).status).toBe(429);
  });
});

test("requests for tokens and revocations are limited together, for each pair of client and address", async () => {
  app = await startTestApp({ TOKEN_RATE_LIMIT_PER_MINUTE: "2", TRUSTED_PROXIES: "127.0.0.1/32" });
  const partnerId = await app.addPartner();
  const one = await app.addClient(partnerId, ["results:read"]);
  const two = await app.addClient(partnerId, ["results:read"]);
  expect(await post("token", { ...one, clientSecret: "wrong" })).toBe(401);
  expect([await post("revoke", one), await post("token", one), await post("revoke", one)]).toEqual([200, 429, 429]);
  expect([await post("token", two), await post("token", one, "203.0.113.2")]).toEqual([200, 200]);
});

test("made-up secrets count against their address, whichever client they name, and lock nobody out", async () => {
  app = await startTestApp({ ADDRESS_RATE_LIMIT_PER_MINUTE: "4", TRUSTED_PROXIES: "127.0.0.1/32" });
  const good = await app.addClient(await app.addPartner(), ["results:read"]);
  const partner = await addCaller(app);
  expect((await get(partner.token)).status).toBe(200);
  const guess = () => ({ clientId: crypto.randomUUID(), clientSecret: `pas_cs_${crypto.randomUUID()}` });
  expect(await post("token", good)).toBe(200);
  for (const endpoint of ["token", "revoke", "token"] as const) expect(await post(endpoint, guess())).toBe(401);
  const client = new GrpcClient(app.grpcAddress);
  onTestFinished(() => client.close());
  const metadata = { "x-forwarded-for": "203.0.113.1" };
  const overGrpc = () =>
    client.unary(TokenService.method.issueToken, guess(), { metadata }).catch((error: ConnectError) => error.code);
  expect(await overGrpc()).toBe(Code.Unauthenticated);
  expect(await overGrpc()).toBe(Code.ResourceExhausted);
  for (const endpoint of ["token", "revoke"] as const) expect(await post(endpoint, good)).toBe(200);
  expect(await post("token", good, "203.0.113.2")).toBe(200);
  expect((await get(partner.token, { "x-forwarded-for": "203.0.113.1" })).status).toBe(200);
});
