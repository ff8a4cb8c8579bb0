// A small sound assessment definition, 5 values with 2 items each, and a way to change it.
import type { Definition, ValueDefinition } from "../../../src/products/values-bridge/definition/definition.ts";
import type { Pairing } from "../../../src/products/values-bridge/scoring/model.ts";

const sampleNames = ["Calm", "Daring", "Order", "Kinship", "Craft"];

/** A fresh definition without a fault; its values are Calm 1, Daring 2, Order 3, Kinship 4, Craft 5. */
export function soundDefinition(): Definition {
  return {
    product: "small-example",
    title: "A small example",
    language: "en",
    scale: { type: "likert", min: 1, max: 5, labels: ["Not", "Barely", "Partly", "Mostly", "Fully"] },
    frames: [
      { lifeContext: "ideal", text: "In the life I want, {predicate}." },
      { lifeContext: "current", text: "In my life today, {predicate}." },
    ],
    values: sampleNames.map((name, index) => valueNamed(name, index + 1)),
    order: { valueStride: 2, roundStride: 1 },
    pairings: pairingsOf(sampleNames.length),
    archetypes: [
      { id: 1, name: "Near", gapFrom: 0, gapBelow: 20, direction: "focused", summary: "Close, one way." },
      { id: 2, name: "Woven", gapFrom: 0, gapBelow: 20, direction: "plural", summary: "Close, many ways." },
      { id: 3, name: "Bound", gapFrom: 20, gapBelow: null, direction: "focused", summary: "Far, one way." },
      { id: 4, name: "Adrift", gapFrom: 20, gapBelow: null, direction: "plural", summary: "Far, many ways." },
    ],
    unresolvedArchetype: { id: 5, name: "Open", summary: "Too few answers." },
    scoring: {
      model: "values-bridge-scoring",
      version: 1,
      weightScale: 1000,
      minItems: 1,
      minCoverage: 0.5,
      minBaselineValues: 3,
      minGapValues: 3,
      importanceFloor: 0.5,
      priorityGain: 1.5,
      decimals: 2,
      tiers: [
        { name: "core", share: [1, 2] },
        { name: "other", share: [2, 2] },
      ],
      unranked: "unranked",
      focusThreshold: 12,
    },
  };
}

/** The small definition with translations into German and into Arabic, for what is written from right to left. */
export function translatedDefinition(): Definition {
  const { values, ...rest } = soundDefinition();
  const translated = (names: readonly string[], goal: string, predicates: (name: string) => string[]) =>
    values.map(({ id, name }, index) => ({
      id,
      name: names[index] ?? "",
      goal: `${goal} ${id}.`,
      predicates: predicates(name),
    }));
  return {
    ...rest,
    values,
    translations: [
      {
        language: "de",
        title: "Ein kleines Beispiel",
        labels: ["Gar nicht", "Kaum", "Teilweise", "Überwiegend", "Völlig"],
        frames: [
          { lifeContext: "current", text: "In meinem Leben heute {predicate}." },
          { lifeContext: "ideal", text: "In dem Leben, das ich will, {predicate}." },
        ],
        values: translated(
          ["Ruhe", "Wagemut", "Ordnung", "Nähe", "Handwerk"],
          "Ein Leben mit dem Wert Nummer",
          (name) => [`habe ich Raum für ${name}`, `komme ich ohne ${name} aus`],
        ),
        archetypes: [
          { id: 1, name: "Nah", summary: "Nah, in einer Richtung." },
          { id: 2, name: "Gewebt", summary: "Nah, in vielen Richtungen." },
          { id: 3, name: "Unterwegs", summary: "Fern, in einer Richtung." },
          { id: 4, name: "Treibend", summary: "Fern, in vielen Richtungen." },
        ],
        unresolvedArchetype: { name: "Offen", summary: "Zu wenige Antworten." },
      },
      {
        language: "ar",
        title: "مثال صغير",
        labels: ["لا", "بالكاد", "جزئيا", "غالبا", "تماما"],
        frames: [
          { lifeContext: "ideal", text: "في الحياة التي أريدها، {predicate}." },
          { lifeContext: "current", text: "في حياتي اليوم، {predicate}." },
        ],
        values: translated(["الهدوء", "الجرأة", "النظام", "القرابة", "الحرفة"], "حياة مع القيمة رقم", (name) => [
          `أفسح مجالا لـ ${name}`,
          `أستغني عن ${name}`,
        ]),
        archetypes: [
          { id: 1, name: "قريب", summary: "قريب في اتجاه واحد." },
          { id: 2, name: "منسوج", summary: "قريب في اتجاهات كثيرة." },
          { id: 3, name: "في الطريق", summary: "بعيد في اتجاه واحد." },
          { id: 4, name: "تائه", summary: "بعيد في اتجاهات كثيرة." },
        ],
        unresolvedArchetype: { name: "مفتوح", summary: "إجابات قليلة." },
      },
    ],
  };
}

/** A sound definition as large as the limits allow: 30 values with 16 items, 960 questions, every pair of values. */
export function largestDefinition(): Definition {
  const small = soundDefinition();
  const values = Array.from({ length: 30 }, (_, index) => valueNamed(`Value ${index + 1}`, index + 1)).map((value) => ({
    ...value,
    items: [
      ...value.items,
      ...Array.from({ length: 14 }, (_, way) => ({
        predicate: `I show ${value.name} in way ${way}`,
        inverse: false,
        weight: 1,
      })),
    ],
  }));
  return { ...small, values, pairings: pairingsOf(30), order: { ...small.order, valueStride: 7 } };
}

/** The largest definition with the longest texts that the limits allow, of letters that take four bytes each. */
export function wordiestDefinition(): Definition {
  const large = largestDefinition();
  const letters = (count: number) => "𝔸".repeat(count);
  return {
    ...large,
    scale: { ...large.scale, labels: large.scale.labels.map((_, index) => letters(199) + (index + 1)) },
    frames: large.frames.map((frame, index) => ({ ...frame, text: `${letters(988)}{predicate}${index}` })),
    values: large.values.map((value) => ({
      ...value,
      items: value.items.map((item, index) => ({
        ...item,
        predicate: letters(995) + String(value.id * 100 + index).padStart(5, "0"),
      })),
    })),
  };
}

/**
 * A deep copy of `json` with each pointer (`/values/3/name`) set to its new content; undefined removes the member or
 * entry. A pointer that leads nowhere changes nothing.
 */
export function changeMembers(json: unknown, changes: Readonly<Record<string, unknown>>): unknown {
  const copy: unknown = structuredClone(json);
  for (const [pointer, content] of Object.entries(changes)) {
    const path = pointer.split("/").slice(1);
    const last = path.pop();
    const holder = path.reduce<unknown>((at, name) => (isHolder(at) ? at[name] : undefined), copy);
    if (!isHolder(holder) || last === undefined) continue;
    if (content !== undefined) holder[last] = content;
    else if (Array.isArray(holder)) holder.splice(Number(last), 1);
    else delete holder[last];
  }
  return copy;
}

function isHolder(json: unknown): json is Record<string, unknown> {
  return typeof json === "object" && json !== null;
}

function valueNamed(name: string, id: number): ValueDefinition {
  return {
    id,
    name,
    goal: `Living with ${name}.`,
    items: [
      { predicate: `I make room for ${name}`, inverse: false, weight: 1 },
      { predicate: `I gladly do without ${name}`, inverse: true, weight: 0.125 },
    ],
  };
}

/** Every pair of values 1..size: neighbours on the circle in harmony, all others in conflict. */
function pairingsOf(size: number): Pairing[] {
  const ids = Array.from({ length: size }, (_, index) => index + 1);
  return ids.flatMap((a) =>
    ids.slice(a).map((b): Pairing => {
      const neighbours = b - a === 1 || b - a === size - 1;
      return { id: 100 * a + b, values: [a, b], kind: neighbours ? "harmony" : "conflict", kappa: 0.9 };
    }),
  );
}
