// What an operator does to divide shards while the service runs, as docs/scale.md says it.
import type { Cluster } from "./cluster.ts";
import { copyTables, untilCopied } from "./copying.ts";
import type { Tablet } from "./tablet.ts";

/** A shard, and those that take its place. */
export type Division = readonly [whole: string, parts: readonly string[]];

/** Of which each shard has a row of its own: how far its log has come. */
const positions = ["event_position"];
const workflow = ["--target-keyspace=assess", "--workflow=divide"];

/** @param say is told of each step. @param beforeSwitch is called when all is copied */
export async function divide(
  cluster: Cluster,
  divisions: readonly Division[],
  say: (line: string) => void,
  beforeSwitch: () => unknown = () => undefined,
): Promise<void> {
  const pairs: (readonly [Tablet, Tablet])[] = [];
  for (const [whole, parts] of divisions) {
    const old = cluster.tablets.find(({ keyspace, shard }) => keyspace === "assess" && shard === whole);
    if (old === undefined) throw new Error(`there is no shard ${whole}`);
    for (const part of parts) pairs.push([old, await cluster.addShard("assess", part)]);
  }
  say("shards added");
  const sources = divisions.map(([whole]) => whole).join(",");
  const targets = divisions.flatMap(([, parts]) => parts).join(",");
  const reshard = (action: string, ...args: string[]) => cluster.vtctl("Reshard", ...workflow, action, ...args);
  // Some tables number their rows by a secondary key, which MySQL does not let go.
  const all = ["--defer-secondary-keys=false", `--source-shards=${sources}`, `--target-shards=${targets}`];
  await reshard("create", ...all);
  await untilCopied(cluster, "assess", "divide");
  say("copied");
  await beforeSwitch();
  say("switching");
  // There is no way back: numbers of two logs would meet in one.
  await reshard("switchtraffic", "--enable-reverse-replication=false");
  for (const [old, half] of pairs) await copyTables(old.mysql, half.mysql, positions);
  say("switched");
  await reshard("complete");
}
