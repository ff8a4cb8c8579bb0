// Rules on translations: each has all texts that people answer, and follows the same rules as the definition itself.
import { type DefinitionFault, fold, quote } from "../faults.ts";
import type { DefinitionParts, TranslatedValuePart, TranslationPart } from "../parts.ts";
import { labelFaults, languageFaults } from "./presentation.ts";
import { repeats } from "./repeats.ts";
import { type Phrase, wordingFaults } from "./wording.ts";

/** Every translation has its own language and all texts that people answer; it has all names or none. */
export function checkTranslations(parts: DefinitionParts): DefinitionFault[] {
  return [
    ...repeatedLanguages(parts),
    ...parts.translations.flatMap((translation) => [
      ...languageFaults(translation.members, translation.pointer),
      ...labelFaults(parts.scale, translation.members.labels, translation.pointer),
      ...wordingFaults(translation.frames, phrasesOf(translation)),
      ...valueFaults(translation, parts),
      ...nameFaults(translation, parts),
      ...checkTranslatedArchetypes(translation, parts),
    ]),
  ];
}

function repeatedLanguages({ language, translations }: DefinitionParts): DefinitionFault[] {
  const own = { pointer: "#", members: language === undefined ? {} : { language } };
  return repeats([own, ...translations], ({ members }) => members.language?.toLowerCase()).map(({ entry, first }) => ({
    pointer: `${entry.pointer}/language`,
    code: "duplicate_language",
    message: `${quote(entry.members.language ?? "")} is the language of ${first === own ? "the definition" : "an earlier translation"} too`,
  }));
}

function phrasesOf({ values }: TranslationPart): Phrase[] {
  return values.flatMap(({ pointer, members: { id, predicates = [] } }) =>
    predicates.map((predicate, index) => ({
      pointer: `${pointer}/predicates/${index}`,
      label: `item ${index + 1} of value ${id ?? "?"}`,
      predicate,
    })),
  );
}

/** Each value occurs once, with as many predicates as items. */
function valueFaults({ pointer, values: translated }: TranslationPart, { values }: DefinitionParts): DefinitionFault[] {
  const faults: DefinitionFault[] = [];
  const isReadable = [...values, ...translated].every(({ members }) => members.id !== undefined);
  for (const { entry } of repeats(translated, ({ members }) => members.id)) {
    const message = `Value ${entry.members.id} is translated twice`;
    faults.push({ pointer: `${entry.pointer}/id`, code: "duplicate_id", message });
  }
  for (const { pointer: place, members } of isReadable ? translated : []) {
    const value = values.find((each) => each.members.id === members.id);
    if (value === undefined) {
      const message = `No value has the id ${members.id}`;
      faults.push({ pointer: `${place}/id`, code: "unknown_value", message });
    } else if (members.predicates !== undefined && members.predicates.length !== value.items.length) {
      const message = `Value ${value.label} has ${value.items.length} items, so ${members.predicates.length} predicates do not translate it`;
      faults.push({ pointer: `${place}/predicates`, code: "incomplete_translation", message });
    }
  }
  const ids = new Set(translated.map(({ members }) => members.id));
  const missing = translated.length === 0 || !isReadable ? [] : values.filter(({ members }) => !ids.has(members.id));
  if (missing.length > 0) {
    const message = `Not translated: ${missing.map(({ label }) => label).join(", ")}`;
    faults.push({ pointer: `${pointer}/values`, code: "incomplete_translation", message });
  }
  return faults;
}

/** Names are unique; if one value has a translated name or goal, all have. */
function nameFaults({ pointer, values: translated }: TranslationPart, { values }: DefinitionParts): DefinitionFault[] {
  const labelOf = ({ members: { id } }: TranslatedValuePart) =>
    values.find(({ members }) => members.id !== undefined && members.id === id)?.label ?? `no. ${id ?? "?"}`;
  const gaps = ["name", "goal"].flatMap((member) => {
    const without = translated.filter(({ written }) => !written.has(member));
    if (without.length === 0 || without.length === translated.length) return [];
    const message = `Without a translated ${member}, though others have one: ${without.map(labelOf).join(", ")}`;
    return [{ pointer: `${pointer}/values`, code: "incomplete_translation" as const, message }];
  });
  const alike = repeats(translated, ({ members: { name } }) => (name === undefined ? undefined : fold(name)));
  return [
    ...gaps,
    ...alike.map(({ entry }) => ({
      pointer: `${entry.pointer}/name`,
      code: "duplicate_name" as const,
      message: `A value before this one is named ${quote(entry.members.name ?? "")} too`,
    })),
  ];
}

/** Either all archetypes are translated or none, each one once; their names are unique. */
function checkTranslatedArchetypes(translation: TranslationPart, definition: DefinitionParts): DefinitionFault[] {
  const { archetypes, unresolvedArchetype } = translation;
  const all = [...archetypes, unresolvedArchetype];
  const alike = repeats(all, ({ members: { name } }) => (name === undefined ? undefined : fold(name)));
  return [
    ...idFaults(translation, definition),
    ...halfFaults(translation),
    ...alike.map(({ entry }) => ({
      pointer: `${entry.pointer}/name`,
      code: "duplicate_name" as const,
      message: `An archetype before this one is named ${quote(entry.members.name ?? "")} too`,
    })),
  ];
}

function idFaults({ pointer, archetypes: translated }: TranslationPart, { archetypes }: DefinitionParts) {
  const faults: DefinitionFault[] = repeats(translated, ({ members }) => members.id).map(({ entry }) => ({
    pointer: `${entry.pointer}/id`,
    code: "duplicate_id",
    message: `Archetype ${entry.members.id} is translated twice`,
  }));
  const isReadable = [...archetypes, ...translated].every(({ members }) => members.id !== undefined);
  if (!isReadable || translated.length === 0) return faults;
  const known = new Set(archetypes.map(({ members }) => members.id));
  for (const { pointer: place, members } of translated) {
    if (known.has(members.id)) continue;
    const message = `No archetype of the list has the id ${members.id}`;
    faults.push({ pointer: `${place}/id`, code: "unknown_archetype", message });
  }
  const ids = new Set(translated.map(({ members }) => members.id));
  const missing = archetypes.filter(({ members }) => !ids.has(members.id));
  if (missing.length > 0) {
    const names = missing.map(({ members: { id, name } }) => (name === undefined ? `no. ${id}` : quote(name)));
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
  const [member = ""] = without;
  const [other = ""] = both.filter((each) => each !== member);
  const message = `Translated ${other} without ${member}: a translation has both or neither`;
  return [{ pointer: `${pointer}/${member}`, code: "incomplete_translation", message }];
}
