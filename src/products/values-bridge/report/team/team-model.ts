// The model of the team report: what the members of a closed group have in common, without markup and without names of people.
import type * as proto from "../../../../gen/assessment/v1/team_report_pb.ts";
import type { Definition, Scale } from "../../definition/definition.ts";
import { computeMeanHalfWidth, computeVarianceRange } from "../../groups/agreement.ts";
import type { GroupMeasure, GroupNumbers, GroupValue } from "../../groups/group-numbers.ts";
import { computeRoundingWidth, listRoundings } from "../../groups/summarize.ts";
import { findCriticalT } from "../../quality/statistics.ts";
import { addUp } from "../../scoring/exact.ts";
import type { Measure } from "../../scoring/model.ts";
import { reportRevision } from "../model/rules.ts";
import { createWriter, type WordedText, type Writer } from "../model/writer.ts";
import type { ReportShape } from "../report-model.ts";
import { getTeamTexts } from "./words.ts";

export interface TeamReportInput {
  readonly groupId: string;
  /** Of the version that the members answered. */
  readonly definition: Definition;
  readonly numbers: GroupNumbers;
  /** As the partner calls the group. */
  readonly label: string;
  readonly closedAt: Date;
  /** BCP 47 tags, the preferred one first. */
  readonly locales: readonly string[];
}

export type TeamReportModel = ReportShape<proto.TeamReport>;
export type TeamValue = ReportShape<proto.TeamReportValue>;
export type TeamSection = ReportShape<proto.TeamReportSection>;

/** True for a report on a group. */
export function isTeamReport(model: object): model is TeamReportModel {
  return "groupId" in model;
}

/** Most values in one section. */
const maxNamedValues = 4;

/** Points from the average wish to the centre and to the rim. Few means lie beyond. */
const reach = 35;

/** The team report, in the first requested language that is available. Pure: the same input gives the same report. */
export function createTeamReportModel(input: TeamReportInput): TeamReportModel {
  const { groupId, definition, numbers, label, closedAt, locales } = input;
  const writer = createWriter(definition, locales);
  const { tag, say, formatCount, formatList, formatDate, getValueName, getValueTexts } = writer;
  const texts = getTeamTexts(tag);
  const byId = new Map(numbers.values.map((value) => [value.valueId, value]));
  const values = definition.values.flatMap(({ id }) => byId.get(id) ?? []);
  const hasSpread = values.some(({ ideal }) => ideal !== null && ideal.sd !== null);
  const findings = findFindings(values, numbers.members, definition.scale);
  const sections = writeSections(writer, findings, hasSpread);
  const summaries = sections.map(({ title, entries, none }) => {
    const names = entries.map(({ name, text }) => (text === null ? name.text : `${name.text} (${text})`));
    return `${title}${writer.texts.colon}${names.length === 0 ? none : `${formatList(names)}.`}`;
  });
  const withheldNames = values.filter(({ uniform }) => uniform).map(({ valueId }) => getValueName(valueId));
  const people = formatCount(texts.people, numbers.members);
  return {
    revision: reportRevision,
    groupId,
    closedAt: closedAt.toISOString(),
    language: tag,
    title: texts.title,
    label,
    introduction: `${say(texts.introduction, { people })} ${say(texts.closed, { date: formatDate(closedAt, undefined) })}`,
    picture: {
      introduction: hasSpread ? `${texts.pictureIntroduction} ${texts.pictureSpread}` : texts.pictureIntroduction,
      description: [say(texts.pictureDescription, { count: values.length }), ...summaries].join(" "),
      legend: [
        { mark: "wanted", text: texts.legendWanted },
        { mark: "today", text: texts.legendToday },
        { mark: "room", text: texts.legendRoom },
        { mark: "over", text: texts.legendOver },
        ...(hasSpread ? [{ mark: "spread", text: texts.legendSpread } as const] : []),
      ],
    },
    values: values.map((value) =>
      toTeamValue(value, getValueTexts(value.valueId).name, findings.wants.includes(value)),
    ),
    sections,
    reading: {
      title: texts.readingTitle,
      entries: [
        texts.readingMeans,
        texts.readingCentred,
        hasSpread ? texts.readingChance : texts.readingFew,
        texts.readingUse,
        ...(withheldNames.length === 0 ? [] : [say(texts.withheld, { values: formatList(withheldNames) })]),
      ],
    },
    workshop: {
      title: texts.workshopTitle,
      entries: [texts.workshopAlone, texts.workshopPairs, texts.workshopTogether],
    },
  };
}

/** The sections by the beginnings of their texts' names, with their topics. */
const topics = [
  ["wants", "wanted"],
  ["gaps", "gaps"],
  ["agree", "close"],
  ["spread", "apart"],
] as const;

/** The values that a team report names, by section. */
type Findings = Readonly<Record<(typeof topics)[number][0], readonly GroupValue[]>>;

function writeSections(writer: Writer, findings: Findings, hasSpread: boolean): TeamSection[] {
  const { tag, say, toSteps, formatStepCount, getValueTexts } = writer;
  const texts = getTeamTexts(tag);
  const entry = ({ valueId }: GroupValue, text: string | null, question: string | null = null) => {
    const { name, goal } = getValueTexts(valueId);
    return { name, text, goal, question: question && say(question, { value: name.text }) };
  };
  const sayPoints = (text: string, points: number) => say(text, { steps: formatStepCount(toSteps(Math.abs(points))) });
  const gapEntry = (value: GroupValue) => {
    const { mean } = value.gap ?? { mean: 0 };
    return mean > 0
      ? entry(value, sayPoints(texts.moreWanted, mean), texts.questionMore)
      : entry(value, sayPoints(texts.moreLived, mean), texts.questionLess);
  };
  const spreadEntry = (value: GroupValue) =>
    entry(value, sayPoints(texts.spreadOf, value.ideal?.sd ?? 0), texts.questionApart);
  const nameOnly = (value: GroupValue) => entry(value, null);
  const writers = { wants: nameOnly, gaps: gapEntry, agree: nameOnly, spread: spreadEntry };
  return topics.map(([name, topic]) => ({
    topic,
    title: texts[`${name}Title`],
    note: texts[`${name}Note`],
    none: hasSpread ? texts[`${name}None`] : texts.fewNone,
    entries: findings[name].map(writers[name]),
  }));
}

/** Findings about a group that exceed chance: wants, gaps and spreads of every value are tested together. */
function findFindings(values: readonly GroupValue[], members: number, { min, max }: Scale): Findings {
  const halfStep = 50 / (max - min);
  const tests = 3 * values.length;
  const t = findCriticalT(members - 1, tests);
  const width = computeRoundingWidth(max - min, true);
  const isClear = (distance: number, { sd }: GroupMeasure, measure: Measure) => {
    if (sd === null) return false;
    const half = computeMeanHalfWidth(sd ** 2, members, t, listRoundings(measure, width));
    return Math.abs(distance) >= Math.max(halfStep, half);
  };
  const gapMeans = values.flatMap(({ gap }) => gap?.mean ?? []);
  const commonGap = addUp(gapMeans) / Math.max(1, gapMeans.length);
  return {
    wants: selectLargest(values, "ideal", (measure) => measure.mean > 0 && isClear(measure.mean, measure, "ideal")),
    // A gap that all values share is not specific to one of them.
    gaps: selectLargest(values, "gap", (measure) => {
      const own = measure.mean - commonGap;
      return isClear(own, measure, "gap") && own * measure.mean > 0 && Math.abs(measure.mean) >= halfStep;
    }),
    ...findSpread(values, computeVarianceRange(members, tests), halfStep),
  };
}

function toTeamValue({ valueId, ideal, gap }: GroupValue, name: WordedText, isWanted: boolean): TeamValue {
  const at = (points: number) => Math.min(1, Math.max(0, 0.5 + points / (2 * reach)));
  return {
    valueId,
    name,
    wanted: ideal === null ? null : at(ideal.mean),
    spread:
      ideal === null || ideal.sd === null ? null : { low: at(ideal.mean - ideal.sd), high: at(ideal.mean + ideal.sd) },
    lived: ideal === null || gap === null ? null : at(ideal.mean - gap.mean),
    isWanted,
  };
}

/** Values whose measure qualifies, the largest first. */
function selectLargest(
  values: readonly GroupValue[],
  name: "ideal" | "gap",
  isNamed: (measure: GroupMeasure) => boolean,
): readonly GroupValue[] {
  const size = (value: GroupValue) => Math.abs(value[name]?.mean ?? 0);
  return values
    .filter((value) => value[name] !== null && isNamed(value[name]))
    .sort((one, other) => size(other) - size(one))
    .slice(0, maxNamedValues);
}

/**
 * The values in which members are close, and those in which they are far apart: the variance of what they want is outside its
 * range by chance around the mean variance of all values.
 * @param range `computeVarianceRange`
 * @param least difference to the common standard deviation, in points
 */
function findSpread(values: readonly GroupValue[], range: readonly [low: number, high: number], least: number) {
  const variances = values.flatMap((value) => {
    const sd = value.ideal?.sd ?? null;
    return sd === null ? [] : [{ value, variance: sd ** 2 }];
  });
  const pooledVariance = addUp(variances.map(({ variance }) => variance)) / Math.max(1, variances.length);
  const sd = Math.sqrt(pooledVariance);
  const low = Math.min(pooledVariance * range[0], Math.max(0, sd - least) ** 2);
  const high = Math.max(pooledVariance * range[1], (sd + least) ** 2);
  const byVariance = variances.sort((one, other) => one.variance - other.variance);
  const take = (list: typeof variances) => list.slice(0, maxNamedValues).map(({ value }) => value);
  return {
    agree: take(byVariance.filter(({ variance }) => variance <= low)),
    spread: take(byVariance.filter(({ variance }) => variance >= high).reverse()),
  };
}
