// A cluster with the keyspaces of deploy/vitess, and the service with its partners on it.
import { expect } from "vitest";
import { prepareDatabase } from "../../../src/cli/migrate.ts";
import { Journal } from "../../faults/support/callers/journal.ts";
import { startCluster } from "./cluster.ts";
import { Load } from "./load.ts";
import { reckon } from "./reckoning.ts";
import { type ServiceOfMany, startService } from "./service.ts";

/** Assessments that arrive in a second: about half of what two processors do that have all of it to run. */
const perSecond = 3;

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** @param shards of `assess` */
export async function openStage(shards: readonly string[]) {
  await using resources = new AsyncDisposableStack();
  const cluster = await startCluster(say);
  resources.defer(() => cluster.stop());
  await cluster.addShard("global", "0");
  for (const shard of shards) await cluster.addShard("assess", shard);
  await cluster.parts.vtgate.start();
  await prepareDatabase({ say }, { url: cluster.url });
  const service = await startService(cluster.url);
  resources.defer(() => service.stop());
  const parts = resources.move();
  return { cluster, service, ...playing(cluster.url, service), stop: () => parts.disposeAsync() };
}

export function say(line: string): void {
  console.log(line);
}

/** @param url of the database that everything is in at last */
export function playing(url: string, { callers }: Pick<ServiceOfMany, "callers">) {
  const journals = callers.map(() => new Journal());
  return {
    /** Lets assessments arrive, and every partner follow its feed. */
    play: () => new Load(callers, perSecond),
    /** Lets them end, and fails where anything acknowledged since the stage was opened is lost, doubled or out of order. */
    async reckon(load: Load) {
      for (const [index, { entries }] of (await load.end()).entries()) journals[index]?.entries.push(...entries);
      expect([...load.violations, ...(await reckon(url, load, callers, journals))]).toEqual([]);
      await load.endReaders();
    },
  };
}
