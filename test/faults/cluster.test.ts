// Three servers as one: what holds on a single server holds here, and the loss of the primary costs nothing either.
import { afterAll, beforeAll, describe, test } from "vitest";
import { primaryBehind, primaryBehindName } from "./cases/primary-behind.ts";
import { primaryKilled, primaryKilledName } from "./cases/primary-killed.ts";
import { primarySwitched, primarySwitchedName } from "./cases/primary-switched.ts";
import { type BreakableCluster, startCluster } from "./support/mysql-cluster.ts";

describe("on a MySQL Group Replication cluster", () => {
  let cluster: BreakableCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  test(primarySwitchedName, () => primarySwitched(cluster));

  test(primaryBehindName, () => primaryBehind(cluster));

  test(primaryKilledName, () => primaryKilled(cluster));
});
