// The whole service on free ports over a schema of its own, with partners and tokens to call it.
import { startApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { createDomain } from "../../src/core.ts";
import { createClient, createPartner } from "../../src/domain/identity/partners.ts";
import { partnerScopes, type Scope } from "../../src/domain/identity/scopes.ts";
import { startGatewayApp } from "../../src/gateway-app.ts";
import { openDatabase } from "../../src/store/database.ts";
import { createStores } from "../../src/store/stores.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface TestApp {
  readonly httpUrl: string;
  readonly grpcAddress: string;
  readonly database: TestDatabase;
  /** Every line of the log so far. */
  readonly logLines: readonly string[];
  /** A new partner. */
  addPartner(options?: { name?: string; internal?: boolean }): Promise<string>;
  /** A new client of a partner. */
  addClient(partnerId: string, scopes: readonly Scope[]): Promise<Credentials>;
  /** An access token with all scopes of the client. */
  tokenOf(credentials: Credentials): Promise<string>;
  /** Stops the service alone. */
  stopService(): Promise<void>;
  /** Stops the service and removes its database. */
  stop(): Promise<void>;
}

/** Webhooks may go to receivers on loopback. */
const webhooks = {
  WEBHOOK_KEY: Buffer.alloc(32, 1).toString("base64"),
  WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
};

const manyRequests = {
  RATE_LIMIT_PER_MINUTE: "0",
  TOKEN_RATE_LIMIT_PER_MINUTE: "0",
  ADDRESS_RATE_LIMIT_PER_MINUTE: "0",
  HOSTED_RATE_LIMIT_PER_MINUTE: "0",
};

/** Starts the service; without overrides there are no rate limits. */
export async function startTestApp(environment: Record<string, string> = {}): Promise<TestApp> {
  const database = await createTestDatabase();
  const logLines: string[] = [];
  const config = readConfig({
    HTTP_PORT: "0",
    GRPC_PORT: "0",
    LOG_LEVEL: "trace",
    ...manyRequests,
    ...webhooks,
    ...environment,
  });
  const log = createLogger(config.LOG_LEVEL, { write: (line) => logLines.push(line) });
  const app = await startApp({ config, role: "all", database: database.address, log });
  const db = openDatabase({ address: database.address, poolSize: 2, warn: () => undefined });
  const domain = createDomain({
    stores: createStores(db),
    reportDefect: () => undefined,
    clock: Date.now,
    isRolledOut: () => true,
  });
  const deadline = () => ({ signal: AbortSignal.timeout(10_000), at: performance.now() + 10_000 });
  return {
    httpUrl: app.httpUrl,
    grpcAddress: `127.0.0.1:${app.grpcPort}`,
    database,
    logLines,
    addPartner: ({ name = "Test", internal = false } = {}) => createPartner(domain, { name, internal }, deadline()),
    addClient: (partnerId, scopes) => createClient(domain, { partnerId, name: "Test", scopes }, deadline()),
    tokenOf: (credentials) => fetchToken(app.httpUrl, credentials),
    stopService: () => app.stop(),
    async stop() {
      await app.stop();
      await db.destroy();
      await database.drop();
    },
  };
}

/** A gateway in front of the service, reaching it over gRPC as a client of an internal partner. */
export async function startTestGateway(app: TestApp): Promise<{ httpUrl: string; stop(): Promise<void> }> {
  const client = await app.addClient(await app.addPartner({ internal: true }), ["gateway"]);
  const config = readConfig({ HTTP_PORT: "0", LOG_LEVEL: "silent", PUBLIC_URL: app.httpUrl });
  const core = { url: `http://${app.grpcAddress}`, ...client };
  return startGatewayApp({ config, core, log: createLogger(config.LOG_LEVEL) });
}

/** A partner with a client that has all partner scopes, and a token of it. */
export async function addCaller(
  app: TestApp,
  scopes: readonly Scope[] = partnerScopes,
): Promise<{ partnerId: string; credentials: Credentials; token: string }> {
  const partnerId = await app.addPartner();
  const credentials = await app.addClient(partnerId, scopes);
  return { partnerId, credentials, token: await app.tokenOf(credentials) };
}

/** A token by the client credentials grant. */
export async function fetchToken(httpUrl: string, { clientId, clientSecret }: Credentials): Promise<string> {
  const response = await fetch(`${httpUrl}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret }),
  });
  if (!response.ok) throw new Error(`no token: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { access_token: string }).access_token;
}
