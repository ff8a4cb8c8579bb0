// A report as PDF: a cover and what follows it, made to PDF/UA-1, the same bytes for the same report.
import { toBytes } from "pdfkit/output";
import type { Palette } from "../../report/drawing/palette.ts";
import type { Paper } from "../../report/rendering.ts";
import type { ReportModel } from "../../report/report-model.ts";
import { reportLanguageFor } from "../../report/words/language.ts";
import type { ReportFonts } from "../fonts.ts";
import { printable } from "../printable.ts";
import { type Block, stacked } from "./blocks.ts";
import { brandBlock, type PrintedBrand } from "./brand.ts";
import { circleBlock, circleFoot, openingBlock, summaryBlock } from "./cover.ts";
import {
  differenceRows,
  differencesHead,
  pairsAndQuestions,
  readingBlock,
  scaleEnds,
  sourceBlock,
  textsBlock,
} from "./further-pages.ts";
import { type Layout, layoutOf, margins, paperSizes } from "./layout.ts";
import { mostWantedBlocks } from "./most-wanted.ts";
import { factsOf, openDocument } from "./open-document.ts";
import { type Desk, type Pen, penAt, writeLine } from "./pen.ts";

/** What a PDF is made of, besides its report. */
export interface PdfOptions {
  readonly paper: Paper;
  readonly palette: Palette;
  readonly fonts: ReportFonts;
  readonly brand: PrintedBrand;
}

/** Letters of the cover become smaller by these steps if it would not fit on one page otherwise. */
const zooms = [1, 0.96, 0.92, 0.88, 0.84] as const;

/** Letters of what follows become smaller by these steps if that saves a page. */
const furtherZooms = [1, 0.97, 0.94] as const;

const gap = 11;
const circleHeights = { least: 240, most: 430 } as const;
const rowHeight = 19;

/** A block and the room after it. */
interface Placed {
  readonly block: Block;
  readonly gap: number;
  /** What stands above it where it begins a page. */
  readonly above?: Block;
}

/** The PDF of a report. @param model with glyphs in the fonts for all of its texts */
export async function reportPdf(model: ReportModel, options: PdfOptions): Promise<Uint8Array> {
  const { paper, palette, fonts } = options;
  const document = openDocument(factsOf(model), options);
  const desk: Desk = { document, palette, fonts };
  const root = document.struct("Document");
  document.addStructure(root);
  const pen = penAt(root, desk);
  draw([coverOf(model, options)], pen);
  draw(furtherPages(model, options), pen);
  root.end();
  numberPages(desk, model, layoutOf(model, fonts, paper, 1), paper);
  const bytes = toBytes(document);
  document.end();
  return bytes;
}

/** The cover with the largest letters that fit on one page, else the smallest. */
function coverOf(model: ReportModel, { fonts, paper, brand }: PdfOptions): readonly Placed[] {
  const covers = zooms.map((zoom) => () => coverAt(layoutOf(model, fonts, paper, zoom), brand, roomOf(paper)));
  let blocks: readonly Placed[] = [];
  for (const cover of covers) {
    const { fits, ...made } = cover();
    blocks = made.blocks;
    if (fits) break;
  }
  return blocks;
}

/** The circle takes the room that the texts leave. */
function coverAt(layout: Layout, brand: PrintedBrand, room: number): { blocks: Placed[]; fits: boolean } {
  const { picture } = layout.model;
  const before = [{ block: brandBlock(brand, layout), gap: 16 }, spaced(openingBlock(layout))];
  const summary = spaced(summaryBlock(layout));
  if (picture === null) return { blocks: [...before, summary], fits: true };
  const foot = spaced(circleFoot(picture, layout));
  const left = room - heightOf([...before, foot, summary]) - 6;
  const circle = { block: circleBlock(picture, within(circleHeights, left), layout), gap: 6 };
  return { blocks: [...before, circle, foot, summary], fits: circle.block.height <= left + 1 };
}

/** The pages after the cover, with the largest letters among those that take fewest. */
function furtherPages(model: ReportModel, { fonts, paper }: PdfOptions): readonly (readonly Placed[])[] {
  const ways = furtherZooms.map((zoom) => pagesOf(following(layoutOf(model, fonts, paper, zoom), zoom), roomOf(paper)));
  return ways.reduce((best, way) => (way.length < best.length ? way : best));
}

/** All that follows the cover. A head stands on the page of what it is the head of. */
function following(layout: Layout, zoom: number): readonly Placed[] {
  const { mostWanted, change, pairs, questions, support, reading } = layout.model;
  const [first, ...rows] = differenceRows(layout, rowHeight * zoom).flatMap(together);
  const head = differencesHead(layout);
  const above = scaleEnds(layout);
  return [
    ...(mostWanted === null ? [] : mostWantedBlocks(mostWanted, layout).map(spaced)),
    { block: first === undefined ? head : stacked([head, above, first], 0), gap: 0 },
    ...rows.map((block, index): Placed => ({ block, gap: index === rows.length - 1 ? gap : 0, above })),
    ...(change === null
      ? []
      : [
          spaced(
            textsBlock(
              change.title,
              change.note,
              change.entries.map(({ text }) => text),
              layout,
            ),
          ),
        ]),
    ...(pairs === null && questions === null ? [] : [spaced(pairsAndQuestions(layout))]),
    // Nobody has told the language of the partner's words.
    ...(support === null ? [] : [spaced(textsBlock(support.title, null, [support.text], layout, { lang: "und" }))]),
    spaced(stacked([readingBlock(reading, layout), sourceBlock(layout)], gap)),
  ];
}

/** Rows of a group in blocks: neither its first two nor its last three are parted, so that no page has one alone. */
function together(rows: readonly Block[]): readonly Block[] {
  const last = Math.max(2, rows.length - 3);
  const kept = [rows.slice(0, 2), ...rows.slice(2, last).map((row) => [row]), rows.slice(last)];
  return kept.filter((each) => each.length > 0).map((each) => stacked(each, 0));
}

function spaced(block: Block): Placed {
  return { block, gap };
}

function within({ least, most }: { readonly least: number; readonly most: number }, height: number): number {
  return Math.min(most, Math.max(least, height));
}

function heightOf(placed: readonly Placed[]): number {
  return placed.reduce((sum, each) => sum + each.block.height + each.gap, 0);
}

function roomOf(paper: Paper): number {
  return paperSizes[paper][1] - margins.top - margins.bottom;
}

/** Blocks by pages; what does not fit whole goes to the next one. */
function pagesOf(placed: readonly Placed[], room: number): readonly (readonly Placed[])[] {
  const pages: Placed[][] = [];
  let left = Number.NEGATIVE_INFINITY;
  for (const { above, ...each } of placed) {
    if (each.block.height > left + 1) {
      const whole = above === undefined ? each : { ...each, block: stacked([above, each.block], 0) };
      pages.push([whole]);
      left = room - whole.block.height - each.gap;
    } else {
      pages.at(-1)?.push(each);
      left -= each.block.height + each.gap;
    }
  }
  return pages;
}

/** Draws pages, each from its top on. */
function draw(pages: readonly (readonly Placed[])[], pen: Pen): void {
  for (const placed of pages) {
    pen.document.addPage();
    let y: number = margins.top;
    for (const { block, gap: after } of placed) {
      block.draw(pen, y);
      y += block.height + after;
    }
  }
}

function numberPages(desk: Desk, { language }: ReportModel, { sizes, column }: Layout, paper: Paper): void {
  const { document, fonts } = desk;
  const { texts, say } = reportLanguageFor([language]);
  const { count } = document.bufferedPageRange();
  for (let index = 0; index < count; index += 1) {
    document.switchToPage(index);
    const text = printable(say(texts.pageOf, { page: index + 1, pages: count }));
    const x = column.x + column.width - fonts.width(text, sizes.small.size, false);
    document.markContent("Artifact", { type: "Pagination" });
    writeLine(desk, text, x, paperSizes[paper][1] - 18, sizes.small);
    document.endMarkedContent();
  }
}
