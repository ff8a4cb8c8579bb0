// A report as PDF: two pages, made to PDF/UA-1, the same bytes for the same report.
import { html } from "@remix-run/html-template";
import { PDFDocument } from "pdfkit";
import { toBytes } from "pdfkit/output";
import type { Palette } from "../../report/drawing/palette.ts";
import type { Paper } from "../../report/rendering.ts";
import type { ReportModel } from "../../report/report-model.ts";
import { reportLanguageFor } from "../../report/words/language.ts";
import type { ReportFonts } from "../fonts.ts";
import { printable } from "../printable.ts";
import type { Block } from "./blocks.ts";
import { brandBlock, type PrintedBrand } from "./brand.ts";
import { circleBlock, circleFoot, circleHead, mostWantedBlock, openingBlock, summaryBlock } from "./first-page.ts";
import { type Layout, layoutOf, margins, paperSizes } from "./layout.ts";
import { type Desk, type Pen, penAt, writeLine } from "./pen.ts";
import { differenceRows, differencesHead, pairsAndQuestions, readingBlock, sourceBlock } from "./second-page.ts";

/** What a PDF is made of, besides its report. */
export interface PdfOptions {
  readonly paper: Paper;
  readonly palette: Palette;
  readonly fonts: ReportFonts;
  readonly brand: PrintedBrand;
}

/** Letters become smaller by these steps if the report would not fit on two pages otherwise. */
const zooms = [1, 0.96, 0.92, 0.88, 0.84] as const;

const gap = 9;
const circleHeights = { least: 215, most: 390 } as const;
const rowHeights = { least: 13, most: 21 } as const;

/** A block and the room after it. */
interface Placed {
  readonly block: Block;
  readonly gap: number;
}

interface Plan {
  readonly layout: Layout;
  readonly pages: readonly (readonly Placed[])[];
  readonly fits: boolean;
}

/** The PDF of a report. @param model with glyphs in the fonts for all of its texts */
export async function reportPdf(model: ReportModel, options: PdfOptions): Promise<Uint8Array> {
  const { paper, palette, fonts } = options;
  const plan = planOf(model, options);
  const document = openDocument(model, options);
  const desk: Desk = { document, palette, fonts };
  const root = document.struct("Document");
  document.addStructure(root);
  const pen = penAt(root, desk);
  for (const blocks of plan.pages) place(blocks, pen, paper);
  root.end();
  numberPages(desk, model, plan.layout, paper);
  const bytes = toBytes(document);
  document.end();
  return bytes;
}

/** Metadata are XML, which pdfkit 0.20 fills with the title as it is. */
class TitledDocument extends PDFDocument {
  override endMetadata(): void {
    const { Title = "" } = this.info;
    this.info = { ...this.info, Title: String(html`${String(Title)}`) };
    super.endMetadata();
  }
}

function openDocument(model: ReportModel, { paper, fonts }: PdfOptions): PDFDocument {
  const date = new Date(model.completedAt ?? 0);
  const document = new TitledDocument({
    size: paperSizes[paper],
    margin: 0,
    font: fonts.regular,
    pdfVersion: "1.7",
    subset: "PDF/UA",
    tagged: true,
    displayTitle: true,
    lang: model.language,
    autoFirstPage: false,
    bufferPages: true,
    // Dates of the answers, so that the same report has the same bytes.
    info: { Title: model.title.text, Producer: "pdfkit", Creator: "pdfkit", CreationDate: date, ModDate: date },
  });
  return document.registerFont("regular", fonts.regular).registerFont("bold", fonts.bold);
}

/** The largest letters that fit on two pages, else the smallest. */
function planOf(model: ReportModel, options: PdfOptions): Plan {
  const plans = zooms.map((zoom) => () => planAt(layoutOf(model, options.fonts, options.paper, zoom), options));
  let last: Plan | undefined;
  for (const plan of plans) {
    last = plan();
    if (last.fits) return last;
  }
  if (last === undefined) throw new RangeError("there is no size of letters");
  return last;
}

function planAt(layout: Layout, { paper, brand }: PdfOptions): Plan {
  const room = roomOf(paper);
  const first = firstPage(layout, brand, room);
  const second = secondPage(layout, room);
  return { layout, pages: [first.blocks, second.blocks], fits: first.fits && second.fits };
}

/** The circle takes the room that the texts leave. */
function firstPage(layout: Layout, brand: PrintedBrand, room: number): { blocks: Placed[]; fits: boolean } {
  const { picture, mostWanted, summary } = layout.model;
  const before = [brandBlock(brand, layout), openingBlock(layout), summaryBlock(summary, layout)].map(spaced);
  const after = (mostWanted === null ? [] : [mostWantedBlock(mostWanted, layout)]).map(spaced);
  if (picture === null) return { blocks: [...before, ...after], fits: true };
  const head = { block: circleHead(picture, layout), gap: 4 };
  const foot = spaced(circleFoot(picture, layout));
  const left = room - heightOf([...before, head, foot, ...after]) - 4;
  const circle = { block: circleBlock(picture, within(circleHeights, left), layout), gap: 4 };
  return { blocks: [...before, head, circle, foot, ...after], fits: circle.block.height <= left + 1 };
}

/** The rows take the room that the texts leave. */
function secondPage(layout: Layout, room: number): { blocks: Placed[]; fits: boolean } {
  const { model } = layout;
  const head = { block: differencesHead(layout), gap: 0 };
  const rest = [
    ...(model.pairs === null && model.questions === null ? [] : [pairsAndQuestions(layout)]),
    readingBlock(model.reading, layout),
    sourceBlock(layout),
  ].map(spaced);
  const tight = (block: Block): Placed => ({ block, gap: 0 });
  const left = room - heightOf([head, ...rest]) - gap;
  const least = differenceRows(layout, rowHeights.least);
  const spare = (left - heightOf(least.map(tight))) / least.length;
  const rows = differenceRows(layout, within(rowHeights, rowHeights.least + spare)).map(tight);
  const last = rows.pop();
  const blocks = [head, ...rows, ...(last === undefined ? [] : [{ ...last, gap }]), ...rest];
  return { blocks, fits: heightOf(blocks) <= room + gap };
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

/** Places blocks from the top of a new page on; what does not fit whole goes to the next one. */
function place(placed: readonly Placed[], pen: Pen, paper: Paper): void {
  const bottom = margins.top + roomOf(paper);
  let y = Number.POSITIVE_INFINITY;
  for (const { block, gap: after } of placed) {
    if (y + block.height > bottom + 1) {
      pen.document.addPage();
      y = margins.top;
    }
    block.draw(pen, y);
    y += block.height + after;
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
