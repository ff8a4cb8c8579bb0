// Three MySQL 9.7 servers on loopback as one Group Replication cluster with a single primary, to which one address leads.
import { randomUUID } from "node:crypto";
import type { RowDataPacket } from "mysql2/promise";
import { MysqlNode } from "../../../support/databases/servers/mysql-node.ts";
import { freePort } from "../../../support/processes/free-port.ts";
import { until } from "../../../support/until.ts";
import { required } from "../run/means.ts";
import { type BreakableDatabase, prepareServer, schema } from "./database.ts";
import { startHaproxy } from "./haproxy.ts";

const size = 3;
const members =
  "SELECT member_id AS id, member_port AS port, member_role AS role, member_state AS state FROM performance_schema.replication_group_members";

/** A cluster, to be broken by killing its primary. */
export interface BreakableCluster extends BreakableDatabase {
  /** Where the primary itself is, as soon as there is one that was not killed. */
  elected(): Promise<{ host: string; port: number }>;
  /** Keeps the secondaries from applying what the primary commits; resolves with the end of that. */
  holdSecondaries(): Promise<() => Promise<void>>;
  /** Makes another member the primary, in good order. */
  switchPrimary(): Promise<void>;
}

export async function startCluster(): Promise<BreakableCluster> {
  const root = required("FAULTS_MYSQL_ROOT");
  const group = randomUUID();
  const groupPorts: number[] = [];
  for (let index = 0; index < size; index += 1) groupPorts.push(await freePort());
  const nodes: MysqlNode[] = [];
  for (const [index, groupPort] of groupPorts.entries()) {
    nodes.push(
      await MysqlNode.create(root, (port) => memberOptions({ port, id: index + 1, group, groupPort, groupPorts })),
    );
  }
  const [first, ...others] = nodes;
  if (first === undefined) throw new Error("a cluster has members");
  await Promise.all(nodes.map((node) => node.start()));
  await Promise.all(nodes.map(makeMember));
  await join(first, true);
  await first.asAdministrator(prepareServer);
  for (const node of others) await join(node, false);
  const proxy = await startHaproxy(
    root,
    nodes.map(({ port }) => port),
  );
  const isUp = (node: MysqlNode) => node !== killed;
  let killed: MysqlNode | undefined;

  const primary = () =>
    until(async () => {
      for (const node of nodes.filter(isUp)) {
        const member = (await membersSeenBy(node)).find(({ role, state }) => role === "PRIMARY" && state === "ONLINE");
        const elected = nodes.find(({ port }) => port === member?.port);
        if (elected !== undefined && isUp(elected)) return elected;
      }
    });
  const urlThrough = (port: number) => `mysql://pas@127.0.0.1:${port}/${schema}`;
  return {
    url: urlThrough(proxy.port),
    target: { host: "127.0.0.1", port: proxy.port },
    urlThrough,
    async kill() {
      const node = await primary();
      await node.end("SIGKILL");
      killed = node;
    },
    elected: async () => ({ host: "127.0.0.1", port: (await primary()).port }),
    async start() {
      const node = killed;
      if (node === undefined) return;
      await node.start();
      await join(node, false);
      killed = undefined;
    },
    async holdSecondaries() {
      const { port } = await primary();
      const holders = await Promise.all(nodes.filter((node) => node.port !== port).map((node) => node.connect(schema)));
      for (const connection of holders) await connection.query("LOCK TABLES sessions READ");
      return async () => {
        for (const connection of holders) connection.destroy();
      };
    },
    async switchPrimary() {
      const node = await primary();
      const next = (await membersSeenBy(node)).find(({ role }) => role === "SECONDARY");
      await node.asAdministrator((connection) =>
        connection.query("SELECT group_replication_set_as_primary(?)", [next?.id]),
      );
    },
    asAdministrator: async (work) => (await primary()).asAdministrator(work, schema),
    async remove() {
      await proxy.stop();
      for (const node of nodes) await node.remove();
    },
  };
}

interface Member {
  readonly id: string;
  readonly port: number;
  readonly role: string;
  readonly state: string;
}

async function membersSeenBy(node: MysqlNode): Promise<Member[]> {
  const [rows] = await node.asAdministrator((connection) => connection.query<RowDataPacket[]>(members));
  return rows as RowDataPacket[] & Member[];
}

/** The accounts of a member are its own: they are made before it joins, and not replicated. */
async function makeMember(node: MysqlNode): Promise<void> {
  await node.asAdministrator(async (connection) => {
    for (const statement of [
      "SET GLOBAL super_read_only = OFF",
      "SET sql_log_bin = 0",
      "CREATE USER replicator@'%' IDENTIFIED BY 'replicator'",
      "GRANT REPLICATION SLAVE, BACKUP_ADMIN, CONNECTION_ADMIN, GROUP_REPLICATION_STREAM ON *.* TO replicator@'%'",
      "SET sql_log_bin = 1",
      "CHANGE REPLICATION SOURCE TO SOURCE_USER = 'replicator', SOURCE_PASSWORD = 'replicator' FOR CHANNEL 'group_replication_recovery'",
      "SET GLOBAL super_read_only = ON",
    ]) {
      await connection.query(statement);
    }
  });
}

/** Joins the group, or founds it; resolves when the member is online. */
async function join(node: MysqlNode, isFounder: boolean): Promise<void> {
  await node.asAdministrator(async (connection) => {
    await connection.query(`SET GLOBAL group_replication_bootstrap_group = ${isFounder ? "ON" : "OFF"}`);
    await connection.query("START GROUP_REPLICATION");
    await connection.query("SET GLOBAL group_replication_bootstrap_group = OFF");
  });
  await until(async () =>
    (await membersSeenBy(node)).find(({ port, state }) => port === node.port && state === "ONLINE"),
  );
}

interface MemberPlace {
  readonly port: number;
  readonly id: number;
  readonly group: string;
  readonly groupPort: number;
  readonly groupPorts: readonly number[];
}

function memberOptions({ port, id, group, groupPort, groupPorts }: MemberPlace): string[] {
  const address = (each: number) => `127.0.0.1:${each}`;
  return [
    `--server-id=${id}`,
    "--gtid-mode=ON",
    "--enforce-gtid-consistency=ON",
    "--report-host=127.0.0.1",
    `--report-port=${port}`,
    // Nobody writes to a server before it is a member, and then to the primary alone.
    "--super-read-only=ON",
    "--plugin-load-add=group_replication.so",
    `--loose-group-replication-group-name=${group}`,
    "--loose-group-replication-start-on-boot=OFF",
    `--loose-group-replication-local-address=${address(groupPort)}`,
    `--loose-group-replication-group-seeds=${groupPorts.map(address).join(",")}`,
    "--loose-group-replication-recovery-get-public-key=ON",
    "--loose-group-replication-member-expel-timeout=0",
    "--loose-group-replication-unreachable-majority-timeout=5",
    // The weakest, and what servers before 8.4 have by themselves: the service must ask for what it needs.
    "--loose-group-replication-consistency=EVENTUAL",
  ];
}
