// Rules on frames and predicates, and on the statements that they make together.
import type { Frame } from "../../definition.ts";
import type { DefinitionFault } from "../faults.ts";
import { fold, quote } from "../faults.ts";
import type { DefinitionParts, Part } from "../parts.ts";
import { repeats } from "./repeats.ts";

const predicatePlaceholder = "{predicate}";

export interface Phrase {
  readonly pointer: string;
  /** How messages name the item. */
  readonly label: string;
  readonly predicate: string;
}

type Frames = readonly Part<Frame>[];

/** Frames and predicates of the definition's own language. */
export function checkWording(parts: DefinitionParts): DefinitionFault[] {
  return wordingFaults(parts.frames, phrasesOf(parts));
}

/** Each life context has a frame of its own with one place for a predicate; no predicate or statement occurs twice. */
export function wordingFaults(frames: Frames, phrases: readonly Phrase[]): DefinitionFault[] {
  return [...frameFaults(frames), ...predicateFaults(phrases), ...statementFaults(frames, phrases)];
}

function phrasesOf({ values }: DefinitionParts): Phrase[] {
  return values.flatMap((value) =>
    value.items.flatMap(({ pointer, members: { predicate } }, index) =>
      predicate === undefined
        ? []
        : [{ pointer: `${pointer}/predicate`, label: `item ${index + 1} of value ${value.label}`, predicate }],
    ),
  );
}

function frameFaults(frames: Frames): DefinitionFault[] {
  const faults: DefinitionFault[] = [];
  for (const { pointer, members } of frames) {
    const found = members.text === undefined ? 1 : members.text.split(predicatePlaceholder).length - 1;
    if (found === 1) continue;
    const message = `Text must hold ${predicatePlaceholder} exactly once, not ${found} times`;
    faults.push({ pointer: `${pointer}/text`, code: "placeholder", message });
  }
  for (const { entry } of repeats(frames, ({ members }) => members.lifeContext)) {
    const message = `A frame before this one is for the ${entry.members.lifeContext} life too; ideal and current need one each`;
    faults.push({ pointer: `${entry.pointer}/lifeContext`, code: "duplicate_context", message });
  }
  for (const { entry } of repeats(frames, ({ members }) => foldIfPresent(members.text))) {
    const message = "Text is the same as in the frame before; people could not tell the two lives apart";
    faults.push({ pointer: `${entry.pointer}/text`, code: "duplicate_frame", message });
  }
  return faults;
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
  const statements = frames.flatMap(({ members: { text } }) => {
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

function foldIfPresent(text: string | undefined): string | undefined {
  return text === undefined ? undefined : fold(text);
}
