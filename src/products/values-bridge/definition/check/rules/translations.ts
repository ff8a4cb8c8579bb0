// Rules on translations: each has all texts that people answer, and follows the same rules as the definition itself.
import { type DefinitionFault, quote } from "../faults.ts";
import { type DefinitionPart, labelOf, type TranslationPart } from "../parts.ts";
import { archetypeNameFaults } from "./archetypes.ts";
import { labelFaults, languageFaults } from "./presentation.ts";
import { duplicates } from "./repeats.ts";
import { valueNameFaults } from "./values.ts";
import { type Phrase, wordingFaults } from "./wording.ts";

/** Every translation has its own language and all texts that people answer; it has all names or none. */
export function checkTranslations(parts: DefinitionPart): DefinitionFault[] {
  return [
    ...repeatedLanguages(parts),
    ...parts.translations.flatMap((translation) => [
      ...languageFaults(translation, translation.pointer),
      ...labelFaults(parts.scale, translation.labels, translation.pointer),
      ...wordingFaults(translation.frames, phrasesOf(translation)),
      ...valueFaults(translation, parts),
      ...nameFaults(translation, parts),
      ...checkTranslatedArchetypes(translation, parts),
    ]),
  ];
}

function repeatedLanguages({ pointer, language, translations }: DefinitionPart): DefinitionFault[] {
  const own = { pointer, language };
  return duplicates([own, ...translations], "language", "duplicate_language", (entry, first) => {
    return `${quote(entry.language ?? "")} is the language of ${first === own ? "the definition" : "an earlier translation"} too`;
  });
}

function phrasesOf({ values }: TranslationPart): Phrase[] {
  return values.flatMap(({ pointer, id, predicates = [] }) =>
    predicates.map((predicate, index) => ({
      pointer: `${pointer}/predicates/${index}`,
      label: `item ${index + 1} of value ${id ?? "?"}`,
      predicate,
    })),
  );
}

/** Each value occurs once, with as many predicates as items. */
function valueFaults({ pointer, values: translated }: TranslationPart, { values }: DefinitionPart): DefinitionFault[] {
  const faults = duplicates(translated, "id", "duplicate_id", ({ id }) => `Value ${id} is translated twice`);
  const isReadable = [...values, ...translated].every(({ id }) => id !== undefined);
  if (!isReadable || translated.length === 0) return faults;
  for (const { pointer: place, id, predicates } of translated) {
    const value = values.find((each) => each.id === id);
    if (value === undefined) {
      faults.push({ pointer: `${place}/id`, code: "unknown_value", message: `No value has the id ${id}` });
    } else if (predicates !== undefined && predicates.length !== value.items.length) {
      const message = `Value ${labelOf(value)} has ${value.items.length} items, so ${predicates.length} predicates do not translate it`;
      faults.push({ pointer: `${place}/predicates`, code: "incomplete_translation", message });
    }
  }
  const missing = values.filter(({ id }) => translated.every((each) => each.id !== id));
  if (missing.length > 0) {
    const message = `Not translated: ${missing.map(labelOf).join(", ")}`;
    faults.push({ pointer: `${pointer}/values`, code: "incomplete_translation", message });
  }
  return faults;
}

/** Names are unique; if one value has a translated name or goal, all have. */
function nameFaults({ pointer, values: translated }: TranslationPart, { values }: DefinitionPart): DefinitionFault[] {
  const nameOf = ({ id }: (typeof translated)[number]) => {
    const value = id === undefined ? undefined : values.find((each) => each.id === id);
    return value === undefined ? `no. ${id ?? "?"}` : labelOf(value);
  };
  const gaps = ["name", "goal"].flatMap((member): DefinitionFault[] => {
    const without = translated.filter(({ written }) => !written.has(member));
    if (without.length === 0 || without.length === translated.length) return [];
    const message = `Without a translated ${member}, though others have one: ${without.map(nameOf).join(", ")}`;
    return [{ pointer: `${pointer}/values`, code: "incomplete_translation", message }];
  });
  return [...gaps, ...valueNameFaults(translated)];
}

/** Either all archetypes are translated or none, each one once; their names are unique. */
function checkTranslatedArchetypes(translation: TranslationPart, definition: DefinitionPart): DefinitionFault[] {
  return [
    ...idFaults(translation, definition),
    ...halfFaults(translation),
    ...archetypeNameFaults([...translation.archetypes, translation.unresolvedArchetype]),
  ];
}

function idFaults({ pointer, archetypes: translated }: TranslationPart, { archetypes }: DefinitionPart) {
  const faults = duplicates(translated, "id", "duplicate_id", ({ id }) => `Archetype ${id} is translated twice`);
  const isReadable = [...archetypes, ...translated].every(({ id }) => id !== undefined);
  if (!isReadable || translated.length === 0) return faults;
  for (const { pointer: place, id } of translated) {
    if (archetypes.some((each) => each.id === id)) continue;
    const message = `No archetype of the list has the id ${id}`;
    faults.push({ pointer: `${place}/id`, code: "unknown_archetype", message });
  }
  const missing = archetypes.filter(({ id }) => translated.every((each) => each.id !== id));
  if (missing.length > 0) {
    const names = missing.map(({ id, name }) => (name === undefined ? `no. ${id}` : quote(name)));
    const message = `Not translated: ${names.join(", ")}`;
    faults.push({ pointer: `${pointer}/archetypes`, code: "incomplete_translation", message });
  }
  return faults;
}

/** The list without the unresolved archetype, or the other way round. */
function halfFaults({ pointer, written }: TranslationPart): DefinitionFault[] {
  const both = ["archetypes", "unresolvedArchetype"];
  const without = both.filter((member) => !written.has(member));
  if (without.length !== 1) return [];
  const [missing = ""] = without;
  const [present = ""] = both.filter((each) => each !== missing);
  const message = `Translated ${present} without ${missing}: a translation has both or neither`;
  return [{ pointer: `${pointer}/${missing}`, code: "incomplete_translation", message }];
}
