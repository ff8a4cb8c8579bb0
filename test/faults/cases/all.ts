// The faults that any database can have, and those of a cluster alone.
import type { BreakableCluster } from "../support/database/mysql-cluster.ts";
import { connectionFrozen } from "./connection-frozen.ts";
import { connectionsCut } from "./connections-cut.ts";
import { databaseFrozen } from "./database-frozen.ts";
import { databaseKilled } from "./database-killed.ts";
import { endpointAway } from "./endpoint-away.ts";
import { eventProcesses } from "./event-processes.ts";
import type { FaultCase } from "./fault-case.ts";
import { readOnly } from "./no-writes.ts";
import { partnerReceiver } from "./partner-receiver.ts";
import { primaryBehind } from "./primary-behind.ts";
import { primaryKilled } from "./primary-killed.ts";
import { primarySwitched } from "./primary-switched.ts";
import { serviceKilled } from "./service-killed.ts";
import { slowCommits } from "./slow-commits.ts";
import { stopUnderLoad } from "./stop-under-load.ts";
import { stopWithRunningCalls } from "./stop-with-running-calls.ts";

export const allCases: readonly FaultCase[] = [
  serviceKilled,
  partnerReceiver,
  eventProcesses,
  slowCommits,
  endpointAway,
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
