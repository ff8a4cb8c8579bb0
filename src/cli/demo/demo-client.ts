// The demo client of the embedded mode: created once, its credentials stored in the data folder.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { variables } from "../../config.ts";
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
/** Path of the data folder that this installation served last, the default for commands. */
const lastServedFile = fileURLToPath(new URL("../../../node_modules/.cache/last-served.json", import.meta.url));

/**
 * The demo client, created at the first call, and again for its partner when a release adds a scope that it lacks.
 * @param url where the service is now, for `pas demo`
 */
export async function provideDemoClient(
  context: Pick<CommandContext, "config" | "say">,
  url: string,
): Promise<DemoClient> {
  const dataDir = resolve(context.config.DATA_DIR);
  const demoClient = await findDemoClient(dataDir);
  const clients = await withDomain(context, async (domain, deadline) => {
    const stored = demoClient && (await domain.identities.findClient(demoClient.clientId, deadline.signal));
    const hasEveryScope = partnerScopes.every((scope) => stored?.scopes.includes(scope) ?? true);
    if (demoClient?.test !== undefined && hasEveryScope) return demoClient;
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
  // A read-only installation has no such file, and its users name the folder.
  await mkdir(dirname(lastServedFile), { recursive: true })
    .then(() => writeFile(lastServedFile, `${JSON.stringify({ dataDir })}\n`))
    .catch(() => undefined);
  return client;
}

/** The demo client of the data folder; if none was named, of the one served last. Throws UsageError if there is none. */
export async function readDemoClient(dataDir: string): Promise<DemoClient> {
  const lastServed =
    dataDir === variables.DATA_DIR.default ? await readJsonFile<{ dataDir: string }>(lastServedFile) : undefined;
  const demoClient = (await findDemoClient(dataDir)) ?? (lastServed && (await findDemoClient(lastServed.dataDir)));
  if (demoClient !== undefined) return demoClient;
  throw new UsageError("there is no demo client yet; `npm start` makes it, unless DATABASE_URL is set");
}

function findDemoClient(dataDir: string): Promise<DemoClient | undefined> {
  return readJsonFile<DemoClient>(join(dataDir, clientFile));
}

async function readJsonFile<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return undefined;
  }
}
