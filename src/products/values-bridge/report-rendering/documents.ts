// The input of templates: a report, with its drawings as SVG.
import { Refusal } from "../../../kernel/errors/refusal.ts";
import { findValidAccent, toBrandText } from "../report/branding.ts";
import { arrangeNames, type CircleNames, drawCircle, toCircle, toTeamCircle } from "../report/drawing/circle.ts";
import { drawChange, drawGap, drawOthers, ownTrack, placeTicks } from "../report/drawing/gap-rows.ts";
import { drawCircleSample, drawTrackSample, sampleSize } from "../report/drawing/legend.ts";
import type { Box, Mark } from "../report/drawing/marks.ts";
import { createPalette, type Palette } from "../report/drawing/palette.ts";
import { drawWanted, rim } from "../report/drawing/petals.ts";
import { renderMarksFile } from "../report/drawing/svg.ts";
import { shortenName } from "../report/drawing/wrap.ts";
import { findHeadlineTopic, listPosterValues, writeHeadline, writePosterText } from "../report/headline.ts";
import { findNamesInText } from "../report/names-in-text.ts";
import type { ReportModel, ReportPicture } from "../report/report-model.ts";
import type { Paper, SharedPictureName } from "../report/report-renderer.ts";
import { isTeamReport, type TeamReportModel } from "../report/team/team-model.ts";
import { getTeamTexts } from "../report/team/words.ts";
import { chooseReportLanguage } from "../report/words/language.ts";
import { findMotto } from "../report/words/mottos.ts";
import type { Printable } from "./printable.ts";
import type { Template } from "./typst.ts";

/** Sizes of names around the circle, in its units: on paper, at least 7.5 points. */
const circleNames = { size: 15, halfWidth: 372, rimSize: 13 } as const;
const posterNames = { size: 12, halfWidth: 336 } as const;
const teamNames = { size: 20, halfWidth: 573 } as const;

/** A template with its data. */
export interface TypstDocument {
  readonly template: Template;
  readonly data: { readonly language: string; readonly title: string };
  /** The description of the drawing, for screen readers. */
  readonly description: string;
}

/**
 * A report on paper, or one of its pictures. Pictures of a team report are its first page.
 * @throws `not_acceptable` if there is no poster
 */
export function toDocument(printable: Printable, paper: Paper, part: SharedPictureName | "report"): TypstDocument {
  const { model } = printable;
  const shared = createSharedData(printable, paper);
  if (isTeamReport(model)) {
    const data = { ...shared, ...createTeamData(model, shared.palette), isPicture: part !== "report" };
    return { template: "team", data, description: model.picture.description };
  }
  if (part === "poster" || part === "card") {
    const data = { ...shared, ...createPosterData(model, shared.palette, part) };
    return { template: part, data, description: data.alt };
  }
  const title = part === "gaps" ? model.differences.title : shared.title;
  const data = { ...shared, title, ...createReportData(model, shared.palette) };
  return { template: part, data, description: model.picture.description };
}

/** The data of all documents. Metadata is fixed, so that the same report has the same bytes. */
function createSharedData({ model, branding, logo }: Printable, paper: Paper) {
  const { colon } = chooseReportLanguage([model.language]).texts;
  const [title, time] = isTeamReport(model)
    ? [`${model.title}${colon}${model.label}`, model.closedAt]
    : [model.title.text, model.completedAt ?? 0];
  return {
    language: model.language,
    colon,
    title,
    date: new Date(time).toISOString(),
    paper: paper === "letter" ? "us-letter" : paper,
    palette: createPalette(findValidAccent(branding), "light"),
    brand: { words: toBrandText(branding, model), logo },
  };
}

/** Petals as a drawing, and names, which the template writes: a nested picture has no font. */
function createCircleData(petals: readonly Mark[], { labels, rimNames, box }: CircleNames, palette: Palette) {
  return { petals: renderMarksFile(petals, box, palette), names: labels, rimNames, box };
}

/** The samples of a legend, by mark; null for a mark without one. */
function renderSamples(legend: ReportPicture["legend"], drawSample: typeof drawCircleSample, palette: Palette) {
  const box = [0, 0, sampleSize.width, sampleSize.height] as const;
  const samples = legend.map(({ mark }) => {
    const marks = drawSample(mark);
    return [mark, marks.length === 0 ? null : renderMarksFile(marks, box, palette)];
  });
  return Object.fromEntries(samples);
}

/** Least number of questions with lines for notes. A report without findings has only lines. */
const conversationQuestions = 3;

function createConversation({ language, questions, summary }: ReportModel) {
  const { texts } = chooseReportLanguage([language]);
  const open = [texts.conversationFits, texts.conversationSurprise, texts.conversationTell];
  const questionEntries = questions?.entries ?? [];
  return {
    title: texts.conversationTitle,
    note: texts.conversationNote,
    questions:
      summary.silence === null
        ? [...questionEntries, ...open].slice(0, Math.max(questionEntries.length, conversationQuestions))
        : [null],
    stepTitle: texts.stepsTitle,
    day: texts.stepDay,
  };
}

function createReportData(model: ReportModel, palette: Palette) {
  const file = (marks: readonly Mark[], box: Box) => renderMarksFile(marks, box, palette);
  const findNames = (text: string) => findNamesInText(text, model.values);
  const circle = toCircle(model);
  const ticks = placeTicks(model.scale);
  const drawTrack = (value: ReportModel["values"][number]) =>
    file(drawGap(value, ticks, ownTrack.length), ownTrack.box);
  const { legend } = model.picture;
  return {
    report: model,
    headline: writeHeadline(model),
    topic: findHeadlineTopic(model),
    sentences: model.summary.sentences.map(findNames),
    highlights: model.summary.highlights.map(({ group, text }) => ({ group, parts: findNames(text) })),
    conversation: createConversation(model),
    pageOf: chooseReportLanguage([model.language]).texts.pageOf,
    circle: createCircleData(drawCircle(circle), arrangeNames(circle, circleNames), palette),
    tracks: Object.fromEntries(model.values.map((value) => [value.valueId, drawTrack(value)])),
    changes: (model.change?.entries ?? []).map((entry) => file(drawChange(entry, ticks), ownTrack.box)),
    others: (model.others?.entries ?? []).map((entry) => file(drawOthers(entry), ownTrack.box)),
    samples: {
      circle: renderSamples(legend, drawCircleSample, palette),
      track: renderSamples(legend, drawTrackSample, palette),
    },
  };
}

/** Longer names and goals are cut on a poster, which needs the room for the circle. */
const longest = { name: 60, goal: 180 } as const;

function createPosterData(model: ReportModel, palette: Palette, part: "poster" | "card") {
  const choices = listPosterValues(model);
  const words = writePosterText(model);
  if (words === null) throw new Refusal("not_acceptable", "These answers name no value to make a poster of.");
  const { texts } = chooseReportLanguage([model.language]);
  const shownValues = model.values.map((value) => ({ ...value, mostWanted: choices.includes(value) }));
  const circle = { ...toCircle({ ...model, values: shownValues }), directions: [] };
  const names =
    part === "card"
      ? { labels: [], rimNames: [], box: [-rim, -rim, rim, rim] as const }
      : arrangeNames(circle, posterNames);
  return {
    heading: words.title,
    foot: [model.cover?.name, model.cover?.date].filter((each) => each != null).join(" · "),
    circle: createCircleData(drawWanted(circle.petals), names, palette),
    alt: words.description,
    step: model.steps?.chosen?.step ?? null,
    stepTitle: texts.stepsTitle,
    values: choices.map(({ name, goal }) => {
      const motto = findMotto(name);
      const [headline, behind] = motto === null ? [name.text, goal] : [motto, name];
      return {
        said: { ...name, text: shortenName(headline, longest.name) },
        behind: { ...behind, text: shortenName(behind.text, longest.goal) },
      };
    }),
  };
}

function createTeamData(model: TeamReportModel, palette: Palette) {
  const circle = toTeamCircle(model);
  const { workshopDo, workshopDay } = getTeamTexts(model.language);
  return {
    report: model,
    workshop: { act: workshopDo, day: workshopDay },
    circle: createCircleData(drawCircle(circle), arrangeNames(circle, teamNames), palette),
    samples: renderSamples(model.picture.legend, drawCircleSample, palette),
  };
}
