// What a check of a definition finds, how it says so, and that it withstands any input.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import { arrangeQuestions, toScoringModel } from "../../../src/products/values-bridge/definition/questions.ts";
import valuesBridge from "../../../src/products/values-bridge/definition/values-bridge.json" with { type: "json" };
import { compileScoring } from "../../../src/products/values-bridge/scoring/score.ts";
import { changeMembers, largestDefinition, soundDefinition } from "../../support/values-bridge/definition.ts";
import { check, definitionFaults, findFaults } from "./faults.ts";

test("a sound definition has no fault and is returned as it is", () => {
  expect(check(soundDefinition())).toEqual({ definition: soundDefinition() });
});

test("a sound definition may be as large as the limits", () => {
  expect(findFaults(largestDefinition())).toEqual([]);
});

test("the built-in assessment is a sound definition", () => {
  expect(findFaults(valuesBridge)).toEqual([]);
});

test("a sound definition may name its schema, list archetypes in any order, end above 100, need all values and weigh with three decimals", () => {
  const freedoms = changeMembers(soundDefinition(), {
    "/$schema": "x.json",
    "/archetypes": soundDefinition().archetypes.toReversed(),
    "/archetypes/0/gapBelow": 100.01,
    "/scoring/minBaselineValues": 5,
    "/values/0/items/0/weight": 99.999,
    "/values/1/items/0/weight": 1.005,
  });
  expect(findFaults(freedoms)).toEqual([]);
});

test.each(definitionFaults)("the change $changes is these faults and nothing else: $faults", ({ changes, faults }) => {
  expect(findFaults(changeMembers(soundDefinition(), changes))).toEqual(faults);
});

test("all faults of the schema are found at once", () => {
  const broken = changeMembers(soundDefinition(), {
    "/product": "Small",
    "/frames/0/text": "In the life I want",
    "/values/0/items/0/weight": "1",
    "/values/2/name": undefined,
    "/values/3/items/0/weight": 0.0001,
    "/scoring/tiers/1/share": [1, 1, 1],
  });
  expect(findFaults(broken)).toEqual([
    "#/product must be 1 to 63 lower-case letters, digits and hyphens, start with a letter, and not be audit, events, test or webhook-endpoints",
    "#/frames/0/text must hold {predicate} exactly once",
    "#/values/0/items/0/weight must be number",
    "#/values/2 must have required property 'name'",
    "#/values/3/items/0/weight must be multiple of 0.001",
    "#/scoring/tiers/1/share must NOT have more than 2 items",
  ]);
});

test("all faults of the rules are found at once, where the schema holds", () => {
  const broken = changeMembers(soundDefinition(), {
    "/scale/max": 7,
    "/values/1/items/1/inverse": false,
    "/pairings/0/id": 103,
    "/archetypes/2/gapFrom": 30,
  });
  expect(findFaults(broken)).toEqual([
    "#/scale/labels must be 7 labels, one for each rating",
    "#/pairings/1/id must not be the same as #/pairings/0/id",
    "#/values/1/items must have an inverse and a forward one among the items",
    "#/archetypes/2/gapFrom must be where the focused archetype before ends, 20",
  ]);
});

test("a short form of some values, or of unlike statements, is a fault", () => {
  const broken = changeMembers(soundDefinition(), {
    "/values/0/items/0/short": true,
    "/values/0/items/1/short": true,
    "/values/1/items/0/short": true,
  });
  const rest = [2, 3, 4].flatMap((index) => [
    `#/values/${index}/items must be as many items of the short form as those of the first value, 2`,
    `#/values/${index}/items must have an inverse and a forward one among the items of the short form`,
    `#/values/${index}/items must have one with a weight above 0 among the items of the short form`,
  ]);
  expect(findFaults(broken)).toEqual([
    "#/values/1/items must be as many items of the short form as those of the first value, 2",
    "#/values/1/items must have an inverse and a forward one among the items of the short form",
    ...rest,
  ]);
});

test("the list of faults ends after 200", () => {
  const items = Array.from({ length: 100 }, () => ({}));
  expect(findFaults(changeMembers(soundDefinition(), { "/values/0/items": items }))).toHaveLength(200);
});

test("too many questions in total are one of the faults", () => {
  const large = largestDefinition();
  const values = large.values.map((value) => ({
    ...value,
    items: [...value.items, { predicate: `I end with ${value.name}`, inverse: false, weight: 1 }],
  }));
  expect(findFaults({ ...large, values })).toEqual(["#/values must make at most 999 questions, not 1020"]);
});

test.each([null, [], "x", true, undefined])("the input %j, which is no object, is one fault", (input) => {
  expect(findFaults(input)).toEqual(["# must be object"]);
});

test("an input without members lacks each one", () => {
  expect(findFaults({})).toEqual(
    ["product", "title", "language", "scale", "frames", "values", "order", "pairings", "archetypes"]
      .concat("unresolvedArchetype", "scoring")
      .map((member) => `# must have required property '${member}'`),
  );
});

test("an input of excessive depth or size is refused with one fault", () => {
  let deep: unknown = [];
  for (let depth = 0; depth < 300_000; depth += 1) deep = [deep];
  for (const input of [deep, { values: Array(300_000).fill({ id: 1 }) }]) {
    expect(findFaults(input)).toEqual(["# must have at most 250000 members"]);
  }
});

test("an input just within the size limit is checked to the end", () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 240_000; depth += 1) deep = [deep];
  const title = `x ${"y ".repeat(900_000)}`;
  expect(findFaults(changeMembers(soundDefinition(), { "/scoring/minItems": deep, "/title": title }))).toEqual([
    "#/title must be one line without white space at its ends or control characters",
    "#/title must NOT have more than 200 characters",
    "#/scoring/minItems must be integer",
  ]);
});

test("the name of an unknown member cannot control a terminal: it is in an RFC 6901 fragment", () => {
  const name = '\u001b[2J~/"é\ud800';
  expect(findFaults({ ...soundDefinition(), [name]: 1 })).toEqual([
    "#/%1B%5B2J~0~1%22%C3%A9%EF%BF%BD is no member here",
  ]);
});

test("a definition with random changes never throws, and scores if it is accepted", () => {
  let accepted = 0;
  const property = fc.property(fc.array(randomChange(), { minLength: 1, maxLength: 2 }), (changes) => {
    const input = JSON.parse(JSON.stringify(changeMembers(soundDefinition(), Object.fromEntries(changes))));
    const parsed = check(input);
    if ("definition" in parsed) {
      accepted += 1;
      expectToScore(parsed.definition);
    } else {
      expect(parsed.faults.length).toBeGreaterThan(0);
    }
  });
  fc.assert(property, { numRuns: 1000 });
  expect(accepted).toBeGreaterThan(30);
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
  const scorer = compileScoring(toScoringModel(definition, questions));
  const { min, max } = definition.scale;
  const patterns = [() => null, () => min, () => max, (index: number) => min + (index % (max - min + 1))];
  for (const pattern of patterns) {
    const answers = questions.map((_, index) => pattern(index));
    expect(scorer.score(answers).values).toHaveLength(definition.values.length);
    scorer.explain(answers);
  }
}
