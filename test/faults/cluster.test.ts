// Three servers as one: what holds on a single server holds here, and the loss of the primary costs nothing either.
import { afterAll, beforeAll, describe, test } from "vitest";
import { allCases, clusterCases } from "./cases/all.ts";
import { eventProcesses } from "./cases/events/event-processes.ts";
import { type BreakableCluster, startCluster } from "./support/database/mysql-cluster.ts";
import { isShort } from "./support/run/rounds.ts";

const cases = isShort
  ? clusterCases.filter(({ shortOn }) => shortOn === undefined)
  : [...allCases.filter(({ notOn = [] }) => !notOn.includes("cluster")), eventProcesses, ...clusterCases];

describe("on a MySQL Group Replication cluster", () => {
  let cluster: BreakableCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  for (const each of cases) test(each.name, () => each.run(cluster));
});
