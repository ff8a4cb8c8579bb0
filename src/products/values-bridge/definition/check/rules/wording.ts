// Rules on frames and predicates, and on the statements that they make together.
import { quote, type Report } from "../faults.ts";
import { type DefinitionPart, labelOf } from "../parts.ts";
import { fold, forRepeats } from "./repeats.ts";

const predicatePlaceholder = "{predicate}";

export interface Phrase {
  readonly pointer: string;
  /** How messages name the item. */
  readonly label: string;
  readonly predicate: string;
}

/** Frames and predicates of the definition's own language. */
export function checkWording({ frames, values }: DefinitionPart, report: Report): void {
  const phrases = values.flatMap((value) =>
    value.items.flatMap(({ pointer, predicate }, index) =>
      predicate === undefined
        ? []
        : [{ pointer: `${pointer}/predicate`, label: `item ${index + 1} of value ${labelOf(value)}`, predicate }],
    ),
  );
  checkPhrases(frames, phrases, report);
}

/** Each life context has a frame of its own with one place for a predicate; no predicate or statement occurs twice. */
export function checkPhrases(frames: DefinitionPart["frames"], phrases: readonly Phrase[], report: Report): void {
  for (const { pointer, text } of frames) {
    const count = text === undefined ? 1 : text.split(predicatePlaceholder).length - 1;
    if (count === 1) continue;
    report(`${pointer}/text`, "placeholder", `Text must hold ${predicatePlaceholder} exactly once, not ${count} times`);
  }
  forRepeats(
    frames,
    ({ lifeContext }) => lifeContext,
    ({ pointer, lifeContext }) => {
      const message = `A frame before this one is for the ${lifeContext} life too; ideal and current need one each`;
      report(`${pointer}/lifeContext`, "duplicate_context", message);
    },
  );
  forRepeats(
    frames,
    ({ text }) => text,
    ({ pointer }) => {
      const message = "Text is the same as in the frame before; people could not tell the two lives apart";
      report(`${pointer}/text`, "duplicate_frame", message);
    },
  );
  for (const { pointer, predicate } of phrases) {
    const message = `Predicate must not hold ${predicatePlaceholder}, which belongs into the frames`;
    if (predicate.includes(predicatePlaceholder)) report(pointer, "placeholder", message);
  }
  forRepeats(
    phrases,
    ({ predicate }) => predicate,
    ({ pointer, label }, first) => {
      report(pointer, "duplicate_predicate", `Predicate of ${label} repeats that of ${first.label}`);
    },
  );
  // Different predicates in different frames can still make one statement: "In a {predicate}" and "In a good {predicate}".
  const statements = frames.flatMap(({ text }) => {
    if (!text?.includes(predicatePlaceholder)) return [];
    return phrases.map((phrase) => ({ phrase, statement: text.replace(predicatePlaceholder, () => phrase.predicate) }));
  });
  forRepeats(
    statements,
    ({ statement }) => statement,
    ({ phrase, statement }, first) => {
      if (fold(phrase.predicate) === fold(first.phrase.predicate)) return;
      const message = `${quote(statement)} is asked twice: it comes from ${first.phrase.label} too, in the other frame`;
      report(phrase.pointer, "duplicate_prompt", message);
    },
  );
}
