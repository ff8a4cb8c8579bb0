// What vtgate would do with a statement, read from its own plan.
import type { Connection, RowDataPacket } from "mysql2/promise";

/** A step of a plan, as `vexplain plan` gives it. */
interface Step {
  readonly OperatorType: string;
  /** How a step finds its shards, such as `EqualUnique` or `Scatter`. */
  readonly Variant?: string;
  readonly Keyspace?: { readonly Name: string; readonly Sharded: boolean };
  readonly Inputs?: readonly Step[];
}

export interface Plan {
  /** The steps in order, such as `Join (Route Scatter, Route EqualUnique)`; or why Vitess refuses the statement. */
  readonly text: string;
  readonly keyspaces: readonly string[];
  /** Whether all of it is done by one shard. */
  readonly isOfOneShard: boolean;
}

/** Ways to one shard. */
const single = new Set(["Unsharded", "EqualUnique", "Reference", "Next"]);

/** Inserts into a table without the column that its rows are divided by. */
const lacksColumn = /VT09003: .*$/s;

/**
 * Asks vtgate. Throws where it has no plan, unless it is an insert that lacks `partner_id`: of those the plan is the refusal.
 * @param sql with a marker in the place of every value, and of every list
 */
export async function planOf(connection: Connection, sql: string): Promise<Plan> {
  let rows: RowDataPacket[];
  try {
    [rows] = await connection.query<RowDataPacket[]>(`vexplain plan ${withLists(sql)}`);
  } catch (error) {
    const [text] = lacksColumn.exec((error as Error).message) ?? [];
    if (text === undefined) throw new Error(`no plan of ${sql}`, { cause: error });
    return { text, keyspaces: [], isOfOneShard: false };
  }
  const root = JSON.parse(String(Object.values(rows[0] ?? {})[0])) as Step;
  const ways = stepsOf(root).filter(({ Keyspace }) => Keyspace !== undefined);
  const keyspaces = [...new Set(ways.map(({ Keyspace }) => Keyspace?.Name ?? ""))];
  const isOfOne = ({ Variant = "" }: Step) => single.has(Variant);
  const isInOneStep = ways.length === 1 && ways[0] === root && (isOfOne(root) || insertsOne(sql));
  const [, ...read] = ways;
  const isOfOneShard = isInOneStep || (copiesPartner(sql) && read.length > 0 && read.every(isOfOne));
  return { text: textOf(root), keyspaces, isOfOneShard };
}

/** Of an insert the plan does not tell; one row with its partner goes to the partner's shard. */
function insertsOne(sql: string): boolean {
  const [, columns = "", values = ""] = /^\s*insert into \S+\s*\(([^)]*)\)\s*values\s*(.)/i.exec(sql) ?? [];
  return /\bpartner_id\b/.test(columns) && values === "(";
}

/** Whether rows are inserted whose partner is that of the rows read, or is named as theirs: they are inserted on that shard. */
function copiesPartner(sql: string): boolean {
  const [, columns = "", values = ""] = /^\s*insert into \S+\s*\(([^)]*)\)\s*select (.*?)\sfrom /is.exec(sql) ?? [];
  const splitNames = (list: string) => list.split(",").map((name) => name.trim());
  return ["partner_id", "?"].includes(splitNames(values)[splitNames(columns).indexOf("partner_id")] ?? "");
}

/** Two of each list, since what has one might go to the one shard of it. */
function withLists(sql: string): string {
  const columns = /^\s*insert into \S+\s*\(([^)]*)\)/i.exec(sql)?.[1]?.split(",").length ?? 1;
  const row = (length: number) => `(${Array.from({ length }, () => "?").join(", ")})`;
  return (
    sql
      .replace(/\bVALUES \?/, `VALUES ${row(columns)}, ${row(columns)}`)
      .replace(/(\([^()]*,[^()]*\)) IN \(\?\)/g, (_, names: string) => {
        const values = row(names.split(",").length);
        return `${names} IN (${values}, ${values})`;
      })
      .replaceAll(/\bIN \(\?\)/g, "IN (?, ?)")
      // A statement of two queries names one partner in both.
      .replaceAll(/\bpartner_id = \?/g, (marker) => (sql.includes("UNION") ? "partner_id = X'01'" : marker))
  );
}

function stepsOf(step: Step): Step[] {
  return [step, ...(step.Inputs ?? []).flatMap(stepsOf)];
}

function textOf({ OperatorType, Variant, Inputs = [] }: Step): string {
  const name = [OperatorType, Variant].filter(Boolean).join(" ");
  return Inputs.length === 0 ? name : `${name} (${Inputs.map(textOf).join(", ")})`;
}
