// Rules on translations: each has all texts that people answer, and follows the same rules as the definition itself.
import { quote, type Report } from "../faults.ts";
import { type DefinitionPart, labelOf, type TranslationPart, type ValuePart } from "../parts.ts";
import { checkLabels, checkLanguage } from "./presentation.ts";
import { checkNames, forRepeats } from "./repeats.ts";
import { checkPhrases } from "./wording.ts";

/** Every translation has its own language and all texts that people answer; it has all names or none. */
export function checkTranslations(parts: DefinitionPart, report: Report): void {
  forRepeats(
    [parts, ...parts.translations],
    ({ language }) => language,
    ({ pointer, language = "" }, first) => {
      const other = first === parts ? "the definition" : "an earlier translation";
      report(`${pointer}/language`, "duplicate_language", `${quote(language)} is the language of ${other} too`);
    },
  );
  for (const translation of parts.translations) {
    checkLanguage(translation, report);
    checkLabels(parts.scale, translation, report);
    checkPhrases(translation.frames, phrasesOf(translation), report);
    checkValues(translation, parts, report);
    checkArchetypes(translation, parts, report);
  }
}

function phrasesOf({ values }: TranslationPart) {
  return values.flatMap(({ pointer, id, predicates = [] }) =>
    predicates.map((predicate, index) => ({
      pointer: `${pointer}/predicates/${index}`,
      label: `item ${index + 1} of value ${id ?? "?"}`,
      predicate,
    })),
  );
}

/** Each value occurs once, with as many predicates as items; names are unique, and if one value has a translated name or goal, all have. */
function checkValues({ pointer, values: translations }: TranslationPart, { values }: DefinitionPart, report: Report) {
  checkEntries("Value", "No value", `${pointer}/values`, translations, values, report);
  const translatedValue = ({ id }: (typeof translations)[number]) =>
    id === undefined ? undefined : values.find((each) => each.id === id);
  for (const entry of translations) {
    const [value, count] = [translatedValue(entry), entry.predicates?.length];
    if (value === undefined || count === undefined || count === value.items.length) continue;
    const message = `Value ${labelOf(value)} has ${value.items.length} items, so ${count} predicates do not translate it`;
    report(`${entry.pointer}/predicates`, "incomplete_translation", message);
  }
  for (const member of ["name", "goal"]) {
    const without = translations.filter(({ written }) => !written.has(member));
    if (without.length === 0 || without.length === translations.length) continue;
    const names = without.map((entry) => {
      const value = translatedValue(entry);
      return value === undefined ? `no. ${entry.id ?? "?"}` : labelOf(value);
    });
    const message = `Without a translated ${member}, though others have one: ${names.join(", ")}`;
    report(`${pointer}/values`, "incomplete_translation", message);
  }
  checkNames(translations, "A value", report);
}

/** Either all archetypes are translated or none, each one once; their names are unique. */
function checkArchetypes(translation: TranslationPart, { archetypes }: DefinitionPart, report: Report): void {
  const { pointer, archetypes: translations, unresolvedArchetype, written } = translation;
  checkEntries("Archetype", "No archetype of the list", `${pointer}/archetypes`, translations, archetypes, report);
  const both = ["archetypes", "unresolvedArchetype"];
  const [missing, ...others] = both.filter((member) => !written.has(member));
  if (missing !== undefined && others.length === 0) {
    const present = both.find((each) => each !== missing);
    const message = `Translated ${present} without ${missing}: a translation has both or neither`;
    report(`${pointer}/${missing}`, "incomplete_translation", message);
  }
  checkNames([...translations, unresolvedArchetype], "An archetype", report);
}

type Entry = Pick<ValuePart, "pointer" | "id" | "name">;

/** Each entry of the definition is translated once, and no other. */
function checkEntries(
  kind: "Value" | "Archetype",
  none: string,
  pointer: string,
  translations: readonly Pick<Entry, "pointer" | "id">[],
  own: readonly Entry[],
  report: Report,
): void {
  forRepeats(
    translations,
    ({ id }) => id,
    (entry) => report(`${entry.pointer}/id`, "duplicate_id", `${kind} ${entry.id} is translated twice`),
  );
  const isReadable = [...own, ...translations].every(({ id }) => id !== undefined);
  if (!isReadable || translations.length === 0) return;
  const [ownIds, translatedIds] = [own, translations].map((entries) => new Set(entries.map(({ id }) => id)));
  for (const { pointer: place, id } of translations) {
    if (!ownIds?.has(id)) report(`${place}/id`, `unknown_${kind.toLowerCase()}`, `${none} has the id ${id}`);
  }
  const missing = own.filter(({ id }) => !translatedIds?.has(id)).map(labelOf);
  if (missing.length > 0) report(pointer, "incomplete_translation", `Not translated: ${missing.join(", ")}`);
}
