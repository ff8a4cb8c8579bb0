// The rules of good English statements, as far as a program can hold them. What it cannot is in docs/instrument.md.
import { wordsOf } from "../browser/readability.ts";

/** A rule that each statement keeps by itself. */
export interface ItemRule {
  readonly name: string;
  readonly isBroken: (predicate: string) => boolean;
}

const holds =
  (...words: readonly string[]) =>
  (predicate: string) =>
    wordsOf(predicate).some((word) => words.join(" ").split(" ").includes(word));

const matches = (pattern: RegExp) => (predicate: string) => pattern.test(predicate);

/** Every rule on single statements. */
export const itemRules: readonly ItemRule[] = [
  {
    name: "6 to 16 words",
    isBroken: (predicate) => wordsOf(predicate).length < 6 || wordsOf(predicate).length > 16,
  },
  {
    name: "completes the frame: no capital but I, no full stop, single spaces",
    isBroken: (predicate) => !/^(?:I|[a-z]+)(?:,? (?:I|[a-z]+(?:'[a-z]+)?(?:-[a-z]+)*))+$/.test(predicate),
  },
  { name: "does not repeat the frame", isBroken: holds("life today want") },
  {
    name: "speaks of the person who answers",
    isBroken: (predicate) => !holds("i me my mine")(predicate) || holds("he she his her him")(predicate),
  },
  {
    name: "one claim",
    isBroken: (predicate) => holds("and or nor because but cannot")(predicate) || /\bso that\b/.test(predicate),
  },
  { name: "says whose group it is about", isBroken: holds("we us our") },
  {
    name: "no negation",
    isBroken: (predicate) =>
      holds("no none nobody nothing nowhere neither not never without nor anyone anything")(predicate) ||
      matches(/n['’]t\b/)(predicate),
  },
  {
    name: "leaves how often to the response scale",
    isBroken: holds(
      "often seldom rarely hardly scarcely sometimes usually normally mostly frequently occasionally regularly",
      "constantly generally typically always ever daily weekly monthly yearly",
    ),
  },
  {
    name: "no feeling instead of a goal",
    isBroken: matches(
      /^I (?:enjoy|like|love|hate|prefer|welcome|feel|(?:am|feel) (?:happy|glad|fine|content|proud))\b/,
    ),
  },
  {
    name: "presupposes nothing bad",
    isBroken: holds(
      "problem problems trouble troubles mistake mistakes danger dangers dangerous fire ill illness sick harm risk",
      "upset upsets unfair wrong dull boring war crime enemy lose loss fail failure costs survive silly",
    ),
  },
  {
    name: "no idiom",
    isBroken: matches(
      new RegExp(
        "heart beat|have a say|stand up for|speak my mind|(?:take|takes) the lead|make room|my people|in the eyes|" +
          "stay clear|out of public view|keep an eye|down to earth|as I go|opens? transports|see fit|step by step",
      ),
    ),
  },
  {
    name: "does not depend on household, income or belongings",
    isBroken: holds(
      "family families husband wife partner parent parents children kids home house job boss salary buy shop shops",
      "expensive trip trips holiday holidays hobby hobbies car",
    ),
  },
  {
    name: "presupposes no means: no music, money, garden or town of one's own",
    isBroken: matches(/\bmy (?:music|money|garden|town|area|savings)\b|\bI own\b|\bplants near me\b/),
  },
  {
    name: "does not depend on politics, religion, gender or age",
    isBroken: holds(
      "country government leader leaders vote party state god faith church pray religion man men woman women",
      "young younger older elder elders ancestors",
    ),
  },
];

/** Words that every language needs: they carry no content of their own. */
const functionWords = new Set(
  (
    "a about after am among an any anyone are as at be been before being but by can could do does each even few for " +
    "from had has have he her his how i if in into is it its just less many me mine more most much my of on once one " +
    "out own she so some someone something than that the their them these they this those to until up was we were " +
    "what whatever whoever when where which while who whose with would you your"
  ).split(" "),
);

/** Words for others and verbs of all work: needed by many statements, but not by half of them. */
const plainWords = new Set(["peopl", "other", "mak", "keep", "giv", "let", "tak"]);

/** The words of a predicate that carry its content, without their endings. */
export function contentWords(predicate: string): Set<string> {
  const stems = wordsOf(predicate)
    .filter((word) => !functionWords.has(word))
    .map((word) => word.replace(/['’]s$/, "").replace(/(?<=..)(?:ies|ing|ly|ed|es|s|e|y)$/, ""));
  return new Set(stems);
}

/** The verbs of inverse statements that stand in no forward one: they would tell the two keys apart. */
export function verbsOfInverseOnly(
  items: readonly { readonly predicate: string; readonly inverse: boolean }[],
): string[] {
  const stem = (word: string) => word.replace(/(?<=..)e?s$/, "");
  const forward = new Set(
    items.filter(({ inverse }) => !inverse).flatMap(({ predicate }) => wordsOf(predicate).map(stem)),
  );
  return items
    .filter(({ inverse }) => inverse)
    .map(({ predicate }) => wordsOf(predicate)[1] ?? "")
    .filter((verb) => !forward.has(stem(verb)));
}

/** Content words that stand in more than 4 statements, plain ones in more than a quarter, with their numbers. */
export function overusedWords(predicates: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const word of predicates.flatMap((predicate) => [...contentWords(predicate)])) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const most = (word: string) => (plainWords.has(word) ? predicates.length / 4 : 4);
  return Object.fromEntries([...counts].filter(([word, count]) => count > most(word)));
}
