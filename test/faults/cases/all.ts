// The faults that any database can have, and those of a cluster alone.
import type { BreakableCluster } from "../support/database/mysql-cluster.ts";
import { connectionsCut } from "./database/connections-cut.ts";
import { databaseFrozen } from "./database/database-frozen.ts";
import { databaseKilled } from "./database/database-killed.ts";
import { readOnly } from "./database/no-writes.ts";
import { eventProcesses } from "./events/event-processes.ts";
import { slowCommits } from "./events/slow-commits.ts";
import type { FaultCase } from "./fault-case.ts";
import { primaryBehind } from "./primary/primary-behind.ts";
import { primaryKilled } from "./primary/primary-killed.ts";
import { primarySwitched } from "./primary/primary-switched.ts";
import { connectionFrozen } from "./service/connection-frozen.ts";
import { serviceKilled } from "./service/service-killed.ts";
import { stopUnderLoad } from "./service/stop-under-load.ts";
import { stopWithRunningCalls } from "./service/stop-with-running-calls.ts";

export const allCases: readonly FaultCase[] = [
  serviceKilled,
  eventProcesses,
  slowCommits,
  databaseKilled,
  databaseFrozen,
  connectionFrozen,
  connectionsCut,
  readOnly,
  stopUnderLoad,
  stopWithRunningCalls,
];

/** In this order: a killed primary is not brought back for the next one. */
export const clusterCases: readonly FaultCase<BreakableCluster>[] = [primarySwitched, primaryBehind, primaryKilled];
