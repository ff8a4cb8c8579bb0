// What every fault needs: a service over a database that can be broken, callers, and the reckoning at the end.

import { expect, onTestFinished } from "vitest";
import { prepareDatabase } from "../../../src/cli/migrate.ts";
import { addCallerOf } from "../../support/databases/partners.ts";
import { localWebhooks } from "../../support/processes/settings.ts";
import { until } from "../../support/until.ts";
import { Journal } from "./callers/journal.ts";
import { Players } from "./callers/players.ts";
import { faultsOf } from "./callers/verify.ts";
import type { BreakableDatabase } from "./database/database.ts";
import { happened, logFaults, readLog } from "./events/event-log.ts";
import { FeedReader } from "./events/feed-reader.ts";
import { ServiceProcess } from "./service/service.ts";

const playerCount = 8;
export interface Stage<D = BreakableDatabase> {
  readonly database: D;
  readonly service: ServiceProcess;
  readonly token: string;
  readonly partnerId: string;
  /** What further processes of the service need to know. */
  readonly environment: Readonly<Record<string, string>>;
  /** Lets callers begin, and somebody who follows the feed. */
  play(): Players;
  /** Those who began last. Throws before anybody has. */
  readonly players: Players;
  /**
   * Lets all callers end, and fails where anything acknowledged is lost, half-written or wrong, where the log does not tell
   * what happened, once and in its order, or where the feed was read differently.
   * @returns how often their calls ended how
   */
  reckon(): Promise<Readonly<Record<string, number>>>;
  /** The events of each session, once all of them are in the log. */
  untilLogged(): Promise<ReadonlyMap<string, readonly string[]>>;
}

export interface StageOptions {
  /** Where the service finds its database; the database's own address unless given. */
  readonly url?: string;
  readonly environment?: Record<string, string>;
  readonly args?: readonly string[];
}

/** A schema without sessions and with a new partner in it, and a service over it until the test ends. */
export async function openStage<D extends Pick<BreakableDatabase, "url" | "asAdministrator">>(
  database: D,
  options: StageOptions = {},
): Promise<Stage<D>> {
  await prepareDatabase({ say: (line) => console.log(line) }, { url: database.url });
  await database.asAdministrator((connection) => connection.query("DELETE FROM sessions"));
  const environment = { ...localWebhooks, DATABASE_URL: database.url, ...options.environment };
  const programEnvironment = { ...environment, DATABASE_URL: options.url ?? database.url };
  const service = await ServiceProcess.start(programEnvironment, ...(options.args ?? []));
  onTestFinished(async () => {
    await service.end("SIGKILL");
  });
  const { partnerId, token } = await addCallerOf(service.httpUrl, { url: database.url });
  const { httpUrl, grpcAddress } = service;
  const everybody: Players[] = [];
  let reader: FeedReader | undefined;
  onTestFinished(() => reader?.end());
  const untilLogged = () =>
    until(() =>
      database.asAdministrator(async (connection) => {
        const expected = await happened(connection, partnerId);
        const count = expected.values().reduce((sum, own) => sum + own.length, 0);
        return (await readLog(connection, partnerId)).length >= count && expected;
      }),
    );
  return {
    database,
    service,
    token,
    partnerId,
    environment,
    untilLogged,
    play() {
      reader ??= new FeedReader(httpUrl, token);
      const players = new Players({ httpUrl, grpcAddress, token, count: playerCount });
      everybody.push(players);
      return players;
    },
    get players() {
      const players = everybody.at(-1);
      if (players === undefined) throw new Error("nobody plays yet");
      return players;
    },
    async reckon() {
      const journal = new Journal();
      const outcomes: Record<string, number> = {};
      for (const players of everybody) {
        const { entries, violations } = await players.end();
        journal.entries.push(...entries);
        journal.violations.push(...violations);
        for (const [name, count] of players.outcomes) outcomes[name] = (outcomes[name] ?? 0) + count;
      }
      expect(await database.asAdministrator((connection) => faultsOf(connection, journal))).toEqual([]);
      expect(journal.entries.filter(({ results }) => results !== undefined).length).toBeGreaterThan(0);
      await untilLogged();
      expect(await database.asAdministrator((connection) => logFaults(connection, partnerId))).toEqual([]);
      const log = await database.asAdministrator((connection) => readLog(connection, partnerId));
      await reader?.untilRead(log.length);
      expect({ violations: reader?.violations, read: reader?.names }).toEqual({ violations: [], read: log });
      return outcomes;
    },
  };
}
