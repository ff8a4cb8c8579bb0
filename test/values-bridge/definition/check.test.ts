// What a check of a definition finds, how it says so, and that it withstands any input.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkDefinition, parseDefinition } from "../../../src/products/values-bridge/definition/check/check.ts";
import { compileShapeCheck } from "../../../src/products/values-bridge/definition/check/shape.ts";
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import { arrangeQuestions, scoringModel } from "../../../src/products/values-bridge/definition/questions.ts";
import valuesBridge from "../../../src/products/values-bridge/definition/values-bridge.json" with { type: "json" };
import { compileScoring } from "../../../src/products/values-bridge/scoring/score.ts";
import { changed, largestDefinition, soundDefinition } from "../../support/values-bridge/definition.ts";
import { definitionFaults } from "./faults.ts";

const checkShape = compileShapeCheck();

describe("sound definitions", () => {
  test("a sound definition has no fault and is returned as it is", () => {
    expect(parseDefinition(soundDefinition())).toEqual({ definition: soundDefinition() });
  });

  test("a sound definition may be as large as the limits", () => {
    expect(checkDefinition(largestDefinition())).toEqual([]);
  });

  test("the built-in assessment is a sound definition", () => {
    expect(checkDefinition(valuesBridge)).toEqual([]);
  });

  test("a sound definition may name its schema, list archetypes in any order, end above 100, need all values and weigh with three decimals", () => {
    const freedoms = changed(soundDefinition(), {
      "/$schema": "x.json",
      "/archetypes": soundDefinition().archetypes.toReversed(),
      "/archetypes/0/gapBelow": 100.01,
      "/scoring/minBaselineValues": 5,
      "/values/0/items/0/weight": 99.999,
      "/values/1/items/0/weight": 1.005,
    });
    expect(checkDefinition(freedoms)).toEqual([]);
  });
});

test.each(definitionFaults)("the change %j is one fault and nothing else: %s", (changes, fault) => {
  const found = checkDefinition(changed(soundDefinition(), changes), checkShape);
  expect(found.map(({ pointer, code, message }) => `${pointer} ${code} ${message}`)).toEqual([fault]);
});

describe("definitions with many faults", () => {
  test("all faults are found at once, each in its own words", () => {
    const broken = changed(soundDefinition(), {
      "/product": "Small",
      "/scale/max": 7,
      "/frames/0/text": "In the life I want",
      "/values/0/items/0/weight": "1",
      "/values/1/items/1/inverse": false,
      "/values/2/name": undefined,
      "/values/3/items/0/weight": 0.0001,
      "/pairings/0/id": 103,
      "/archetypes/2/gapFrom": 30,
      "/scoring/tiers/1/share": [1, 1, 1],
    });
    expect(checkDefinition(broken).map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
      "#/product Product must be 1 to 63 lower-case letters, digits and hyphens, and start with a letter",
      "#/values/0/items/0/weight Weight must be a number, not '1'",
      "#/values/2/name Name is missing",
      "#/scoring/tiers/1/share Share must have exactly 2 entries, not 3",
      "#/scale/labels Ratings from 1 to 7 need 7 labels, not 5",
      "#/frames/0/text Text must hold {predicate} exactly once, not 0 times",
      "#/values/1/items Value 'Daring' has no inverse item",
      "#/values/3/items/0/weight Weight 0.0001 has more than 3 decimals",
      "#/pairings/1/id A pairing before this one has the id 103 too",
      "#/archetypes No archetype covers gaps from 20 to 30 with direction focused",
    ]);
  });

  test("the list of faults ends after 200", () => {
    const items = Array.from({ length: 100 }, () => ({}));
    expect(checkDefinition(changed(soundDefinition(), { "/values/0/items": items }))).toHaveLength(200);
  });

  test("no fault is claimed on partial knowledge of keys, names, value ids, kinds of pairings or bands", () => {
    const isHarmony = ({ kind }: { kind: string }) => kind === "harmony";
    const broken = changed(soundDefinition(), {
      "/values/0/items/1/inverse": "yes",
      "/values/1/name": undefined,
      "/values/2/name": undefined,
      "/values/4/id": "5",
      "/pairings": soundDefinition().pairings.filter(isHarmony),
      "/pairings/0/kind": "apart",
      "/archetypes/0/gapBelow": "20",
    });
    expect(checkDefinition(broken).map((fault) => fault.pointer)).toEqual([
      "#/values/0/items/1/inverse",
      "#/values/1/name",
      "#/values/2/name",
      "#/values/4/id",
      "#/pairings/0/kind",
      "#/archetypes/0/gapBelow",
    ]);
  });

  test("too many questions in total are one of the faults", () => {
    const large = largestDefinition();
    const values = large.values.map((value) => ({
      ...value,
      items: [...value.items, { predicate: `I end with ${value.name}`, inverse: false, weight: 1 }],
    }));
    expect(checkDefinition({ ...large, values })).toEqual([
      {
        pointer: "#/values",
        code: "too_many_questions",
        message: "There are 1188 questions (2 for each item); 999 is the most",
      },
    ]);
  });
});

describe("definitions from any input", () => {
  test("an input that is not an object is one fault", () => {
    const kinds: [unknown, string][] = [
      [null, "null"],
      [[], "a list"],
      ["x", "'x'"],
      [true, "true"],
      [undefined, "undefined"],
    ];
    for (const [input, found] of kinds) {
      const message = `Definition must be an object, not ${found}`;
      expect(checkDefinition(input, checkShape)).toEqual([{ pointer: "#", code: "wrong_type", message }]);
    }
  });

  test("an input without members lacks each one", () => {
    expect(checkDefinition({}).map((fault) => fault.message)).toEqual(
      ["Product", "Title", "Language", "Scale", "Frames", "Values", "Order", "Pairings", "Archetypes"]
        .concat("Unresolved archetype", "Scoring")
        .map((member) => `${member} is missing`),
    );
  });

  test("an input of excessive depth or size is refused with one fault", () => {
    let deep: unknown = [];
    for (let depth = 0; depth < 300_000; depth += 1) deep = [deep];
    const tooLarge = [deep, { values: Array(300_000).fill({ id: 1 }) }, { title: "x".repeat(3_000_000) }];
    for (const input of tooLarge) {
      expect(checkDefinition(input, checkShape)).toEqual([
        {
          pointer: "#",
          code: "too_large",
          message: "Definition is too large: it has more than 250000 members or 2000000 characters",
        },
      ]);
    }
  });

  test("an input just within the size limits is checked to the end", () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 240_000; depth += 1) deep = [deep];
    const title = `x ${"y ".repeat(900_000)}`;
    const pointers = checkDefinition(changed(soundDefinition(), { "/scoring/minItems": deep, "/title": title }));
    expect(pointers.map((fault) => fault.message)).toEqual([
      "Title must have 1 to 200 characters, not 1800002",
      "Min items must be a whole number, not a list",
    ]);
  });

  test("a quoted input cannot control or flood a terminal, and has an RFC 6901 fragment as its pointer", () => {
    const name = `\u001b[2J~/"${"é".repeat(100)}\ud800`;
    const [fault] = checkDefinition(changed({ ...soundDefinition(), [name]: 1 }, { "/frames/0/lifeContext": "ideal" }));
    expect(fault?.pointer).toBe(`#/%1B%5B2J~0~1%22${"%C3%A9".repeat(100)}%EF%BF%BD`);
    expect(fault?.message).toContain(`Definition has no member '\\u{1b}[2J~/"${"é".repeat(52)}…'; known are $schema,`);
  });

  test("a definition with random changes never throws, and scores if it is accepted", () => {
    let accepted = 0;
    const check = fc.property(fc.array(randomChange(), { minLength: 1, maxLength: 2 }), (changes) => {
      const input = JSON.parse(JSON.stringify(changed(soundDefinition(), Object.fromEntries(changes))));
      const parsed = parseDefinition(input, checkShape);
      if ("definition" in parsed) {
        accepted += 1;
        expectToScore(parsed.definition);
      } else {
        expect(parsed.faults.length).toBeGreaterThan(0);
      }
    });
    fc.assert(check, { numRuns: 1000 });
    expect(accepted).toBeGreaterThan(30);
  });
});

/** A pointer into the sound definition and new content: JSON of every kind, a likely number or text, or what stands elsewhere. */
function randomChange(): fc.Arbitrary<[string, unknown]> {
  const places = placesIn(soundDefinition());
  const content = fc.oneof(
    fc.constant(undefined),
    fc.jsonValue(),
    fc.integer({ min: -1, max: 260 }),
    fc.double({ min: 0, max: 1 }),
    fc.string(),
    fc.constantFrom(...places).map(([, elsewhere]) => elsewhere),
  );
  const numbers = places.filter(([, found]) => typeof found === "number");
  return fc.oneof(
    fc.tuple(fc.constantFrom(...places.map(([pointer]) => pointer)), content),
    fc.tuple(fc.constantFrom(...numbers.map(([pointer]) => pointer)), fc.integer({ min: 1, max: 99 })),
    fc.tuple(fc.constantFrom(...numbers.map(([pointer]) => pointer)), fc.double({ min: 0, max: 1 })),
  );
}

function placesIn(json: unknown, pointer = ""): [string, unknown][] {
  if (typeof json !== "object" || json === null) return [[pointer, json]];
  const inside = Object.entries(json).flatMap(([name, content]) => placesIn(content, `${pointer}/${name}`));
  return pointer === "" ? inside : [[pointer, json], ...inside];
}

/** Scores no answers, all extremes, and answers that differ, both ways. */
function expectToScore(definition: Definition): void {
  const questions = arrangeQuestions(definition, 1);
  const scorer = compileScoring(scoringModel(definition, questions));
  const { min, max } = definition.scale;
  const patterns = [() => null, () => min, () => max, (index: number) => min + (index % (max - min + 1))];
  for (const pattern of patterns) {
    const answers = questions.map((_, index) => pattern(index));
    expect(scorer.score(answers).values).toHaveLength(definition.values.length);
    scorer.explain(answers);
  }
}
