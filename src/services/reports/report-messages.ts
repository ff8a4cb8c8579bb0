// Requests for reports, between messages and the domain.

import {
  type RenderOwnReportRequest,
  type RenderReportRequest,
  ReportFormat,
  ReportPaper,
  ReportPictureName,
} from "../../gen/assessment/v1/report_service_pb.ts";
import { invalidRequest } from "../../kernel/errors/refusal.ts";
import { unknownValue } from "../../kernel/requests/report-request.ts";
import type { ReportFormat as FormatName, Paper, PictureName } from "../../products/product.ts";
import { notAcceptable, type ReportForm } from "./reports.ts";

const formats: Readonly<Record<number, FormatName>> = {
  [ReportFormat.UNSPECIFIED]: "json",
  [ReportFormat.JSON]: "json",
  [ReportFormat.HTML]: "html",
  [ReportFormat.PDF]: "pdf",
  [ReportFormat.SVG]: "svg",
  [ReportFormat.PNG]: "png",
};
const pictures: Readonly<Record<number, PictureName>> = {
  [ReportPictureName.UNSPECIFIED]: "circle",
  [ReportPictureName.CIRCLE]: "circle",
  [ReportPictureName.GAPS]: "gaps",
  [ReportPictureName.POSTER]: "poster",
};
const papersByValue: Readonly<Record<number, Paper>> = {
  [ReportPaper.UNSPECIFIED]: "a4",
  [ReportPaper.A4]: "a4",
  [ReportPaper.LETTER]: "letter",
};

/** The form that a request asks for. Throws `not_acceptable` for an unknown format, else `invalid_request`. */
export function toReportForm(request: Pick<RenderReportRequest, "format" | "picture" | "paper">): ReportForm {
  const format = formats[request.format];
  if (format === undefined) throw notAcceptable("There is no such format of a report.");
  const picture = pictures[request.picture];
  if (picture === undefined) throw invalidRequest([unknownValue("picture", ["circle", "gaps", "poster"])]);
  const paper = papersByValue[request.paper];
  if (paper === undefined) throw invalidRequest([unknownValue("paper", ["a4", "letter"])]);
  return { format, picture, paper };
}

/**
 * The form that a person's own report is asked for in: a page, which leads to the document, or the document.
 * Throws `not_acceptable`, `invalid_request`.
 * @param isTest whether it is of test data
 */
export function toOwnReportForm({ format, paper, picture, pdfPath, posterPath }: OwnForm, isTest: boolean): ReportForm {
  const isPage = format === ReportFormat.UNSPECIFIED || format === ReportFormat.HTML;
  if (!isPage && format !== ReportFormat.PDF) throw notAcceptable("Your own report can be had as HTML and PDF.");
  const form = toReportForm({ format: isPage ? ReportFormat.HTML : format, picture, paper });
  return isPage ? { ...form, page: { pdfPath: pdfPath ?? null, posterPath: posterPath ?? null, isTest } } : form;
}

type OwnForm = Pick<RenderOwnReportRequest, "format" | "paper" | "picture"> & {
  readonly pdfPath?: string | undefined;
  readonly posterPath?: string | undefined;
};
