// Three servers as one: what holds on a single server holds here, and the loss of the primary costs nothing either.
import { proveFaults } from "./fault.ts";
import { clusterFaults, faults } from "./faults.ts";
import { startCluster } from "./support/database/mysql-cluster.ts";

proveFaults("a MySQL Group Replication cluster", startCluster, [...faults, ...clusterFaults]);
