// What every fault needs: a service over a database that can be broken, callers, and the reckoning at the end.

import { expect, onTestFinished } from "vitest";
import { prepareDatabase } from "../../../src/cli/migrate.ts";
import { createClient, createPartner } from "../../../src/domain/identity/partners.ts";
import { partnerScopes } from "../../../src/domain/identity/scopes.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { createStores } from "../../../src/store/stores.ts";
import { fetchToken } from "../../support/app.ts";
import { testDomain } from "../../support/domain.ts";
import type { BreakableDatabase } from "./database.ts";
import { Players } from "./players.ts";
import { ServiceProcess } from "./service.ts";
import { faultsOf } from "./verify.ts";

const playerCount = 8;

export interface Stage {
  readonly database: BreakableDatabase;
  readonly service: ServiceProcess;
  readonly token: string;
  /** Lets callers begin. */
  play(): Players;
  /** Lets callers end, and fails where anything acknowledged is lost, half-written or wrong. */
  reckon(players: Players): Promise<void>;
}

export interface StageOptions {
  /** Where the service finds its database; the database's own address unless given. */
  readonly url?: string;
  readonly environment?: Record<string, string>;
  readonly args?: readonly string[];
}

/** A schema without sessions and with a new partner in it, and a service over it until the test ends. */
export async function openStage(database: BreakableDatabase, options: StageOptions = {}): Promise<Stage> {
  await prepareDatabase({ say: (line) => console.log(line) }, { url: database.url });
  await database.asAdministrator((connection) => connection.query("DELETE FROM sessions"));
  const credentials = await addClient(database);
  const environment = { DATABASE_URL: options.url ?? database.url, ...options.environment };
  const service = await ServiceProcess.start(environment, ...(options.args ?? []));
  onTestFinished(async () => {
    await service.end("SIGKILL");
  });
  const token = await fetchToken(service.httpUrl, credentials);
  const { httpUrl, grpcAddress } = service;
  return {
    database,
    service,
    token,
    play: () => new Players({ httpUrl, grpcAddress, token, count: playerCount }),
    async reckon(players) {
      const journal = await players.end();
      expect(await database.asAdministrator((connection) => faultsOf(connection, journal))).toEqual([]);
      expect(journal.entries.filter(({ results }) => results !== undefined).length).toBeGreaterThan(0);
    },
  };
}

/** A new client of a new partner, with all scopes of partners. */
export async function addClient({ url }: BreakableDatabase) {
  const db = openDatabase({ address: { url }, poolSize: 2, warn: (line) => console.log(line) });
  try {
    const domain = testDomain(createStores(db), { reportDefect: (error) => console.log(error) });
    const deadline = { signal: AbortSignal.timeout(30_000), at: performance.now() + 30_000 };
    const partnerId = await createPartner(domain, { name: "Faults", internal: false }, deadline);
    return await createClient(domain, { partnerId, name: "Faults", scopes: partnerScopes }, deadline);
  } finally {
    await db.destroy();
  }
}
