// Rules on frames and predicates, and on the statements that they make together.
import type { Definition, Frame } from "../../definition.ts";
import type { DefinitionFault } from "../faults.ts";
import { fold, quote } from "../faults.ts";
import { repeats } from "./repeats.ts";

const predicatePlaceholder = "{predicate}";

export interface Phrase {
  readonly pointer: string;
  /** How messages name the item. */
  readonly label: string;
  readonly predicate: string;
}

/** Frames and predicates of the definition's own language. */
export function checkWording({ frames, values }: Definition): DefinitionFault[] {
  const phrases = values.flatMap(({ name, items }, place) =>
    items.map(({ predicate }, index) => ({
      pointer: `#/values/${place}/items/${index}/predicate`,
      label: `item ${index + 1} of value ${quote(name)}`,
      predicate,
    })),
  );
  return wordingFaults("#/frames", frames, phrases);
}

/** Each life context has a frame of its own with one place for a predicate; no predicate or statement occurs twice. */
export function wordingFaults(
  pointer: string,
  frames: readonly Frame[],
  phrases: readonly Phrase[],
): DefinitionFault[] {
  return [...frameFaults(pointer, frames), ...predicateFaults(phrases), ...statementFaults(frames, phrases)];
}

function frameFaults(pointer: string, frames: readonly Frame[]): DefinitionFault[] {
  const places = frames.map(({ text }) => text.split(predicatePlaceholder).length - 1);
  return [
    ...places.flatMap((found, index): DefinitionFault[] => {
      if (found === 1) return [];
      const message = `Text must hold ${predicatePlaceholder} exactly once, not ${found} times`;
      return [{ pointer: `${pointer}/${index}/text`, code: "placeholder", message }];
    }),
    ...repeats(frames.map(({ lifeContext }) => lifeContext)).map(({ index }): DefinitionFault => {
      const message = `A frame before this one is for the ${frames[index]?.lifeContext} life too; ideal and current need one each`;
      return { pointer: `${pointer}/${index}/lifeContext`, code: "duplicate_context", message };
    }),
    ...repeats(frames.map(({ text }) => fold(text))).map(({ index }): DefinitionFault => {
      const message = "Text is the same as in the frame before; people could not tell the two lives apart";
      return { pointer: `${pointer}/${index}/text`, code: "duplicate_frame", message };
    }),
  ];
}

function predicateFaults(phrases: readonly Phrase[]): DefinitionFault[] {
  const nested = phrases.filter(({ predicate }) => predicate.includes(predicatePlaceholder));
  return [
    ...nested.map(({ pointer }) => ({
      pointer,
      code: "placeholder" as const,
      message: `Predicate must not hold ${predicatePlaceholder}, which belongs into the frames`,
    })),
    ...repeats(phrases.map(({ predicate }) => fold(predicate))).map(({ index, first }) => ({
      pointer: phrases[index]?.pointer ?? "",
      code: "duplicate_predicate" as const,
      message: `Predicate of ${phrases[index]?.label} repeats that of ${phrases[first]?.label}`,
    })),
  ];
}

/** Different predicates in different frames can still make one statement: "In a {predicate}" and "In a good {predicate}". */
function statementFaults(frames: readonly Frame[], phrases: readonly Phrase[]): DefinitionFault[] {
  const statements = frames.flatMap(({ text }) => {
    if (!text.includes(predicatePlaceholder)) return [];
    return phrases.map((phrase) => ({ phrase, text: text.replace(predicatePlaceholder, () => phrase.predicate) }));
  });
  return repeats(statements.map(({ text }) => fold(text))).flatMap(({ index, first }): DefinitionFault[] => {
    const [later, earlier] = [statements[index], statements[first]];
    if (later === undefined || earlier === undefined) return [];
    if (fold(later.phrase.predicate) === fold(earlier.phrase.predicate)) return [];
    const message = `${quote(later.text)} is asked twice: it comes from ${earlier.phrase.label} too, in the other frame`;
    return [{ pointer: later.phrase.pointer, code: "duplicate_prompt", message }];
  });
}
