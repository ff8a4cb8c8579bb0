// An empty PDF, made to PDF/UA-1, whose bytes depend on nothing but what it is told.
import { html } from "@remix-run/html-template";
import { PDFDocument } from "pdfkit";
import type { Paper } from "../../report/rendering.ts";
import type { ReportModel } from "../../report/report-model.ts";
import type { ReportFonts } from "../fonts.ts";
import { paperSizes } from "./layout.ts";

/** What a document says of itself. */
export interface DocumentFacts {
  /** BCP 47 tag. */
  readonly language: string;
  readonly title: string;
  /** Of what it tells, so that the same report has the same bytes. */
  readonly date: Date;
}

/** What the document of a person's report says of itself. */
export function factsOf({ language, title, completedAt }: ReportModel): DocumentFacts {
  return { language, title: title.text, date: new Date(completedAt ?? 0) };
}

/** Metadata are XML, which pdfkit 0.20 fills with the title as it is. */
class TitledDocument extends PDFDocument {
  override endMetadata(): void {
    const { Title = "" } = this.info;
    this.info = { ...this.info, Title: String(html`${String(Title)}`) };
    super.endMetadata();
  }
}

/** A document without pages. */
export function openDocument(
  { language, title, date }: DocumentFacts,
  { paper, fonts }: { readonly paper: Paper; readonly fonts: ReportFonts },
): PDFDocument {
  const document = new TitledDocument({
    size: paperSizes[paper],
    margin: 0,
    font: fonts.regular,
    pdfVersion: "1.7",
    subset: "PDF/UA",
    tagged: true,
    displayTitle: true,
    lang: language,
    autoFirstPage: false,
    bufferPages: true,
    info: { Title: title, Producer: "pdfkit", Creator: "pdfkit", CreationDate: date, ModDate: date },
  });
  return document.registerFont("regular", fonts.regular).registerFont("bold", fonts.bold);
}
