// The demo client of the embedded mode: made once, its credentials kept beside the data.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, createPartner } from "../domain/identity/partners.ts";
import { partnerScopes } from "../domain/identity/scopes.ts";
import type { Client } from "../domain/ports/identities.ts";
import { type CommandContext, UsageError } from "./command.ts";
import { withDomain } from "./database.ts";

export interface DemoClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The demo client, made at the first call, and anew for its partner when a release brings a scope that it lacks. */
export async function provideDemoClient(context: Pick<CommandContext, "config" | "say">): Promise<DemoClient> {
  const known = await findDemoClient(context.config.DATA_DIR);
  const client = await withDomain(context, async (domain, deadline) => {
    const stored = known && (await domain.identities.findClient(known.clientId, deadline.signal));
    if (known !== undefined && (stored === undefined || hasEveryScope(stored))) return known;
    const partnerId = stored?.partnerId ?? (await createPartner(domain, { name: "Demo", internal: false }, deadline));
    return createClient(domain, { partnerId, name: "Demo", scopes: partnerScopes }, deadline);
  });
  if (client === known) return known;
  await mkdir(context.config.DATA_DIR, { recursive: true });
  await writeFile(fileIn(context.config.DATA_DIR), `${JSON.stringify(client, null, 2)}\n`, { mode: 0o600 });
  return client;
}

/** The demo client. Throws where the embedded mode has not run yet. */
export async function readDemoClient(dataDir: string): Promise<DemoClient> {
  const known = await findDemoClient(dataDir);
  if (known === undefined)
    throw new UsageError("there is no demo client yet; start the service with `npm start` first");
  return known;
}

function hasEveryScope({ scopes }: Client): boolean {
  return partnerScopes.every((scope) => scopes.includes(scope));
}

async function findDemoClient(dataDir: string): Promise<DemoClient | undefined> {
  try {
    return JSON.parse(await readFile(fileIn(dataDir), "utf8"));
  } catch {
    return undefined;
  }
}

function fileIn(dataDir: string): string {
  return join(dataDir, "demo-client.json");
}
