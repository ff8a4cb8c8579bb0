// The demo client of the embedded mode: created once, its credentials stored in the data folder.
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { partnerScopes } from "../../domain/identity/scopes.ts";
import { createClient, createPartner, createTestTwin } from "../../services/identity/partners.ts";
import { type CommandContext, UsageError } from "../command.ts";
import { withDependencies } from "../database.ts";

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface DemoClient extends Credentials {
  /** A client of the partner's test twin. */
  readonly test: Credentials;
  /** The address of the service that was started last. */
  readonly url: string;
}

/** The demo client, created at the first call. @param url where the service is now, for `pas demo` */
export async function provideDemoClient(
  context: Pick<CommandContext, "config" | "say">,
  url: string,
): Promise<DemoClient> {
  const { DATA_DIR: dataDir } = context.config;
  const storedClient = await findDemoClient(dataDir);
  const client = { ...(storedClient ?? (await createClients(context))), url };
  await mkdir(dataDir, { recursive: true });
  await writeFile(resolveDemoClientFile(dataDir), `${JSON.stringify(client, null, 2)}\n`, { mode: 0o600 });
  return client;
}

/** The demo client of the data folder. Throws UsageError without one. */
export async function readDemoClient(dataDir: string): Promise<DemoClient> {
  const storedClient = await findDemoClient(dataDir);
  if (storedClient !== undefined) return storedClient;
  throw new UsageError(
    `there is no ${resolveDemoClientFile(dataDir)} yet; \`npm start\` makes it, unless DATABASE_URL is set`,
  );
}

function createClients(context: Pick<CommandContext, "config" | "say">): Promise<Omit<DemoClient, "url">> {
  return withDependencies(context, async (dependencies, deadline) => {
    const create = (owner: string) =>
      createClient(dependencies, { partnerId: owner, name: "Demo", scopes: partnerScopes }, deadline);
    const partnerId = await createPartner(dependencies, { name: "Demo", internal: false }, deadline);
    return {
      ...(await create(partnerId)),
      test: await create(await createTestTwin(dependencies, partnerId, deadline)),
    };
  });
}

async function findDemoClient(dataDir: string): Promise<DemoClient | undefined> {
  if (!existsSync(resolveDemoClientFile(dataDir))) return undefined;
  return JSON.parse(await readFile(resolveDemoClientFile(dataDir), "utf8"));
}

/** The file of the demo client in a data folder. */
export function resolveDemoClientFile(dataDir: string): string {
  return join(dataDir, "demo-client.json");
}
