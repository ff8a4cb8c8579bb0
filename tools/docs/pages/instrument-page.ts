// The parts of docs/instrument.md that are written from the shipped definitions and the notes on their statements.
import { readFileSync } from "node:fs";
import type {
  Definition,
  Frame,
  Item,
  Translation,
  ValueDefinition,
} from "../../../src/products/values-bridge/definition/definition.ts";
import { table } from "../markdown.ts";

/** What cannot be read off a statement. */
export interface ItemNote {
  /** `value.item`, both counted from 1. */
  readonly item: string;
  /** The statement it was written for: another one needs another note. */
  readonly statement: string;
  /** Its side of the value; of an inverse statement, what stands at the low end of the value. */
  readonly measures: string;
  readonly reason: string;
  readonly isNot: string;
}

interface Place {
  readonly value: ValueDefinition;
  readonly item: Item;
  readonly index: number;
  readonly note: ItemNote;
}

/** The notes of the shipped instrument. */
export function readItemNotes(): ItemNote[] {
  return JSON.parse(readFileSync("tools/docs/pages/instrument-notes.json", "utf8"));
}

/** What a translation says in the words of the original language, as somebody read it who looked at the translation alone. */
export interface BackTranslation {
  readonly frames: readonly string[];
  /** Of each value, in order. */
  readonly predicates: readonly (readonly string[])[];
}

/** By language. */
export function readBackTranslations(): Readonly<Record<string, BackTranslation>> {
  return JSON.parse(readFileSync("tools/docs/pages/back-translations.json", "utf8"));
}

/** The parts by name. @throws Error for a statement without a note of its own words */
export function instrumentParts(
  definition: Definition,
  notes: readonly ItemNote[] = readItemNotes(),
): Record<string, string> {
  const places = definition.values.flatMap((value) =>
    value.items.map((item, index) => ({ value, item, index, note: noteOn(value, index, notes) })),
  );
  return {
    frames: frameTable(definition.frames),
    scale: scaleTable(definition.scale.min, definition.scale.labels),
    statements: statementTable(places),
  };
}

/** The parts of docs/translations.md: one for each translation. */
export function translationParts(definition: Definition): Record<string, string> {
  const back = readBackTranslations();
  return Object.fromEntries(
    (definition.translations ?? []).map((translation) => [
      `language-${translation.language}`,
      translationTables(definition, translation, back[translation.language]),
    ]),
  );
}

function noteOn({ id, items }: ValueDefinition, index: number, notes: readonly ItemNote[]): ItemNote {
  const place = `${id}.${index + 1}`;
  const note = notes.find(({ item }) => item === place);
  const statement = items[index]?.predicate;
  if (note === undefined) throw new Error(`no note on statement ${place}`);
  if (note.statement !== statement) throw new Error(`the note on ${place} is about other words than “${statement}”`);
  return note;
}

function statementTable(places: readonly Place[]): string {
  const rows = places.map(({ value, item, note }) => [
    note.item,
    item.predicate,
    `${value.name}, ${item.inverse ? "low" : "high"}: ${note.measures}`,
    note.reason,
    note.isNot,
  ]);
  return table(["No.", "Statement", "Construct", "Reason", "What it is not"], rows);
}

function translationTables(
  definition: Definition,
  { frames, labels, values, archetypes, unresolvedArchetype }: Translation,
  back: BackTranslation | undefined,
): string {
  const statements = definition.values.flatMap(({ id, items }) =>
    items.map(({ predicate }, index) => [
      `${id}.${index + 1}`,
      predicate,
      values.find((value) => value.id === id)?.predicates[index] ?? "",
      ...(back === undefined ? [] : [back.predicates[id - 1]?.[index] ?? ""]),
    ]),
  );
  const valueRows = values.map(({ id, name, goal }) => [id, name, goal]);
  const ofAll = [...archetypes, { id: definition.unresolvedArchetype.id, ...unresolvedArchetype }];
  const archetypeRows = ofAll.map(({ id, name, summary }) => [id, name, summary]);
  const headed = (heading: string, content: string) => `### ${heading}\n\n${content}`;
  return [
    headed("Frames", frameTable(frames)),
    headed("Scale", scaleTable(definition.scale.min, labels)),
    headed(
      "Statements",
      table(["No.", "Statement", "Translation", ...(back === undefined ? [] : ["Back"])], statements),
    ),
    headed("Values", table(["Id", "Value", "What it is about"], valueRows)),
    headed("Archetypes", table(["Id", "Archetype", "What it says"], archetypeRows)),
  ].join("\n\n");
}

function frameTable(frames: readonly Frame[]): string {
  return table(
    ["Life", "Frame"],
    frames.map(({ lifeContext, text }) => [`\`${lifeContext}\``, text]),
  );
}

function scaleTable(min: number, labels: readonly string[]): string {
  return table(
    ["Rating", "Label"],
    labels.map((label, index) => [min + index, label]),
  );
}
