// The faults that any database can have, and those of a cluster alone.
import type { BreakableCluster } from "../support/database/mysql-cluster.ts";
import { connectionsCut } from "./database/connections-cut.ts";
import { readOnly } from "./database/no-writes.ts";
import { primaryBehind } from "./database/primary-behind.ts";
import type { FaultCase } from "./fault-case.ts";
import { databaseKilled, primaryKilled, primarySwitched, serviceStopped } from "./interruptions.ts";
import { serviceKilled } from "./service-killed.ts";

export const allCases: readonly FaultCase[] = [serviceKilled, databaseKilled, connectionsCut, readOnly, serviceStopped];

/** In this order: a killed primary is not brought back for the next one. */
export const clusterCases: readonly FaultCase<BreakableCluster>[] = [primarySwitched, primaryBehind, primaryKilled];
