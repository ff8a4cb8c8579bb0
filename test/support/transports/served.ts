// The service as a process of its own, which can be watched from outside while somebody is hostile to it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import type { Scope } from "../../../src/domain/identity/scopes.ts";
import { createTestDatabase } from "../databases/database.ts";
import { type Credentials, fetchToken, openPartners } from "../databases/partners.ts";
import { countOf } from "../databases/stores.ts";
import { startPas } from "../processes/command.ts";
import { noLimits } from "../processes/settings.ts";

export type Served = Awaited<ReturnType<typeof startServed>>;

const scopes: readonly Scope[] = [
  "sessions:write",
  "sessions:read",
  "results:read",
  "assessments:read",
  "subjects:delete",
];
/** Starts the service on free ports over a schema of its own, with one client; without rate limits unless given. */
export async function startServed(overrides: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "pas-served-test-"));
  const database = await createTestDatabase();
  const partners = openPartners(database.address);
  const environment = { DATABASE_URL: database.url, DATA_DIR: folder, HTTP_PORT: "0", GRPC_PORT: "0" };
  const credentials = await partners.addClient(await partners.addPartner(), scopes);
  const service = startPas(["serve"], { ...environment, ...noLimits, ...overrides });
  const [, httpUrl = "", grpcPort = ""] = await service.wrote(/"http":"([^"]+)","grpcPort":(\d+)/);
  return {
    httpUrl,
    grpcAddress: `127.0.0.1:${grpcPort}`,
    database,
    credentials,
    token: await fetchToken(httpUrl, credentials),
    /** A client of another partner, an internal one. */
    addInternalClient: async (owned: readonly Scope[]) =>
      partners.addClient(await partners.addPartner({ internal: true }), owned),
    tokenOf: (owned: Credentials) => fetchToken(httpUrl, owned),
    /** What the process wrote on stdout and stderr so far. */
    output() {
      const { stdout, stderr } = service.output();
      return stdout + stderr;
    },
    residentBytes: () => residentBytesOf(httpUrl),
    /** Sessions in the database. */
    storedSessions: () => countOf(database.connection, "SELECT COUNT(*) FROM sessions"),
    async stop() {
      service.kill("SIGTERM");
      await service.ended;
      await partners.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Memory of a process in bytes. */
async function residentBytesOf(httpUrl: string): Promise<number> {
  // On a connection of its own: one that has been idle may be closed by the server at the moment in which it is used
  // again.
  const dispatcher = new Agent();
  const { body } = await request(`${httpUrl}/metrics`, { dispatcher });
  const text = await body.text();
  await dispatcher.close();
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1]);
}

export type Gateway = Awaited<ReturnType<typeof startServedGateway>>;

/** Starts a gateway of its own in front of a core. @param client that it is there, with the scope `gateway` */
export async function startServedGateway(
  { grpcAddress }: Pick<Served, "grpcAddress">,
  { clientId, clientSecret }: Credentials,
  overrides: Record<string, string> = {},
) {
  const gateway = startPas(["serve", "--role", "gateway", "--core", `http://${grpcAddress}`], {
    HTTP_PORT: "0",
    GATEWAY_CLIENT_ID: clientId,
    GATEWAY_CLIENT_SECRET: clientSecret,
    ...overrides,
  });
  const [, httpUrl = ""] = await gateway.wrote(/"http":"([^"]+)"/);
  return {
    httpUrl,
    residentBytes: () => residentBytesOf(httpUrl),
    async stop() {
      gateway.kill("SIGTERM");
      await gateway.ended;
    },
  };
}
