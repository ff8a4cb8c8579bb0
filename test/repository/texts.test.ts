// Every text that people read, at its place, in every language: whoever changes one sees which, and reads it again.
import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { chooseLanguage, type Language } from "../../src/pages/catalogue/language.ts";
import { getTeamTexts } from "../../src/products/values-bridge/report/team/words.ts";
import { chooseReportLanguage, reportCatalogues } from "../../src/products/values-bridge/report/words/language.ts";
import mottos from "../../src/products/values-bridge/report/words/mottos.json" with { type: "json" };
import { portraits } from "../../src/products/values-bridge/report/words/portraits.ts";
import steps from "../../src/products/values-bridge/report/words/steps.json" with { type: "json" };
import { valuesBridge } from "../support/values-bridge/opened.ts";
import { longForm } from "../support/values-bridge/short-form.ts";

const languages = reportCatalogues.map(({ language }) => language);
const definition = longForm();

/** Texts by name. */
type Texts = Readonly<Record<string, unknown>>;

/** What a form of the first version says in a language: its names, its answers, and under its id each question of a value. */
function findWording(form: "long" | "short", language: string): Texts {
  const ofForm = form === "long" ? definition : valuesBridge.toShortForm(definition);
  if (ofForm === undefined) throw new Error("no short form");
  const wording = valuesBridge
    .open(ofForm, form === "long" ? 1 : 1_000_001)
    .wordings.find((each) => each.language === language);
  if (wording === undefined) throw new Error(`no wording in ${language}`);
  const { title, choices, questions, names } = wording;
  const named = [
    ...names.values.map(({ id, name, goal }) => ["value", { id, name, goal }] as const),
    ...names.archetypes.map(({ id, name, summary }) => ["archetype", { id, name, summary }] as const),
  ];
  const listQuestions = (valueId: number) =>
    questions
      .filter(({ valuesBridgeConfig }) => valuesBridgeConfig.valueId === valueId)
      .map(({ id, prompt, valuesBridgeConfig: { lifeContext, inverse } }) => [id, prompt, lifeContext, inverse]);
  return Object.fromEntries([
    ["title and answers", [title, choices]],
    ...named.map(([kind, each]) => [`${kind} ${each.id}`, each]),
    ...names.values.map(({ id }) => [`questions of value ${id}`, listQuestions(id)]),
  ]);
}

/** What people read, by where they do. */
const catalogues: Readonly<Record<string, (language: string) => Texts>> = {
  page: (language) => chooseLanguage([language]).texts satisfies Language["texts"],
  report: (language) => chooseReportLanguage([language]).texts,
  portrait: (language) => portraits.get(language) ?? {},
  step: (language) => new Map(Object.entries<Texts>(steps)).get(language) ?? {},
  motto: (language) =>
    Object.fromEntries(Object.entries<Record<string, string>>(mottos).map(([name, own]) => [name, own[language]])),
  team: (language) => getTeamTexts(language),
  long: (language) => findWording("long", language),
  short: (language) => findWording("short", language),
};

/** A line for each text: where it is, and a digest in each language. */
function digests(): string {
  const computeDigest = (text: unknown) => hash("sha256", JSON.stringify(text), "hex").slice(0, 6);
  const lines = Object.entries(catalogues).flatMap(([catalogue, textsIn]) => {
    const all = languages.map((language) => textsIn(language));
    return Object.keys(all[0] ?? {}).map(
      (name) => `${`${catalogue}: ${name}`.padEnd(40)} ${all.map((texts) => computeDigest(texts[name])).join(" ")}`,
    );
  });
  return [`${"".padEnd(40)} ${languages.map((language) => language.padEnd(6)).join(" ")}`, ...lines, ""].join("\n");
}

const advice = `Texts are not what they were. Read each one whose line changed, where people read it, in each language whose column
changed. If it is right: npx vitest run --project pure test/repository/texts.test.ts -u`;

test("every text is the one that was read at its place, in each language", async () => {
  await expect(digests(), advice).toMatchFileSnapshot("texts.txt");
});

test("the short form asks the first and the fourth statement on each value, in both lives, under ids of its own", () => {
  const short = valuesBridge.toShortForm(definition);
  const { questions } = valuesBridge.open(short ?? definition, 1_000_001);
  expect(questions.map(({ id }) => id)).toEqual(Array.from({ length: 76 }, (_, index) => 1_000_001_001 + index));
  for (const { id, items } of definition.values)
    for (const { lifeContext, text } of definition.frames) {
      const shortQuestions = questions.filter(
        ({ valuesBridgeConfig }) => valuesBridgeConfig.valueId === id && valuesBridgeConfig.lifeContext === lifeContext,
      );
      const statements = [items[0], items[3]].map((item) => text.replace("{predicate}", item?.predicate ?? ""));
      expect(shortQuestions.map(({ prompt }) => prompt).toSorted()).toEqual(statements.toSorted());
    }
});
