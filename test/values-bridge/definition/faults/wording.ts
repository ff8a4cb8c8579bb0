// Faults of frames, predicates and statements.
import type { FaultCase } from "./fault-case.ts";

export const wordingFaults: readonly FaultCase[] = [
  [
    "a frame without place for the predicate",
    { "/frames/0/text": "In the life I want." },
    "#/frames/0/text",
    "placeholder",
    "Text must hold {predicate} exactly once, not 0 times",
  ],
  [
    "two frames for one life",
    { "/frames/1/lifeContext": "ideal" },
    "#/frames/1/lifeContext",
    "duplicate_context",
    "A frame before this one is for the ideal life too; ideal and current need one each",
  ],
  [
    "two frames alike",
    { "/frames/1/text": "In the life I  WANT, {predicate}." },
    "#/frames/1/text",
    "duplicate_frame",
    "Text is the same as in the frame before; people could not tell the two lives apart",
  ],
  [
    "a predicate with a place for one",
    { "/values/0/items/0/predicate": "I do {predicate}" },
    "#/values/0/items/0/predicate",
    "placeholder",
    "Predicate must not hold {predicate}, which belongs into the frames",
  ],
  [
    "two predicates alike",
    { "/values/4/items/1/predicate": "i make  room for DARING" },
    "#/values/4/items/1/predicate",
    "duplicate_predicate",
    "Predicate of item 2 of value 'Craft' repeats that of item 1 of value 'Daring'",
  ],
  [
    "one statement from two predicates",
    {
      "/frames/0/text": "In life {predicate}.",
      "/frames/1/text": "In life today {predicate}.",
      "/values/1/items/0/predicate": "today I dare",
      "/values/4/items/0/predicate": "I dare",
    },
    "#/values/4/items/0/predicate",
    "duplicate_prompt",
    "'In life today I dare.' is asked twice: it comes from item 1 of value 'Daring' too, in the other frame",
  ],
];
