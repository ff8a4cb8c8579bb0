// Exports as CSV (RFC 4180): one row a session, a column for each line of the codebook. A missing value is an empty cell.
import { ValuesBridgeConfigSchema } from "../../gen/assessment/v1/assessment_pb.ts";
import type { CodebookColumn, ExportedSession } from "../../gen/assessment/v1/export_service_pb.ts";
import { createJsonWriter } from "../../json/messages.ts";
import { toSessionJson } from "./export-json.ts";

type Cell = string | number | null | undefined;

const headOnly = { withoutAnswers: true, withoutResults: true };

/** The first line. */
export function formatCsvHeader(columns: readonly CodebookColumn[]): string {
  return formatLine(columns.map(({ name }) => name));
}

/** A session as a line. */
export function formatCsvRow(columns: readonly CodebookColumn[], session: ExportedSession): string {
  const cells = new Map<string, Cell>();
  addMembers(cells, "", toSessionJson({ ...session, answers: [], results: undefined }, headOnly));
  for (const { questionId, value } of session.answers) cells.set(`answers/${questionId}`, value);
  if (session.results !== undefined) {
    const { overall, values, pairings } = session.results;
    addMembers(cells, "results/overall/", overall ?? {});
    for (const value of values) addMembers(cells, `results/values/${value.valueId}/`, value);
    for (const pairing of pairings) addMembers(cells, `results/pairings/${pairing.valuePairingId}/`, pairing);
  }
  return formatLine(columns.map(({ source }) => cells.get(source)));
}

const writeConfig = createJsonWriter(ValuesBridgeConfigSchema);

/** The codebook itself: values as `1=never; 2=seldom`. */
export function formatCsvCodebook(columns: readonly CodebookColumn[]): string {
  const { fields: configFields } = ValuesBridgeConfigSchema;
  const rows = columns.map(({ values, valuesBridgeConfig: config, statementNumber, ...column }) => {
    const { name, label, type, minimum, maximum, source } = column;
    const valueLabels = values.map(({ value, label: valueLabel }) => `${value}=${valueLabel}`).join("; ");
    const members: Readonly<Record<string, unknown>> = config === undefined ? {} : writeConfig(config);
    const configCells = configFields.map(({ jsonName }) => members[jsonName] as Cell);
    return formatLine([name, label, type, minimum, maximum, valueLabels, "", source, ...configCells, statementNumber]);
  });
  const head = ["name", "label", "type", "minimum", "maximum", "values", "missing", "source"];
  return formatLine([...head, ...configFields.map(({ name }) => name), "statement_number"]) + rows.join("");
}

function addMembers(cells: Map<string, Cell>, prefix: string, members: object): void {
  for (const [name, value] of Object.entries(members)) {
    if (value === null || typeof value !== "object") cells.set(prefix + name, value);
  }
}

function formatLine(cells: readonly Cell[]): string {
  return `${cells.map((cell) => quote(cell == null ? "" : String(cell))).join(",")}\r\n`;
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
