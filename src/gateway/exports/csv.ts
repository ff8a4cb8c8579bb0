// Exports as CSV (RFC 4180): one row a session, a column for each line of the codebook. A missing value is an empty cell.
import { ValuesBridgeConfigSchema } from "../../gen/assessment/v1/assessment_pb.ts";
import type { CodebookColumn, ExportedSession } from "../../gen/assessment/v1/export_service_pb.ts";
import { toJson } from "../../json/message-json.ts";
import { sessionJson } from "./export-json.ts";

type Cell = string | number | null | undefined;

const headAlone = { withoutAnswers: true, withoutResults: true };

/** The first line. */
export function csvHeader(columns: readonly CodebookColumn[]): string {
  return csvLine(columns.map(({ name }) => name));
}

/** A session as a line. */
export function csvRow(columns: readonly CodebookColumn[], session: ExportedSession): string {
  const cells = new Map<string, Cell>();
  addMembers(cells, "", sessionJson({ ...session, answers: [], results: undefined }, headAlone));
  for (const { questionId, value } of session.answers) cells.set(`answers/${questionId}`, value);
  if (session.results !== undefined) {
    const { overall, values, pairings } = session.results;
    addMembers(cells, "results/overall/", overall ?? {});
    for (const value of values) addMembers(cells, `results/values/${value.valueId}/`, value);
    for (const pairing of pairings) addMembers(cells, `results/pairings/${pairing.valuePairingId}/`, pairing);
  }
  return csvLine(columns.map(({ source }) => cells.get(source)));
}

const configJson = toJson(ValuesBridgeConfigSchema);

/** The codebook itself: values as `1=never; 2=seldom`. */
export function csvCodebook(columns: readonly CodebookColumn[]): string {
  const { fields: configFields } = ValuesBridgeConfigSchema;
  const rows = columns.map(({ values, valuesBridgeConfig: config, statementNumber, ...column }) => {
    const { name, label, type, minimum, maximum, source } = column;
    const words = values.map(({ value, label: meaning }) => `${value}=${meaning}`).join("; ");
    const members: Readonly<Record<string, unknown>> = config === undefined ? {} : configJson(config);
    const configCells = configFields.map(({ jsonName }) => members[jsonName] as Cell);
    return csvLine([name, label, type, minimum, maximum, words, "", source, ...configCells, statementNumber]);
  });
  const head = ["name", "label", "type", "minimum", "maximum", "values", "missing", "source"];
  return csvLine([...head, ...configFields.map(({ name }) => name), "statement_number"]) + rows.join("");
}

function addMembers(cells: Map<string, Cell>, prefix: string, members: object): void {
  for (const [name, value] of Object.entries(members)) {
    if (value === null || typeof value !== "object") cells.set(prefix + name, value);
  }
}

function csvLine(cells: readonly Cell[]): string {
  return `${cells.map((cell) => quote(cell == null ? "" : String(cell))).join(",")}\r\n`;
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
