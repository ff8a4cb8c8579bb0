// Reading statements as far as tests of the store need it.

export interface TableUse {
  readonly table: string;
  /** What the statement calls it. */
  readonly alias: string;
}

const keywords = new Set(["where", "force", "set", "on", "join", "left", "straight_join", "order", "select", "values"]);

/** Whether a text is a statement on rows. */
export function isStatement(text: string): boolean {
  return /^\s*(select\s.*\sfrom\s|insert into\s|update\s.*\sset\s|delete\s|replace into\s)/is.test(text);
}

/** Whether a statement comes of a text with places (`${…}`) for parts of it. */
export function isMadeOf(sql: string, text: string): boolean {
  // A place may hold braces of its own; behind one that holds a text of its own nothing was read.
  const parts = text.split(/\$\{(?:[^{}]|\{[^{}]*\})*(?:\}|$)/);
  let from = 0;
  return parts.every((part, index) => {
    const at = sql.indexOf(part, from);
    from = at + part.length;
    return index === 0 ? at === 0 : at >= 0;
  });
}

/** The tables that a statement reads or changes; one that is there twice, twice. */
export function tablesOf(sql: string): TableUse[] {
  const tableMatches = [
    ...plain(sql).matchAll(/\b(?:from|join|straight_join|into|update) (\w+)(?: as (\w+)| (\w+))?/gi),
  ];
  const uses = tableMatches.map(([, table = "", as, next]) => {
    const alias = as ?? (next === undefined || keywords.has(next.toLowerCase()) ? table : next);
    return { table, alias };
  });
  return uses.filter(({ table }) => !["key", "skip", "nowait"].includes(table.toLowerCase()));
}

/** Those of the tables that the statement reaches without naming a partner. */
export function unnamed(sql: string, tables: ReadonlySet<string>): TableUse[] {
  const uses = tablesOf(sql).filter(({ table }) => tables.has(table));
  const isNamed = new Set(uses.filter((use) => namesPartner(sql, use)).map(({ alias }) => alias));
  // A table that goes by the partner of a named one is named as well.
  for (const [, one = "", other = ""] of plain(sql).matchAll(/\b(\w+)\.partner_id = (\w+)\.partner_id\b/gi)) {
    if (isNamed.has(one)) isNamed.add(other);
    if (isNamed.has(other)) isNamed.add(one);
  }
  return uses.filter(({ alias }) => !isNamed.has(alias));
}

function namesPartner(sql: string, { table, alias }: TableUse): boolean {
  const text = plain(sql);
  const [head = "", ...conditions] = text.split(/\bwhere\b|\bon(?! duplicate)\b/i);
  const columnList = new RegExp(`insert into ${table} \\(([^)]*)\\)`, "i").exec(head)?.[1];
  if (columnList !== undefined) return /\bpartner_id\b/i.test(columnList);
  const name = `(?<![\\w.])(?:${alias}\\.)?partner_id`;
  // Also as the first of a list of columns, by which vtgate finds the shard as well.
  const column = new RegExp(`${name} (?:= \\?|in \\((?:\\?(?:, )?)+\\))|\\(${name}, \\w+\\) in \\(`, "i");
  return column.test(conditions.join(" "));
}

/** What TiDB or Vitess would refuse of a statement. */
export function refusals(sql: string): string[] {
  const text = plain(sql);
  const faults = [];
  if (/\block in share mode\b|\bfor share\b/i.test(text)) faults.push("a shared lock");
  if (/^replace\b/i.test(text)) faults.push("replaces rows");
  if (/^(?:delete|update)\b.*\blimit\b/i.test(text)) faults.push("limits a write");
  return faults;
}

/** Verb, first table, and the columns that rows are found by, such as `SELECT sessions (id, partner_id)`. */
export function fingerprint(sql: string): string {
  const text = plain(sql);
  const [, verb = ""] = /^(\w+)/.exec(text) ?? [];
  const [first] = tablesOf(text);
  const conditions =
    text
      .split(/\bwhere\b/i)
      .slice(1)
      .join(" ")
      .split(/\border by\b|\blimit\b/i)[0] ?? "";
  const columns = conditions.matchAll(/\b(?:\w+\.)?([a-z]\w*) (?:[<>=]|<>|>=|<=|in|is)(?=[ (])/gi);
  const names = [...new Set([...columns].map(([, column = ""]) => column.toLowerCase()))].filter(
    (name) => !["not", "and", "or"].includes(name),
  );
  return `${verb.toUpperCase()} ${first?.table ?? ""} (${names.toSorted().join(", ")})`;
}

/** On one line, without quotes. */
function plain(sql: string): string {
  return sql.replaceAll("`", "").replaceAll(/\s+/g, " ").trim();
}
