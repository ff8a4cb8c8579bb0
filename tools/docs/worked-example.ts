// The worked example: the small assessment of docs/example, recomputed line by line from its explanation.
import { readFileSync } from "node:fs";
import { openAssessment } from "../../src/domain/assessments/published-assessment.ts";
import { mergeAnswers } from "../../src/domain/sessions/answers.ts";
import { QuestionType } from "../../src/gen/assessment/v1/assessment_pb.ts";
import type { Definition } from "../../src/products/values-bridge/definition/definition.ts";
import type {
  ContextExplanation,
  Explanation,
  PairingKind,
  PairingTotal,
  Results,
  ValueExplanation,
} from "../../src/products/values-bridge/scoring/shapes.ts";
import { createValuesBridge } from "../../src/products/values-bridge/values-bridge.ts";
import { fenced, table } from "./markdown.ts";

const lives = ["ideal", "current"] as const;

interface Example {
  readonly definition: Definition;
  readonly results: Results;
  readonly explanation: Explanation;
  readonly nameOf: (valueId: number) => string;
}

/** The parts of the page that the example fills. */
export function workedExample(): Record<string, string> {
  const example = readExample();
  const { results, explanation } = example;
  return {
    "example-items": itemTable(example),
    "example-scores": lines(
      explanation.values.flatMap((value) => lives.map((life) => scoreLine(example, value, life))),
    ),
    "example-ranks": rankTable(example),
    "example-gaps": lines(gapLines(example)),
    "example-priorities": lines(priorityLines(example)),
    "example-pairings": lines(pairingLines(example)),
    "example-archetype": lines(archetypeLines(example)),
    "example-results": fenced("json", compactJson(results)),
    "example-excerpt": fenced("json", compactJson(explanation.values[0]?.ideal)),
  };
}

function readExample(): Example {
  const definition: Definition = JSON.parse(readFileSync("docs/example/assessment.json", "utf8"));
  const { answers }: { answers: { questionId: number; response: { value: number } }[] } = JSON.parse(
    readFileSync("docs/example/answers.json", "utf8"),
  );
  const storedAssessment = { id: 1, product: definition.product, version: 1, definition, publishedAt: new Date(0) };
  const assessment = openAssessment(createValuesBridge(), storedAssessment);
  const givenAnswers = answers.map(({ questionId, response: { value } }) => ({
    questionId,
    response: { type: QuestionType.LIKERT, value },
  }));
  const { ratings } = mergeAnswers([], givenAnswers, assessment);
  const results = assessment.scorer.score(ratings);
  const findName = (valueId: number) => definition.values.find(({ id }) => id === valueId)?.name ?? String(valueId);
  return { definition, results, explanation: assessment.scorer.explain(ratings), nameOf: findName };
}

function itemTable({ explanation, nameOf }: Example): string {
  const rows = explanation.values.flatMap((value) =>
    lives.flatMap((life) =>
      value[life].items.map(({ questionId, inverse, weight, answer, keyed, min, max }) => [
        questionId,
        nameOf(value.valueId),
        life,
        inverse ? "inverse" : "forward",
        weight,
        answer ?? "–",
        answer === null ? "–" : `${inverse ? `${max} − ${answer}` : `${answer} − ${min}`} = ${keyed}`,
      ]),
    ),
  );
  return table(["Question", "Value", "Life", "Key", "Weight", "Answer", "Keyed"], rows);
}

function scoreLine({ nameOf }: Example, value: ValueExplanation, life: (typeof lives)[number]): string {
  const { items, numerator, denominator, score, answeredItems, countedItems }: ContextExplanation = value[life];
  const name = `score(${nameOf(value.valueId)}, ${life})`;
  if (score === null) return `${name}: null, since ${answeredItems} of ${countedItems} items is answered`;
  const terms = (points: (item: (typeof items)[number]) => number) =>
    items.flatMap((item) => (item.answer === null ? [] : `${item.weight} × ${points(item)}`)).join(" + ");
  const quotient = `(${terms(({ keyed }) => keyed ?? 0)}) / (${terms(({ min, max }) => max - min)})`;
  return `${name} = ${quotient} = ${numerator} / ${denominator} = ${toText(score)}`;
}

function rankTable({ explanation, nameOf }: Example): string {
  const rows = lives.flatMap((life) =>
    explanation.values.map(({ valueId, neighbours, ...value }) => {
      const { score, neighbourMean, sharedRank, displayRank, tier } = value[life];
      const beside = neighbours.map(nameOf).join(", ");
      return [life, nameOf(valueId), ...[score, neighbourMean].map(toText), beside, sharedRank, displayRank, tier].map(
        (cell) => cell ?? "null",
      );
    }),
  );
  const head = ["Life", "Value", "score", "neighbourMean", "Neighbours", "sharedRank", "displayRank", "tier"];
  return table(head, rows);
}

function gapLines({ explanation: { values, totalGap, constants }, nameOf }: Example): string[] {
  const gaps = values.flatMap(({ valueId, ideal, current, gap }) =>
    gap === null ? [] : [{ ...gap, name: nameOf(valueId), ideal: ideal.score, current: current.score }],
  );
  if (totalGap === null) throw new Error("the example has a total gap");
  const weightSum = toText(totalGap.weightSum);
  const part = (pick: (gap: number) => boolean) =>
    gaps.flatMap(({ gap, weight }) => (pick(gap) ? `${toText(weight)} × |${toText(gap)}|` : [])).join(" + ");
  return [
    ...gaps.map(
      ({ name, ideal, current, gap, reported }) =>
        `gap(${name}) = 100 × (${toText(ideal)} − ${toText(current)}) = ${toText(gap)} → ${reported}`,
    ),
    ...gaps.map(
      ({ name, ideal, weight }) =>
        `weight(${name}) = ${constants.importanceFloor} + ${toText(ideal)} = ${toText(weight)}`,
    ),
    "",
    `weightSum = ${gaps.map(({ weight }) => toText(weight)).join(" + ")} = ${weightSum}`,
    `weightedSum = ${part(() => true)} = ${toText(totalGap.weightedSum)}`,
    `total = ${toText(totalGap.weightedSum)} / ${weightSum} = ${toText(totalGap.total)} → ${totalGap.reported}`,
    `short = (${part((gap) => gap > 0)}) / ${weightSum} = ${toText(totalGap.short)}`,
    `over = (${part((gap) => gap < 0)}) / ${weightSum} = ${toText(totalGap.over)}`,
  ];
}

function priorityLines({ explanation: { values, baseline, constants }, nameOf }: Example): string[] {
  const scores = values.flatMap(({ ideal: { score } }) => (score === null ? [] : toText(score)));
  const mean = toText(baseline.mean);
  return [
    `mean = (${scores.join(" + ")}) / ${baseline.scoredValues} = ${mean}`,
    ...values.map(({ valueId, ideal: { score }, priority }) => {
      const unheld = `0.5 + ${constants.priorityGain} × (${toText(score)} − ${mean})`;
      return `priority(${nameOf(valueId)}) = min(1, max(0, ${unheld})) = ${toText(priority)}`;
    }),
  ];
}

function pairingLines(example: Example): string[] {
  const { explanation, nameOf } = example;
  const { pairings, values } = explanation;
  const findPriority = (id: number) => toText(values.find(({ valueId }) => valueId === id)?.priority ?? null);
  const total = (name: string, kind: PairingKind, { numerator, denominator, total: exact, reported }: PairingTotal) => {
    const own = pairings.filter((pairing) => pairing.kind === kind);
    const sum = (term: "min" | "mean") => own.map((each) => `${each.kappa} × ${toText(each[term])}`).join(" + ");
    return [
      "",
      `${name}.numerator = ${sum("min")} = ${toText(numerator)}`,
      `${name}.denominator = ${sum("mean")} = ${toText(denominator)}`,
      `${name} = 100 × ${toText(numerator)} / ${toText(denominator)} = ${toText(exact)} → ${reported}`,
    ];
  };
  return [
    ...pairings.map(({ valuePairingId: id, values: [a, b], min }) => {
      return `min(${id}, ${nameOf(a)} with ${nameOf(b)}) = min(${findPriority(a)}, ${findPriority(b)}) = ${toText(min)}`;
    }),
    ...pairings.map(({ valuePairingId: id, values: [a, b], mean }) => {
      return `mean(${id}) = (${findPriority(a)} + ${findPriority(b)}) / 2 = ${toText(mean)}`;
    }),
    "",
    ...pairings.map(({ valuePairingId: id, min, reported }) => {
      return `scaledScore(${id}) = 100 × ${toText(min)} = ${toText(100 * (min ?? 0))} → ${reported}`;
    }),
    ...total("harmony", "harmony", explanation.harmony),
    ...total("conflict", "conflict", explanation.conflict),
  ];
}

function archetypeLines({ definition, explanation }: Example): string[] {
  const { archetype, harmony, conflict, totalGap, constants } = explanation;
  const { archetypeId, focus, gapBand, direction } = archetype;
  const name = definition.archetypes.find(({ id }) => id === archetypeId)?.name;
  const side = (focus ?? 0) >= constants.focusThreshold ? "at least" : "below";
  return [
    `focus = ${harmony.reported} − ${conflict.reported} = ${focus}`,
    `direction: ${direction}, since ${focus} is ${side} ${constants.focusThreshold}`,
    `gapBand: from ${gapBand?.from} ${gapBand?.below === null ? "without end" : `to below ${gapBand?.below}`}, which holds ${totalGap?.reported}`,
    `archetypeId: ${archetypeId}, "${name}"`,
  ];
}

function lines(texts: readonly string[]): string {
  return fenced("text", texts.join("\n"));
}

/** At most six decimals. */
function toText(value: number | null): string {
  return value === null ? "null" : String(Number(value.toFixed(6)));
}

/** JSON with one line for each object that holds no other. */
function compactJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/\{\n\s+([^{}]*?)\n\s+\}/g, (_, members: string) => {
    return `{ ${members.replace(/\n\s+/g, " ")} }`;
  });
}
