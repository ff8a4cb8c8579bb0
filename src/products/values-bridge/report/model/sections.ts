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
import type { ReportTexts } from "../words/language.ts";
import { findPortrait } from "../words/portraits.ts";
import { writeOthers } from "./comparisons.ts";
import { listGroup } from "./order.ts";
import { listStrongPairs } from "./pairs.ts";
import { minNamedSteps } from "./rules.ts";
import type { ReportWriter } from "./writer.ts";

/** The groups in their order, with their titles. */
const groups: readonly (readonly [ReportGroup, keyof ReportTexts & `group${string}`])[] = [
  ["wantMore", "groupWantMore"],
  ["liveMore", "groupLiveMore"],
  ["asWanted", "groupAsWanted"],
  ["unsorted", "groupUnsorted"],
  ["tooFewAnswers", "groupTooFewAnswers"],
];

/** The groups that have values, with their values in order. */
function arrangeGroups({ facts, texts }: ReportWriter): ReportDifferences["groups"] {
  return groups
    .map(([group, title]) => {
      return { group, title: texts[title], valueIds: listGroup(facts, group).map(({ valueId }) => valueId) };
    })
    .filter(({ valueIds }) => valueIds.length > 0);
}

/** The table of all values. */
export function writeDifferences(writer: ReportWriter): ReportDifferences {
  const { facts, texts, say, formatStepCount } = writer;
  const sortNote = facts.quality === null ? texts.differencesNote : texts.differencesCertain;
  return {
    title: texts.differencesTitle,
    note: facts.sortable ? say(sortNote, { steps: formatStepCount(minNamedSteps) }) : texts.differencesUnsorted,
    columns: { value: texts.columnValue, picture: texts.columnPicture, difference: texts.columnDifference },
    groups: arrangeGroups(writer),
  };
}

/** Words around the circle. @param values in the order of the circle */
export function writePicture(writer: ReportWriter, values: readonly ReportValue[]): ReportPicture {
  const { texts, say, translated } = writer;
  const { labels } = translated.scale;
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
    description: describeCircle(writer, values),
    notes: [
      say(texts.circleEnds, { lowest: labels.at(0) ?? "", highest: labels.at(-1) ?? "" }),
      ...(values.some(({ mostWanted }) => mostWanted) ? [texts.circleBold] : []),
      ...(values.some(({ gap }) => gap?.named === false) ? [texts.circlePale] : []),
    ],
    legend: marks.flatMap(([mark, text, isShown]) => (isShown ? [{ mark, text }] : [])),
    directions: findDirections(writer),
  };
}

/** The number of successive values in each direction, from the first on. */
const directionSizes: readonly (readonly [keyof ReportTexts & `direction${string}`, number])[] = [
  ["directionOpen", 4],
  ["directionAhead", 4],
  ["directionKeeping", 6],
  ["directionBeyond", 5],
];

/** The English names of the values that have directions, in the order of the circle. */
const shippedNames =
  "Free Thinking, Independence, Novelty, Enjoyment, Accomplishment, Influence, Material Means, Good Standing, Personal Safety, Social Stability, Heritage, Rule Respect, Consideration, Modesty, Reliability, Caring, Fairness, Nature, Acceptance";

/** The directions; none if the names of values are others. */
function findDirections({ input, texts }: ReportWriter): ReportPicture["directions"] {
  const isShipped = input.definition.values.map(({ name }) => name).join(", ") === shippedNames;
  return isShipped ? directionSizes.map(([text, values]) => ({ text: texts[text], values })) : [];
}

/** All values by group, with what differs. */
function describeCircle(writer: ReportWriter, values: readonly ReportValue[]): string {
  const { texts, say, formatList } = writer;
  const names = new Map(
    values.map(({ valueId, name, difference }) => [valueId, difference ? `${name.text} (${difference})` : name.text]),
  );
  const sentences = arrangeGroups(writer).map(
    ({ title, valueIds }) => `${title}${texts.colon}${formatList(valueIds.map((id) => names.get(id) ?? ""))}.`,
  );
  return [say(texts.circleDescription, { count: values.length }), ...sentences].join(" ");
}

/**
 * Questions about the largest gap each way and the strongest conflict; null if there are none. A gap has its portrait, unless
 * the report has that above.
 */
export function writeQuestions(writer: ReportWriter): ReportList | null {
  const { facts, input, tag, texts, say, getValueName } = writer;
  if (facts.noDifferencesReason !== null) return null;
  const askAbout = (group: ReportGroup, question: string) =>
    listGroup(facts, group)
      .slice(0, 1)
      .map((value) => {
        const name = getValueName(value.valueId);
        const portrait = value.leading ? null : findPortrait(input.definition, value, tag);
        if (portrait === null) return say(question, { value: name });
        return `${name}${texts.colon}${portrait.high} ${portrait.cost} ${portrait.question}`;
      });
  const entries = [
    ...askAbout("wantMore", texts.questionMore),
    ...askAbout("liveMore", texts.questionLess),
    ...listStrongPairs(facts, "conflict")
      .slice(0, 1)
      .map(({ values: [one, other] }) =>
        say(texts.questionConflict, { one: getValueName(one), other: getValueName(other) }),
      ),
  ];
  return entries.length === 0 ? null : { title: texts.questionsTitle, entries };
}

/** The limits of reports. */
export function writeReading(writer: ReportWriter): ReportList {
  const { facts, input, texts, say } = writer;
  const { min, max } = input.definition.scale;
  const entries = [
    writeOthers(writer) === null ? texts.readingOwn : say(texts.readingOthers, { title: texts.othersTitle }),
    texts.readingChance,
    ...(facts.quality?.response.grade === "caution"
      ? [[...writeFlagSentences(writer), texts.readingCaution].join(" ")]
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
export function writeFlagSentences({ facts: { quality }, texts, say, formatDecimal }: ReportWriter): string[] {
  if (quality === null) return [];
  const { flags, grade, longestRun, secondsPerAnswer } = quality.response;
  if (flags.length === 0 && grade !== "good") return [`${texts.groupTooFewAnswers}.`];
  const parameters = { count: longestRun, seconds: formatDecimal(secondsPerAnswer ?? 0) };
  return flags.map(({ index, level }) => say(texts[flagTexts[index][level]], parameters));
}
