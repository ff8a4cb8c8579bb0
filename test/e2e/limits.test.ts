// Rate limits: at the pipeline, so that every door is covered; counted for the right one and for nobody else.
import { Code, type ConnectError } from "@connectrpc/connect";
import { afterEach, expect, test } from "vitest";
import { SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { RetryInfoSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { addCaller, startTestApp, type TestApp } from "../support/app.ts";
import { GrpcClient } from "../support/grpc-client.ts";
import { connectDoor, grpcDoor } from "../support/rpc-door.ts";

let app: TestApp;
afterEach(() => app.stop());

const path = "/v1/values-bridge/assessment";

function get(token: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(app.httpUrl + path, { headers: { authorization: `Bearer ${token}`, ...headers } });
}

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { code: string }).code;
}

test("a client's limit holds over all doors together, and another client has its own", async () => {
  app = await startTestApp({ RATE_LIMIT_PER_MINUTE: "6", RATE_LIMIT_BURST: "6" });
  const { token } = await addCaller(app);
  const other = await addCaller(app);
  const doors = [grpcDoor(app.grpcAddress), connectDoor(app.httpUrl, true)];
  for (const [index, door] of doors.entries()) {
    expect((await door.getAssessment({ token })).ok).toBe(true);
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
  for (const door of doors) expect(await door.getAssessment({ token })).toMatchObject({ code: "rate_limited" });
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
  for (const door of doors) door.close();
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

test("an address with too many refused tokens is refused before its token is looked at, and no other is", async () => {
  app = await startTestApp({ ADDRESS_RATE_LIMIT_PER_MINUTE: "3", TRUSTED_PROXIES: "127.0.0.1/32" });
  const { token } = await addCaller(app);
  const from = (address: string) => ({ "x-forwarded-for": address });
  for (const _ of [1, 2, 3]) expect((await get("nonsense", from("203.0.113.1"))).status).toBe(401);
  expect((await get("nonsense", from("203.0.113.1"))).status).toBe(429);
  expect((await get(token, from("203.0.113.1"))).status).toBe(429);
  expect((await get(token, from("203.0.113.2"))).status).toBe(200);
  for (const each of ["/livez", "/readyz"]) {
    expect((await fetch(app.httpUrl + each, { headers: from("203.0.113.1") })).status).toBe(200);
  }
});

test("the address of a proxy that is not trusted is the caller's", async () => {
  app = await startTestApp({ ADDRESS_RATE_LIMIT_PER_MINUTE: "2" });
  for (const _ of [1, 2]) await get("nonsense", { "x-forwarded-for": crypto.randomUUID() });
  expect((await get("nonsense", { "x-forwarded-for": "203.0.113.9" })).status).toBe(429);
});

test("token requests are limited for each pair of client and address", async () => {
  app = await startTestApp({ TOKEN_RATE_LIMIT_PER_MINUTE: "2", TRUSTED_PROXIES: "127.0.0.1/32" });
  const partnerId = await app.addPartner();
  const one = await app.addClient(partnerId, ["results:read"]);
  const two = await app.addClient(partnerId, ["results:read"]);
  const request = async ({ clientId, clientSecret }: typeof one, address = "203.0.113.1") => {
    const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    const headers = { "x-forwarded-for": address };
    const response = await fetch(`${app.httpUrl}/oauth/token`, {
      method: "POST",
      headers,
      body: new URLSearchParams(form),
    });
    return response.status;
  };
  expect([await request(one), await request({ ...one, clientSecret: "wrong" }), await request(one)]).toEqual([
    200, 401, 429,
  ]);
  expect([await request(two), await request(one, "203.0.113.2")]).toEqual([200, 200]);
});
