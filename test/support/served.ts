// The service as a process of its own, which can be watched from outside while somebody is hostile to it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Credentials, fetchToken } from "./app.ts";
import { pas, startPas } from "./command.ts";
import { createEmptyDatabase, type TestDatabase } from "./database.ts";
import { countOf } from "./stores.ts";

export interface Served {
  readonly httpUrl: string;
  readonly grpcAddress: string;
  readonly database: TestDatabase;
  readonly credentials: Credentials;
  readonly token: string;
  /** What the process wrote on stdout and stderr so far. */
  output(): string;
  /** Memory of the process in bytes. */
  residentBytes(): Promise<number>;
  /** Sessions in the database. */
  storedSessions(): Promise<number>;
  stop(): Promise<void>;
}

const scopes = "sessions:write sessions:read results:read assessments:read subjects:delete";
const noLimits = { RATE_LIMIT_PER_MINUTE: "0", ADDRESS_RATE_LIMIT_PER_MINUTE: "0", TOKEN_RATE_LIMIT_PER_MINUTE: "0" };

/** Starts the service on free ports over a schema of its own, with one client; without rate limits unless given. */
export async function startServed(overrides: Record<string, string> = {}): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), "pas-served-test-"));
  const database = await createEmptyDatabase();
  const environment = { DATABASE_URL: database.url, DATA_DIR: folder, HTTP_PORT: "0", GRPC_PORT: "0" };
  const run = async (...args: string[]) => JSON.parse((await pas(args, environment)).stdout);
  await run("migrate");
  const { partnerId } = await run("partner", "create", "--name", "Test");
  const credentials = await run("client", "create", "--partner", partnerId, "--name", "c", "--scopes", scopes);
  const service = startPas(["serve"], { ...environment, ...noLimits, ...overrides });
  const [, httpUrl = "", grpcPort = ""] = await service.wrote(/"http":"([^"]+)","grpcPort":(\d+)/);
  return {
    httpUrl,
    grpcAddress: `127.0.0.1:${grpcPort}`,
    database,
    credentials,
    token: await fetchToken(httpUrl, credentials),
    output() {
      const { stdout, stderr } = service.output();
      return stdout + stderr;
    },
    async residentBytes() {
      const text = await (await fetch(`${httpUrl}/metrics`)).text();
      return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1]);
    },
    storedSessions: () => countOf(database.connection, "SELECT COUNT(*) FROM sessions"),
    async stop() {
      service.kill("SIGTERM");
      await service.ended;
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
