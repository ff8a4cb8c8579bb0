// Tables for the terminal.

export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The table as text, numbers to the right. */
export function printTable({ title, head, rows }: Table): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => (row[column] ?? "").length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  const rule = widths.map((width) => "─".repeat(width)).join("──");
  return [`\n${title}`, rule, line(head), rule, ...rows.map(line), ""].join("\n");
}

/** A number as people read it, with three digits that count; a dash for none. */
export function figure(value: number | undefined, unit = ""): string {
  if (value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  const text = size >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
  return unit === "" ? text : `${text} ${unit}`;
}

/** A ratio. */
export function ratio(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? "–" : `${value.toFixed(2)}×`;
}
