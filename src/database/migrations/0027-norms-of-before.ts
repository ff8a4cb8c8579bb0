// Takes away what only processes of before need for norms. Their sets of all partners stay, which nothing reads.
import { unlessThere } from "./0026-norms.ts";
import type { Step } from "./step.ts";

function without(kind: "column" | "index", table: string, name: string): Step {
  const [where, drop, algorithm] =
    kind === "column"
      ? (["columns", `COLUMN ${name}`, "ALGORITHM=INSTANT"] as const)
      : (["statistics", `INDEX ${name}`, "ALGORITHM=INPLACE, LOCK=NONE"] as const);
  return {
    unless: unlessThere(where, table, `${kind}_name = '${name}'`),
    sql: `ALTER TABLE ${table} DROP ${drop}, ${algorithm}`,
  };
}

export const normsOfBefore: readonly Step[] = [
  "DROP TABLE IF EXISTS norm_releases",
  without("index", "norm_sets", "norm_sets_removed"),
  without("index", "norm_sets", "norm_sets_pooled"),
  ...["pooled_id", "last_position", "pooled_fresh", "pooled_release", "releases", "released_through", "removed_at"].map(
    (name) => without("column", "norm_sets", name),
  ),
  ...["position", "pooled_position"].map((name) => without("column", "norm_contributions", name)),
];
