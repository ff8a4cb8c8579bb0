// Rules on the archetypes of a translation.
import type { DefinitionFault } from "../faults.ts";
import { fold, quote } from "../faults.ts";
import type { DefinitionParts, TranslationPart } from "../parts.ts";
import { repeats } from "./repeats.ts";

/** Archetypes are translated all or none, each one once; their names are unlike one another. */
export function checkTranslatedArchetypes(
  translation: TranslationPart,
  definition: DefinitionParts,
): DefinitionFault[] {
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
