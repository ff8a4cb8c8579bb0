// Rows that an earlier release stores without their partner. Until the roll-out is over, statements find those as well: such a
// row has the partner of the row that it belongs to.
import type { Connection } from "mysql2";
import { isMissingTable, troubleOf } from "./database-errors.ts";

/** From this migration on every row names its partner. */
export const rowsNamePartnersSince = "0032-rows-name-partners";

/** What a row belongs to: a row of another table, whose id it has in a column. */
interface Owner {
  readonly table: string;
  readonly by: string;
}

const ofSession: readonly Owner[] = [{ table: "sessions", by: "session_id" }];
const ofEndpoint: readonly Owner[] = [{ table: "webhook_endpoints", by: "endpoint_id" }];
const ofSet: readonly Owner[] = [{ table: "norm_sets", by: "set_id" }];

/** The tables that name their partner since that migration alone. */
const owners: Readonly<Record<string, readonly Owner[]>> = {
  hosted_links: ofSession,
  hosted_visits: ofSession,
  report_links: ofSession,
  report_visits: ofSession,
  report_views: ofSession,
  norm_contributions: [...ofSession, ...ofSet],
  norm_sums: ofSet,
  norm_numbers: ofSet,
  webhook_attempts: ofEndpoint,
  webhook_parked: ofEndpoint,
  webhook_secrets: ofEndpoint,
};
export const tablesWithEarlierRows: readonly string[] = Object.keys(owners);

/** Of what belongs to nothing any more: nobody sees it, and it goes when its time is over. */
const nobody = "X'00000000000000000000000000000000'";

/** The partner of a row as SQL. @param alias what the statement calls the table; undefined: by its name */
export function partnerOfRow(table: string, alias?: string): string {
  const own = alias === undefined ? "partner_id" : `${alias}.partner_id`;
  const others = (owners[table] ?? []).map(
    (owner) => `(SELECT o.partner_id FROM ${owner.table} AS o WHERE o.id = ${alias ?? table}.${owner.by})`,
  );
  return `COALESCE(${[own, ...others, nobody].join(", ")})`;
}

const namesPartners = Symbol("rows name partners");
type Looked = Connection & { [namesPartners]?: boolean };

/**
 * Looks on a new connection whether every row names its partner. A connection that was made before goes on as before,
 * which does no harm.
 */
export async function lookForPartners(connection: Connection): Promise<void> {
  const sql = `SELECT 1 FROM knex_migrations WHERE name = '${rowsNamePartnersSince}'`;
  try {
    const [rows] = await connection.promise().query(sql);
    (connection as Looked)[namesPartners] = (rows as unknown[]).length > 0;
  } catch (error) {
    // Neither an empty database nor a shard has rows of an earlier release.
    if (isMissingTable(error)) (connection as Looked)[namesPartners] = true;
    else if (troubleOf(error) !== undefined) throw error;
  }
}

/** A statement as it is sent on the connection. @param earlierSql the one that finds rows without a partner too */
export function asSentOn(connection: Connection, sql: string, earlierSql?: string): string {
  if ((connection as Looked)[namesPartners] === true) return sql;
  return earlierSql ?? findingEarlierRows(sql);
}

const uses = /\b(?:FROM|JOIN|STRAIGHT_JOIN|UPDATE) (\w+)\b(?: AS (\w+))?/g;
const column = /(?<!\.)\b(?:(\w+)\.)?partner_id\b/g;
const listed = /^\s*SELECT\b.*?\bFROM\b/s;

/** The statement that finds rows without a partner too. It has as many markers, in the same order. */
export function findingEarlierRows(sql: string): string {
  if (/^\s*INSERT\b/.test(sql)) return sql;
  /** By what the statement calls each table; nothing for a table that it names in full. */
  const found = new Map(
    [...sql.matchAll(uses)].flatMap(([, table = "", alias]): [string | undefined, string][] =>
      Object.hasOwn(owners, table) ? [[alias, table]] : [],
    ),
  );
  if (found.size === 0) return sql;
  const withPartners = (text: string, name = "") =>
    text.replaceAll(column, (own: string, alias: string | undefined) => {
      const table = found.get(alias);
      return table === undefined ? own : partnerOfRow(table, alias) + name;
    });
  const columns = listed.exec(sql)?.[0] ?? "";
  return withPartners(columns, " AS partner_id") + withPartners(sql.slice(columns.length));
}
