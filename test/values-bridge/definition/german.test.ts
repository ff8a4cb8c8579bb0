// The German instrument: the same rules in another language, as far as a program can hold them.
import { describe, expect, test } from "vitest";
import type { Definition, Translation } from "../../../src/products/values-bridge/definition/definition.ts";
import { namesOf } from "../../../src/products/values-bridge/definition/names.ts";
import valuesBridge from "../../../src/products/values-bridge/definition/values-bridge.json" with { type: "json" };

const definition = valuesBridge as unknown as Definition;
const german = translationInto("de", definition);
const predicates = german.values.flatMap((value) => value.predicates);

function translationInto(language: string, { translations }: Definition): Translation {
  const found = translations?.find((translation) => translation.language === language);
  if (found === undefined) throw new Error(`no translation into ${language}`);
  return found;
}

const wordsOf = (text: string) => text.toLowerCase().match(/[a-zäöüß]+/g) ?? [];
const holding = (pattern: RegExp) => predicates.filter((predicate) => pattern.test(predicate));

describe("the German statements", () => {
  test("are main clauses behind a colon: a capital, the verb in second place, and no full stop", () => {
    const isMainClause =
      /^(?:Ich [a-zäöüß]+e|Mir gelingt|Andere [a-zäöüß]+en|Menschen, [^,]+, [a-z]+en)(?=[ ,]).*[a-zäöüß]$/;
    expect(predicates.filter((predicate) => !isMainClause.test(predicate))).toEqual([]);
    expect(german.frames.map(({ text }) => text)).toEqual([
      "So möchte ich leben: {predicate}.",
      "So lebe ich heute: {predicate}.",
    ]);
  });

  test("are 76, all different, of 5 to 18 words with single spaces", () => {
    const lengths = predicates.map((predicate) => wordsOf(predicate).length);
    expect(new Set(predicates).size).toBe(76);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(5);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(18);
    expect(holding(/ {2}|^ | $/)).toEqual([]);
  });

  test("speak of the person who answers", () => {
    const own = /\b(?:ich|mir|mich|mein(?:e[mnrs]?)?)\b/i;
    expect(predicates.filter((predicate) => !own.test(predicate))).toEqual([]);
  });

  const rules: readonly (readonly [string, RegExp, string])[] = [
    ["make one claim", /\b(?:und|oder|weil|aber|sondern|denn)\b/, "Ich lese Bücher und schreibe Briefe"],
    // "So, dass" says in which way; "damit" adds a purpose.
    ["join no second idea as a purpose", /\b(?:damit|sodass|so dass)\b/, "Ich lese Bücher, damit ich viel lerne"],
    [
      "contain no negation",
      /\b(?:nicht|nichts|nie|niemals|niemand\w*|kein\w*|ohne|weder)\b/,
      "Ich lese Bücher ohne bunte Bilder",
    ],
    [
      "leave how often to the response scale",
      /\b(?:immer|stets|oft|häufig|manchmal|selten|meist(?:ens)?|regelmäßig|täglich|jederzeit)\b/,
      "Ich lese häufig Bücher über Bienen",
    ],
    [
      "presuppose no means: no music, money, garden or town of one's own",
      /\bmeine?[mnrs]? (?:Musik|Geld|Garten|Stadt|Ersparnisse|Gegend|Besitz)\b|\bbesitze\b|Pflanzen in meiner Nähe/i,
      "Ich lese Bücher in meinem Garten",
    ],
    [
      "do not repeat the frames",
      /\b(?:leben?|Leben|möchten?|heute|heutig\w*)\b/,
      "Ich lese Bücher über das Leben der Bienen",
    ],
    [
      "name people in words that are true of every gender",
      /[*:]in|Innen\b|\b(?:Freund|Partner|Kolleg|Nachbar|Expert|Chef|Bürger|Verwandte|Mann|Frau)(?!eskreis)\w*/,
      "Ich lese Bücher mit meinen Nachbarn",
    ],
    [
      "presuppose nothing bad",
      /Problem|Fehler|Gefahr|Not\b|Ärger|krank|Streit|langweilig|Risiko|Feuer/,
      "Ich lese Bücher über den Streit",
    ],
    [
      "depend on no household, income, politics or age",
      /Familie|Kinder\b|Eltern|Haus\b|Gehalt|kaufe|Reise|Regierung|Partei|Land\b|Kirche|ältere|jüngere/,
      "Ich lese Bücher über die Regierung",
    ],
  ];

  test.each(rules)("%s; the rule finds a fault", (_, pattern, fault) => {
    const broken = ({ values }: Translation) =>
      values.flatMap(({ id, predicates }) =>
        predicates.flatMap((each, index) => (pattern.test(each) ? [`${id}.${index + 1}`] : [])),
      );
    expect(broken(german)).toEqual([]);
    expect(rules.filter(([, other]) => other.test(fault)).map(([, other]) => other)).toEqual([pattern]);
  });

  test("say with verbs of forward ones what inverse ones do", () => {
    const isInverse = definition.values.flatMap(({ items }) => items.map(({ inverse }) => inverse));
    const stem = (word: string) => word.replace(/^be(?=komm)|(?<=..)e[nt]?$/g, "");
    const forward = predicates.filter((_, index) => !isInverse[index]).flatMap((each) => wordsOf(each).map(stem));
    const verbs = predicates.filter((_, index) => isInverse[index]).map((each) => wordsOf(each)[1] ?? "");
    expect(verbs.filter((verb) => !forward.includes(stem(verb)))).toEqual([]);
  });

  test("use no content word in more than four of 76, and verbs of all work in no more than a quarter", () => {
    const plain = "menschen andere anderen anderer";
    const plainVerbs = "gebe halte lasse mache nehme".split(" ");
    const functionWords =
      "ich mir mich mein meine meinem meinen meiner die der das den dem des was wie wenn damit dass bevor so es sie an " +
      "auf aus bei für in mit nach um von vor zu zum als ist sind bin wurden deren denen alle allem alles";
    const counts = new Map<string, number>();
    for (const word of predicates.flatMap((predicate) => [...new Set(wordsOf(predicate))])) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    const without = new Set(`${functionWords} ${plain}`.split(" "));
    const most = (word: string) => (plainVerbs.includes(word) ? predicates.length / 4 : 4);
    expect([...counts].filter(([word, count]) => count > most(word) && !without.has(word))).toEqual([]);
  });
});

describe("the German names", () => {
  const [, names] = namesOf(definition);

  test("leave nothing in English: every value, goal and archetype is translated", () => {
    const texts = [
      ...(names?.values ?? []).flatMap(({ name, goal }) => [name, goal]),
      ...(names?.archetypes ?? []).flatMap(({ name, summary }) => [name, summary]),
    ];
    expect(texts).toHaveLength(2 * 19 + 2 * 9);
    expect(texts.filter(({ language }) => language !== "de")).toEqual([]);
  });

  test("address people as the hosted pages do", () => {
    const texts = [german.title, ...(names?.archetypes ?? []).map(({ summary }) => summary.text)];
    expect(texts.filter((text) => /\b(?:du|dich|dir|dein\w*)\b/i.test(text))).toEqual([]);
    expect(texts.filter((text) => !/\b(?:Sie|Ihre?[mnrs]?|Ihnen)\b/.test(text))).toEqual([]);
  });

  test("give each goal in 6 to 20 words", () => {
    const lengths = (names?.values ?? []).map(({ goal }) => wordsOf(goal.text).length);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(6);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(20);
  });
});
