// A gateway of its own in trouble with its core: no partner is blamed, the operator hears of it, and it passes by
// itself.
import { afterEach, expect, test } from "vitest";
import { addCaller, type GatewayOptions, startTestApp, type TestApp, type TestGateway } from "../../support/app.ts";
import type { Credentials } from "../../support/databases/partners.ts";
import { sumOf } from "../../support/measures/series.ts";
import { gatewayOfTest } from "../../support/of-test.ts";

const assessment = "/v1/values-bridge/assessment";
/** As many as one client has slots: on a slow machine others would wait too long. */
const atOnce = 8;
let app: TestApp;
afterEach(() => app.stop());

async function startSplit(environment: Record<string, string> = {}, options: GatewayOptions = {}) {
  app = await startTestApp(environment);
  const client = options.client ?? (await app.addClient(await app.addPartner({ internal: true }), ["gateway"]));
  const gateway = await gatewayOfTest(app, { ...options, client });
  const { token } = await addCaller(app);
  return { gateway, client, token };
}

function get({ httpUrl }: TestGateway, token: string): Promise<Response> {
  return fetch(httpUrl + assessment, { headers: { authorization: `Bearer ${token}` } });
}

async function statuses(count: number, send: () => Promise<Response>): Promise<Record<number, number>> {
  const counted: Record<number, number> = {};
  const responses = await Promise.all(Array.from({ length: count }, send));
  for (const { status } of responses) counted[status] = (counted[status] ?? 0) + 1;
  await Promise.all(responses.map((response) => response.arrayBuffer()));
  return counted;
}

/** Tokens of the gateway that the core has issued. */
function issued(): Promise<number> {
  return sumOf(app.httpUrl, "pas_calls_seconds_count", 'rpc="TokenService/IssueToken"', 'transport="grpc"');
}

/** Takes the gateway's tokens away from the core, which forgets what it knew of them. */
async function loseTokens({ clientId }: Credentials): Promise<void> {
  await app.database.connection.query("DELETE FROM access_tokens WHERE client_id = UNHEX(?)", [
    clientId.replaceAll("-", ""),
  ]);
  await app.stopService();
  await app.startService();
}

test("a gateway whose token is lost obtains another one once, and no partner's call fails, however many are made then", async () => {
  // So few that a gateway which counted every call with its old token as a guess would lock itself out.
  const { gateway, client, token } = await startSplit({
    ADDRESS_RATE_LIMIT_PER_MINUTE: "5",
    MAX_CONCURRENT_CALLS: "1000",
  });
  expect((await get(gateway, token)).status).toBe(200);
  for (let round = 0; round < 3; round += 1) {
    await loseTokens(client);
    // More than the address may guess.
    expect(await statuses(atOnce, () => get(gateway, token))).toEqual({ 200: atOnce });
    expect(await issued()).toBe(1);
  }
  expect((await fetch(`${gateway.httpUrl}/readyz`)).status).toBe(200);
  const { connection } = app.database;
  const [rows] = await connection.query("SELECT COUNT(*) AS tokens FROM access_tokens WHERE client_id = UNHEX(?)", [
    client.clientId.replaceAll("-", ""),
  ]);
  expect(rows).toEqual([{ tokens: 1 }]);
});

test("a gateway without a token of its scope is not ready, returns 503 to all, and logs an error", async () => {
  app = await startTestApp();
  const client = await app.addClient(await app.addPartner({ internal: true }), ["partners:act-as"]);
  const gateway = await gatewayOfTest(app, { client });
  const { token } = await addCaller(app);
  await expectOwnTrouble(gateway, token, "gateway_unauthenticated");
});

test("calls fail with 503 while the core is away, and succeed as soon as it is back", async () => {
  const { gateway, token } = await startSplit();
  for (let round = 0; round < 3; round += 1) {
    expect(await statuses(atOnce, () => get(gateway, token))).toEqual({ 200: atOnce });
    await app.stopService();
    const away = await get(gateway, token);
    expect([away.status, away.headers.get("retry-after"), await away.json()]).toMatchObject([
      503,
      "1",
      { code: "unavailable" },
    ]);
    await app.startService();
  }
  expect(await statuses(atOnce, () => get(gateway, token))).toEqual({ 200: atOnce });
});

test("calls that fail while the core is away count against no caller", async () => {
  const { gateway, token } = await startSplit();
  let isOver = false;
  const seen = new Set<number>();
  const callers = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      const response = await get(gateway, token);
      seen.add(response.status);
      await response.arrayBuffer();
    }
  });
  for (let round = 0; round < 3; round += 1) {
    await app.stopService();
    await app.startService();
  }
  isOver = true;
  await Promise.all(callers);
  expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect((await get(gateway, token)).status).toBe(200);
});

test("a wrong secret of the gateway gives no caller 401 or 429, and the right one works at once", async () => {
  const { client, token } = await startSplit({ TOKEN_RATE_LIMIT_PER_MINUTE: "5", ADDRESS_RATE_LIMIT_PER_MINUTE: "5" });
  const wrong = await gatewayOfTest(app, { client: { ...client, clientSecret: `${client.clientSecret}x` } });
  for (let round = 0; round < 4; round += 1) expect(await statuses(20, () => get(wrong, token))).toEqual({ 503: 20 });
  await expectOwnTrouble(wrong, token, "Unauthenticated");
  const right = await gatewayOfTest(app, { client });
  expect((await get(right, token)).status).toBe(200);
  expect((await fetch(`${right.httpUrl}/readyz`)).status).toBe(200);
});

/** Every transport of the gateway says 503, readiness too, and the log has an error that says why. */
async function expectOwnTrouble(gateway: TestGateway, token: string, code: string): Promise<void> {
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id: "x", client_secret: "y" });
  const responses = [
    await get(gateway, token),
    await get(gateway, "nonsense"),
    await fetch(`${gateway.httpUrl}/oauth/token`, { method: "POST", body: form }),
    await fetch(`${gateway.httpUrl}/.well-known/jwks.json`),
    await fetch(`${gateway.httpUrl}/hosted/x`),
    await fetch(`${gateway.httpUrl}/readyz`),
  ];
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 503));
  for (const { headers } of responses) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  const lines = gateway.logLines.map((line) => JSON.parse(line));
  const errors = lines.filter(({ level }) => level === "error");
  expect(errors.length).toBeGreaterThan(1);
  expect(errors.map(({ err }) => [err.type, err.code])).toEqual(errors.map(() => ["CoreUnreachableError", code]));
  expect(errors.map(({ msg }) => msg)).toContain("the core does not serve this gateway");
  expect(errors.map(({ msg }) => msg)).toContain("call");
  expect(await sumOf(gateway.httpUrl, "pas_calls_seconds_count", 'outcome="unavailable"')).toBeGreaterThan(0);
}

test("a gateway asks its core for readiness once a second, however many ask, and counts no refused token", async () => {
  const { gateway, client, token } = await startSplit({ ADDRESS_RATE_LIMIT_PER_MINUTE: "3" });
  const start = performance.now();
  expect(await statuses(50, () => fetch(`${gateway.httpUrl}/readyz`))).toEqual({ 200: 50 });
  const seconds = (performance.now() - start) / 1_000;
  const requests = await sumOf(app.httpUrl, "pas_calls_seconds_count", 'rpc="TokenService/Introspect"');
  expect(requests).toBeLessThan(10 + seconds);
  for (let count = 0; count < 5; count += 1) {
    const other = await gatewayOfTest(app, { client });
    expect((await fetch(`${other.httpUrl}/readyz`)).status).toBe(200);
  }
  expect((await get(gateway, token)).status).toBe(200);
});
