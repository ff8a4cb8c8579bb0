// Rules on translations: each has all texts that people answer, and follows the same rules as the definition itself.
import type { Definition, Translation } from "../../definition.ts";
import { type DefinitionFault, quote } from "../faults.ts";
import { archetypeNameFaults } from "./archetypes.ts";
import { labelFaults, languageFaults } from "./presentation.ts";
import { repeats } from "./repeats.ts";
import { valueNameFaults } from "./values.ts";
import { wordingFaults } from "./wording.ts";

/** Every translation has its own language and all texts that people answer; it has all names or none. */
export function checkTranslations(definition: Definition): DefinitionFault[] {
  const { language, scale, translations = [] } = definition;
  const languages = [language, ...translations.map((translation) => translation.language)];
  const repeated = repeats(languages.map((each) => each.toLowerCase())).map(({ index, first }): DefinitionFault => {
    const whose = first === 0 ? "the definition" : "an earlier translation";
    const message = `${quote(languages[index] ?? "")} is the language of ${whose} too`;
    return { pointer: `#/translations/${index - 1}/language`, code: "duplicate_language", message };
  });
  const ofEach = translations.flatMap((translation, index) => {
    const pointer = `#/translations/${index}`;
    return [
      ...languageFaults(translation.language, pointer),
      ...labelFaults(scale, translation.labels, pointer),
      ...wordingFaults(`${pointer}/frames`, translation.frames, phrasesOf(pointer, translation)),
      ...valueFaults(pointer, translation, definition),
      ...nameFaults(pointer, translation, definition),
      ...archetypeFaults(pointer, translation, definition),
      ...archetypeNameFaults(pointer, translation.archetypes ?? [], translation.unresolvedArchetype),
    ];
  });
  return [...repeated, ...ofEach];
}

function phrasesOf(pointer: string, { values }: Translation) {
  return values.flatMap(({ id, predicates }, place) =>
    predicates.map((predicate, index) => ({
      pointer: `${pointer}/values/${place}/predicates/${index}`,
      label: `item ${index + 1} of value ${id}`,
      predicate,
    })),
  );
}

/** Each value occurs once, with as many predicates as items. */
function valueFaults(pointer: string, translation: Translation, { values }: Definition): DefinitionFault[] {
  const ids = translation.values.map(({ id }) => id);
  const faults: DefinitionFault[] = repeats(ids).map(({ index }) => ({
    pointer: `${pointer}/values/${index}/id`,
    code: "duplicate_id",
    message: `Value ${ids[index]} is translated twice`,
  }));
  translation.values.forEach(({ id, predicates }, index) => {
    const value = values.find((each) => each.id === id);
    if (value === undefined) {
      const message = `No value has the id ${id}`;
      faults.push({ pointer: `${pointer}/values/${index}/id`, code: "unknown_value", message });
    } else if (predicates.length !== value.items.length) {
      const message = `Value ${quote(value.name)} has ${value.items.length} items, so ${predicates.length} predicates do not translate it`;
      faults.push({ pointer: `${pointer}/values/${index}/predicates`, code: "incomplete_translation", message });
    }
  });
  const missing = values.filter(({ id }) => !ids.includes(id));
  if (missing.length > 0) {
    const message = `Not translated: ${missing.map(({ name }) => quote(name)).join(", ")}`;
    faults.push({ pointer: `${pointer}/values`, code: "incomplete_translation", message });
  }
  return faults;
}

/** Names are unique; if one value has a translated name or goal, all have. */
function nameFaults(pointer: string, { values: translated }: Translation, { values }: Definition): DefinitionFault[] {
  const gaps = (["name", "goal"] as const).flatMap((member): DefinitionFault[] => {
    const without = translated.filter((value) => value[member] === undefined);
    if (without.length === 0 || without.length === translated.length) return [];
    const labels = without.map(({ id }) => {
      const name = values.find((value) => value.id === id)?.name;
      return name === undefined ? `no. ${id}` : quote(name);
    });
    const message = `Without a translated ${member}, though others have one: ${labels.join(", ")}`;
    return [{ pointer: `${pointer}/values`, code: "incomplete_translation", message }];
  });
  return [...gaps, ...valueNameFaults(pointer, translated)];
}

/** Either all archetypes are translated, each once, and the unresolved one too, or none. */
function archetypeFaults(
  pointer: string,
  { archetypes: translated, unresolvedArchetype }: Translation,
  { archetypes }: Definition,
): DefinitionFault[] {
  if (translated === undefined || unresolvedArchetype === undefined) {
    if (translated === unresolvedArchetype) return [];
    const [member, other] =
      translated === undefined ? ["archetypes", "unresolvedArchetype"] : ["unresolvedArchetype", "archetypes"];
    const message = `Translated ${other} without ${member}: a translation has both or neither`;
    return [{ pointer: `${pointer}/${member}`, code: "incomplete_translation", message }];
  }
  const ids = translated.map(({ id }) => id);
  const faults: DefinitionFault[] = repeats(ids).map(({ index }) => ({
    pointer: `${pointer}/archetypes/${index}/id`,
    code: "duplicate_id",
    message: `Archetype ${ids[index]} is translated twice`,
  }));
  const known = archetypes.map(({ id }) => id);
  for (const [index, id] of ids.entries()) {
    if (known.includes(id)) continue;
    const message = `No archetype of the list has the id ${id}`;
    faults.push({ pointer: `${pointer}/archetypes/${index}/id`, code: "unknown_archetype", message });
  }
  const missing = archetypes.filter(({ id }) => !ids.includes(id));
  if (missing.length > 0) {
    const message = `Not translated: ${missing.map(({ name }) => quote(name)).join(", ")}`;
    faults.push({ pointer: `${pointer}/archetypes`, code: "incomplete_translation", message });
  }
  return faults;
}
