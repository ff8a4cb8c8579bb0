// The input of templates: a report, and its drawings as SVG.
import { matchLanguage } from "../../../kernel/languages.ts";
import { accentOf, brandWords } from "../report/branding.ts";
import { circleWithNames } from "../report/drawing/circle.ts";
import { changeMarks, gapMarks, gapRowOf, othersMarks, ownTrack, ticksOf } from "../report/drawing/gap-rows.ts";
import { sampleMarks, sampleSize, trackSampleMarks } from "../report/drawing/legend.ts";
import { type Box, type Mark, type TextMark, textStyles } from "../report/drawing/marks.ts";
import { paletteOf } from "../report/drawing/palette.ts";
import type { PictureName } from "../report/drawing/pictures.ts";
import { type PosterPart, posterHeights, posterParts, posterWidth } from "../report/drawing/poster.ts";
import { headlineOf } from "../report/headline.ts";
import type { Paper } from "../report/rendering.ts";
import type { ReportModel } from "../report/report-model.ts";
import { marksFile } from "../report/svg/picture-svg.ts";
import { teamParts } from "../report/team/team-drawing.ts";
import { isTeamReport } from "../report/team/team-model.ts";
import { reportLanguageFor } from "../report/words/language.ts";
import type { Printable } from "./printable.ts";
import type { Typst } from "./typst.ts";
import { printLettering } from "./typst.ts";

/** Names around the circle are this large, in its own units: on paper 7.5 points at least. */
const circleNames = { size: 16, halfWidth: 372 } as const;

/** Points of a page that is as wide as a poster. */
const widths = { a4: 595.28, letter: 612 } as const;

/** The PDF of a report: all of it, or a poster. @throws `not_acceptable` for a poster of which there is none */
export function documentOf(printable: Printable, paper: Paper, picture: PictureName, typst: Typst): Uint8Array {
  const { model } = printable;
  if (!isTeamReport(model) && picture !== "poster") return typst.pdf("report", reportData(model, printable, paper));
  return typst.pdf("page", pageData(printable, paper));
}

/** What all documents are told: what they say of themselves, so that the same report has the same bytes, and the partner's look. */
function sharedData({ model, branding, logo }: Printable, paper: Paper) {
  const [title, time] = isTeamReport(model)
    ? [`${model.title}: ${model.label}`, model.closedAt]
    : [model.title.text, model.completedAt ?? 0];
  const date = new Date(time);
  return {
    language: model.language,
    title,
    date: [
      date.getUTCFullYear(),
      date.getUTCMonth() + 1,
      date.getUTCDate(),
      date.getUTCHours(),
      date.getUTCMinutes(),
      date.getUTCSeconds(),
    ],
    paper: paper === "a4" ? "a4" : "us-letter",
    palette: paletteOf(accentOf(branding), "light"),
    brand: { words: brandWords(branding, model), logo },
  };
}

function reportData(model: ReportModel, printable: Printable, paper: Paper) {
  const shared = sharedData(printable, paper);
  const file = (marks: readonly Mark[], box: Box) => marksFile(marks, box, shared.palette, printLettering.family);
  const sample = (marks: readonly Mark[]) =>
    marks.length === 0 ? null : file(marks, [0, 0, sampleSize.width, sampleSize.height]);
  const { petals, labels, box } = circleWithNames(model.values, { ...circleNames, width: printLettering.width });
  const ticks = ticksOf(model.scale);
  const trackOf = (value: ReportModel["values"][number]) =>
    file(gapMarks(gapRowOf(value), ticks, { left: 0, right: ownTrack.length, y: 0 }), ownTrack.box);
  return {
    ...shared,
    report: model,
    headline: headlineOf(model),
    pageOf: reportLanguageFor([model.language]).texts.pageOf,
    circle: file([...petals, ...labels], box),
    tracks: Object.fromEntries(model.values.map((value) => [value.valueId, trackOf(value)])),
    changes: (model.change?.entries ?? []).map((entry) => file(changeMarks(entry, ticks), ownTrack.box)),
    others: (model.others?.entries ?? []).map((entry) => file(othersMarks(entry), ownTrack.box)),
    samples: Object.fromEntries(
      model.picture.legend.map(({ mark }) => [
        mark,
        { circle: sample(sampleMarks(mark)), track: sample(trackSampleMarks(mark)) },
      ]),
    ),
  };
}

/** A page that is laid out as a drawing: shapes as they are drawn, words where they stand. */
function pageData(printable: Printable, paper: Paper) {
  const { model, logo } = printable;
  const shared = sharedData(printable, paper);
  const brand = { words: shared.brand.words, hasLogo: logo !== null };
  const height = posterHeights[paper];
  const parts = isTeamReport(model)
    ? teamParts(model, brand, printLettering.width, height)
    : posterParts(model, brand, printLettering.width, height);
  const file = (marks: readonly Mark[]) =>
    marksFile(marks, [0, 0, posterWidth, height], shared.palette, printLettering.family);
  const shapes = parts.flatMap(({ tag, marks }) => (tag === "Figure" ? [] : withoutTexts(marks)));
  return {
    ...shared,
    unit: widths[paper] / posterWidth,
    shapes: file(shapes),
    parts: parts.flatMap((part) => (part.tag === null ? [] : [partData(part, shared.language, file)])),
  };
}

function partData({ tag, alt, language, marks }: PosterPart, own: string, file: (marks: readonly Mark[]) => string) {
  const isOwn = language === undefined || matchLanguage([language], [own]) === own;
  const about = { language: isOwn ? own : language, alt };
  const [first] = marks;
  if (first?.kind === "logo") return { ...about, tag: "Logo", logo: [first.x, first.y, first.width, first.height] };
  return tag === "Figure" ? { ...about, tag, figure: file(marks) } : { ...about, tag, lines: linesOf(marks) };
}

function withoutTexts(marks: readonly Mark[]): Mark[] {
  return marks.flatMap((mark): Mark[] => {
    if (mark.kind === "group") return [{ ...mark, marks: withoutTexts(mark.marks) }];
    return mark.kind === "text" ? [] : [mark];
  });
}

/** The lines of a part, wherever they stand on the page. */
function linesOf(marks: readonly Mark[], left = 0, top = 0, scale = 1): object[] {
  return marks.flatMap((mark): object[] => {
    if (mark.kind === "group") {
      return linesOf(mark.marks, left + scale * mark.x, top + scale * mark.y, scale * (mark.scale ?? 1));
    }
    return mark.kind === "text" ? [lineOf(mark, left, top, scale)] : [];
  });
}

function lineOf({ role, x, y, size, anchor, text }: TextMark, left: number, top: number, scale: number) {
  const { bold, ink } = textStyles[role];
  return { text, x: left + scale * x, y: top + scale * y, size: scale * size, anchor, bold, ink };
}
