// Rows on their way from one server to another: by Vitess, and by mysqldump what Vitess leaves out.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { MysqlNode } from "../../support/databases/servers/mysql-node.ts";
import { provideMysqlRoot } from "../../support/databases/servers/mysql97-root.ts";
import { until } from "../../support/until.ts";
import type { Cluster } from "./cluster.ts";

interface ShardStreams {
  readonly streams: readonly {
    readonly state: string;
    readonly message: string;
    readonly copy_states: readonly unknown[];
  }[];
}

/** Resolves when every stream of a workflow has copied its tables, and follows what changes. Rejects on an error of one. */
export async function untilCopied({ vtctl }: Cluster, keyspace: string, workflow: string): Promise<void> {
  const show = ["Workflow", `--keyspace=${keyspace}`, "show", `--workflow=${workflow}`, "--include-logs=false"];
  const ask = async () => {
    const [workflowState] = JSON.parse(await vtctl(...show)).workflows;
    const shards: ShardStreams[] = Object.values(workflowState.shard_streams);
    const streams = shards.flatMap((shard) => shard.streams);
    const failedStream = streams.find(({ state }) => state === "Error");
    if (failedStream !== undefined) return failedStream.message;
    const isCopied = streams.every(({ state, copy_states: states }) => state === "Running" && states.length === 0);
    return isCopied && streams.length > 0 ? "" : undefined;
  };
  const trouble = await until(ask, 10 * 60_000);
  if (trouble !== "") throw new Error(trouble);
}

/** Copies whole tables from one shard of `assess` to another, in place of what that has of them. */
export async function copyTables(from: MysqlNode, to: MysqlNode, tables: readonly string[]): Promise<void> {
  const root = await provideMysqlRoot(() => undefined);
  const at = ({ port }: MysqlNode) => `-uroot -h127.0.0.1 -P${port}`;
  const options = "--no-create-info --replace --set-gtid-purged=OFF --skip-lock-tables --skip-add-locks";
  const dump = `mysqldump --no-defaults ${at(from)} ${options} vt_assess ${tables.join(" ")}`;
  const script = `set -e; ${dump} | mysql --no-defaults ${at(to)} vt_assess`;
  await promisify(execFile)("chroot", [root, "sh", "-c", script]);
}
