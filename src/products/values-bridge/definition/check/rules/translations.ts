// Rules on translations: what people answer is whole in each one, and reads as soundly as the definition itself.
import type { DefinitionFault } from "../faults.ts";
import { fold, quote } from "../faults.ts";
import type { DefinitionParts, TranslatedValuePart, TranslationPart } from "../parts.ts";
import { labelFaults, languageFaults } from "./presentation.ts";
import { repeats } from "./repeats.ts";
import { checkTranslatedArchetypes } from "./translated-archetypes.ts";
import { type Phrase, wordingFaults } from "./wording.ts";

/** Every translation is in a language of its own and says all that people answer; of names it says all or none. */
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

/** Values are there once each, with as many predicates as items. */
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

/** Names are unlike one another; if one value has a translated name or goal, all have. */
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
