// The sections after the summary: picture, differences, questions, and how to read the report.
import type { Flag } from "../../quality/quality.ts";
import type {
  LegendMark,
  ReportDifferences,
  ReportGroup,
  ReportList,
  ReportPicture,
  ReportValue,
} from "../report-model.ts";
import { type ReportTexts, roundToTenths } from "../words/language.ts";
import { findPortrait } from "../words/portraits.ts";
import { writeOthers } from "./comparisons.ts";
import { findDirections } from "./directions.ts";
import type { ReportContext, ValueFacts } from "./facts.ts";
import { listStrongPairs } from "./pairs.ts";
import { minNamedSteps } from "./rules.ts";

/** The groups in their order, with their titles. */
const groups: readonly (readonly [ReportGroup, keyof ReportTexts & `group${string}`])[] = [
  ["wantMore", "groupWantMore"],
  ["liveMore", "groupLiveMore"],
  ["asWanted", "groupAsWanted"],
  ["unsorted", "groupUnsorted"],
  ["tooFewAnswers", "groupTooFewAnswers"],
];

/** The groups that have values, with their values in order. */
export function arrangeGroups({ facts, language: { texts } }: ReportContext): ReportDifferences["groups"] {
  const inOrder = facts.sortable ? compareSize : () => 0;
  return groups.flatMap(([group, title]) => {
    const values = facts.values.filter((value) => value.group === group).sort(inOrder);
    return values.length === 0 ? [] : [{ group, title: texts[title], valueIds: values.map(({ valueId }) => valueId) }];
  });
}

/** Orders by the difference as readers see it, the largest first, then by the life wanted. */
export function compareSize(one: ValueFacts, other: ValueFacts): number {
  const size = ({ gap }: ValueFacts) => Math.abs(gap?.steps ?? 0);
  return roundShownSteps(other) - roundShownSteps(one) || size(other) - size(one) || compareCircleOrder(one, other);
}

/** The size of a difference as the rounded averages show it, 0 or more. */
export function roundShownSteps({ ideal, current, gap }: ValueFacts): number {
  if (ideal.average === null || current.average === null) return Math.abs(gap?.steps ?? 0);
  return roundToTenths(Math.abs(roundToTenths(ideal.average) - roundToTenths(current.average)));
}

/** Orders by rank in the life wanted. */
export function compareCircleOrder(one: ValueFacts, other: ValueFacts): number {
  const place = ({ ideal }: ValueFacts) => ideal.displayRank ?? Number.MAX_SAFE_INTEGER;
  return place(one) - place(other);
}

/** The table of all values. */
export function writeDifferences(context: ReportContext): ReportDifferences {
  const { facts, language } = context;
  const { texts, say, formatStepCount } = language;
  const sortNote = facts.quality === null ? texts.differencesNote : texts.differencesCertain;
  return {
    title: texts.differencesTitle,
    note: facts.sortable ? say(sortNote, { steps: formatStepCount(minNamedSteps) }) : texts.differencesUnsorted,
    columns: { value: texts.columnValue, picture: texts.columnPicture, difference: texts.columnDifference },
    groups: arrangeGroups(context),
  };
}

/** Words around the circle. @param values in the order of the circle */
export function writePicture(context: ReportContext, values: readonly ReportValue[]): ReportPicture {
  const { words, language } = context;
  const { texts, say } = language;
  const ends = say(texts.circleEnds, { lowest: words.lowest.text, highest: words.highest.text });
  const marks: readonly (readonly [LegendMark, string, boolean])[] = [
    ["wanted", texts.legendWanted, true],
    ["today", texts.legendToday, true],
    ["room", texts.legendRoom, true],
    ["over", texts.legendOver, true],
    ["error", texts.legendError, values.some(({ ideal }) => ideal.interval !== null)],
    ["missing", texts.legendMissing, values.some(({ gap }) => gap === null)],
  ];
  return {
    title: texts.circleTitle,
    introduction: texts.circleIntroduction,
    description: describeCircle(context, values),
    notes: [
      ends,
      ...(values.some(({ mostWanted }) => mostWanted) ? [texts.circleBold] : []),
      ...(values.some(({ gap }) => gap?.named === false) ? [texts.circlePale] : []),
    ],
    legend: marks.flatMap(([mark, text, isShown]) => (isShown ? [{ mark, text }] : [])),
    directions: findDirections(context),
  };
}

/** All values by group, with what differs. */
function describeCircle(context: ReportContext, values: readonly ReportValue[]): string {
  const { texts, say, formatList } = context.language;
  const byId = new Map(values.map((value) => [value.valueId, value]));
  const sentences = arrangeGroups(context).map(({ title, valueIds }) => {
    const groupValues = valueIds.flatMap((id) => byId.get(id) ?? []);
    const names = groupValues.map(({ name, difference }) =>
      difference === null ? name.text : `${name.text} (${difference})`,
    );
    return `${title}${texts.colon}${formatList(names)}.`;
  });
  return [say(texts.circleDescription, { count: values.length }), ...sentences].join(" ");
}

/**
 * Questions about the largest gap each way and the strongest conflict; null if there are none. A gap has its portrait, unless
 * the report has that above.
 */
export function writeQuestions(context: ReportContext): ReportList | null {
  const { facts, words, language, input } = context;
  const { texts, say } = language;
  if (facts.noDifferencesReason !== null) return null;
  const valueName = (id: number) => words.findValueName(id).text;
  const largest = (group: ReportGroup, question: string) =>
    facts.values
      .filter((value) => value.group === group)
      .sort(compareSize)
      .slice(0, 1)
      .map((value) => {
        const name = valueName(value.valueId);
        const portrait = value.leading ? null : findPortrait(input.definition, value, language.tag);
        if (portrait === null) return say(question, { value: name });
        return `${name}${texts.colon}${portrait.high} ${portrait.cost} ${portrait.question}`;
      });
  const entries = [
    ...largest("wantMore", texts.questionMore),
    ...largest("liveMore", texts.questionLess),
    ...listStrongPairs(facts, "conflict")
      .slice(0, 1)
      .map(({ values: [one, other] }) => say(texts.questionConflict, { one: valueName(one), other: valueName(other) })),
  ];
  return entries.length === 0 ? null : { title: texts.questionsTitle, entries };
}

/** The limits of reports. */
export function writeReading(context: ReportContext): ReportList {
  const { facts, input, language } = context;
  const { texts, say } = language;
  const { min, max } = input.definition.scale;
  const entries = [
    writeOthers(context) === null ? texts.readingOwn : say(texts.readingOthers, { title: texts.othersTitle }),
    texts.readingChance,
    ...(facts.quality?.response.grade === "caution"
      ? [[...writeFlagSentences(context), texts.readingCaution].join(" ")]
      : []),
    say(texts.readingNumbers, { min, max }),
    texts.readingWorth,
    texts.readingDecisions,
  ];
  return { title: texts.readingTitle, entries };
}

type FlagText = keyof ReportTexts & `flag${string}`;

const flagTexts: Readonly<Record<Flag["index"], Readonly<Record<Flag["level"], FlagText>>>> = {
  longestRun: { warn: "flagLongestRun", fail: "flagLongestRun" },
  spread: { warn: "flagSpread", fail: "flagSpread" },
  opposites: { warn: "flagOpposites", fail: "flagOpposites" },
  consistency: { warn: "flagConsistency", fail: "flagConsistency" },
  secondBlock: { warn: "flagSecondBlock", fail: "flagSecondBlock" },
  speed: { warn: "flagSpeed", fail: "flagSpeedFail" },
};

/** The sentences of flags, in their order, or that answers are too few for a good grade. None without quality. */
export function writeFlagSentences({
  facts: { quality },
  language: { texts, say, formatDecimal },
}: ReportContext): string[] {
  if (quality === null) return [];
  const { flags, grade, longestRun, secondsPerAnswer } = quality.response;
  if (flags.length === 0 && grade !== "good") return [`${texts.groupTooFewAnswers}.`];
  const parameters = { count: longestRun, seconds: formatDecimal(secondsPerAnswer ?? 0) };
  return flags.map(({ index, level }) => say(texts[flagTexts[index][level]], parameters));
}
