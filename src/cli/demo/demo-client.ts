// The demo client of the embedded mode: created once, its credentials stored in the data folder.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { partnerScopes } from "../../domain/identity/scopes.ts";
import { createClient, createPartner, createTestTwin } from "../../services/identity/partners.ts";
import { type CommandContext, UsageError } from "../command.ts";
import { withDomain } from "../database.ts";

export interface DemoClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** A client of the partner's test twin. */
  readonly test: { readonly clientId: string; readonly clientSecret: string };
  /** Where the service was started last. */
  readonly url: string;
}

const clientFile = "demo-client.json";

/**
 * The demo client, created at the first call, and again for its partner when a release adds a scope that it lacks.
 * @param url where the service is now, for `pas demo`
 */
export async function provideDemoClient(
  context: Pick<CommandContext, "config" | "say">,
  url: string,
): Promise<DemoClient> {
  const dataDir = resolve(context.config.DATA_DIR);
  const known = await findDemoClient(dataDir);
  const clients = await withDomain(context, async (domain, deadline) => {
    const stored = known && (await domain.identities.findClient(known.clientId, deadline.signal));
    const hasEveryScope = partnerScopes.every((scope) => stored?.scopes.includes(scope) ?? true);
    if (known?.test !== undefined && hasEveryScope) return known;
    const partnerId = stored?.partnerId ?? (await createPartner(domain, { name: "Demo", internal: false }, deadline));
    const clientOf = (id: string) =>
      createClient(domain, { partnerId: id, name: "Demo", scopes: partnerScopes }, deadline);
    return {
      ...(await clientOf(partnerId)),
      test: await clientOf(await createTestTwin(domain, partnerId, deadline)),
    };
  });
  const client = { ...clients, url };
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, clientFile), `${JSON.stringify(client, null, 2)}\n`, { mode: 0o600 });
  return client;
}

/** The demo client of the data folder. Throws UsageError if there is none. */
export async function readDemoClient(dataDir: string): Promise<DemoClient> {
  const known = await findDemoClient(dataDir);
  if (known !== undefined) return known;
  throw new UsageError(
    `there is no demo client in ${dataDir}; \`npm start\` makes it, unless DATABASE_URL is set, in the folder that DATA_DIR names`,
  );
}

async function findDemoClient(dataDir: string): Promise<DemoClient | undefined> {
  try {
    return JSON.parse(await readFile(join(dataDir, clientFile), "utf8"));
  } catch {
    return undefined;
  }
}
