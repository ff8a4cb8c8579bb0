// Rules on frames and predicates, and on the statements that they make together.
import type { DefinitionFault } from "../faults.ts";
import { fold, quote } from "../faults.ts";
import { type DefinitionPart, labelOf } from "../parts.ts";
import { duplicates, repeats } from "./repeats.ts";

const predicatePlaceholder = "{predicate}";

export interface Phrase {
  readonly pointer: string;
  /** How messages name the item. */
  readonly label: string;
  readonly predicate: string;
}

type Frames = DefinitionPart["frames"];

/** Frames and predicates of the definition's own language. */
export function checkWording(parts: DefinitionPart): DefinitionFault[] {
  return wordingFaults(parts.frames, phrasesOf(parts));
}

/** Each life context has a frame of its own with one place for a predicate; no predicate or statement occurs twice. */
export function wordingFaults(frames: Frames, phrases: readonly Phrase[]): DefinitionFault[] {
  return [...frameFaults(frames), ...predicateFaults(phrases), ...statementFaults(frames, phrases)];
}

function phrasesOf({ values }: DefinitionPart): Phrase[] {
  return values.flatMap((value) =>
    value.items.flatMap(({ pointer, predicate }, index) =>
      predicate === undefined
        ? []
        : [{ pointer: `${pointer}/predicate`, label: `item ${index + 1} of value ${labelOf(value)}`, predicate }],
    ),
  );
}

function frameFaults(frames: Frames): DefinitionFault[] {
  const misplaced = frames.flatMap(({ pointer, text }): DefinitionFault[] => {
    const count = text === undefined ? 1 : text.split(predicatePlaceholder).length - 1;
    if (count === 1) return [];
    const message = `Text must hold ${predicatePlaceholder} exactly once, not ${count} times`;
    return [{ pointer: `${pointer}/text`, code: "placeholder", message }];
  });
  const sameText = "Text is the same as in the frame before; people could not tell the two lives apart";
  return [
    ...misplaced,
    ...duplicates(frames, "lifeContext", "duplicate_context", ({ lifeContext }) => {
      return `A frame before this one is for the ${lifeContext} life too; ideal and current need one each`;
    }),
    ...duplicates(frames, "text", "duplicate_frame", () => sameText),
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
    ...repeats(phrases, ({ predicate }) => fold(predicate)).map(({ entry, first }) => ({
      pointer: entry.pointer,
      code: "duplicate_predicate" as const,
      message: `Predicate of ${entry.label} repeats that of ${first.label}`,
    })),
  ];
}

/** Different predicates in different frames can still make one statement: "In a {predicate}" and "In a good {predicate}". */
function statementFaults(frames: Frames, phrases: readonly Phrase[]): DefinitionFault[] {
  const statements = frames.flatMap(({ text }) => {
    if (!text?.includes(predicatePlaceholder)) return [];
    return phrases.map((phrase) => ({ phrase, statement: text.replace(predicatePlaceholder, () => phrase.predicate) }));
  });
  return repeats(statements, ({ statement }) => fold(statement))
    .filter(({ entry, first }) => fold(entry.phrase.predicate) !== fold(first.phrase.predicate))
    .map(({ entry, first }) => ({
      pointer: entry.phrase.pointer,
      code: "duplicate_prompt",
      message: `${quote(entry.statement)} is asked twice: it comes from ${first.phrase.label} too, in the other frame`,
    }));
}
