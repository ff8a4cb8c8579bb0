// Renders a report on a person or a group: reads it, then waits for the renderer, and makes the bytes.
import type { Message } from "@bufbuild/protobuf";
import {
  type RenderOwnReportRequest,
  type RenderReportRequest,
  type RenderReportResponse,
  ReportFormat,
  ReportPaper,
  ReportPictureName,
} from "../../gen/assessment/v1/report_service_pb.ts";
import { byWord, wordOf } from "../../json/members.ts";
import { dayMs } from "../../kernel/environment.ts";
import type { Caller } from "../../kernel/limits/caller.ts";
import { type PipelineCall, principalOf } from "../../pipeline/call.ts";
import type { RenderedReport, RenderRequest } from "../../products/product.ts";
import type { Needs } from "../dependencies.ts";
import { notAcceptable, type ReportForm } from "./reports.ts";

/** The rendered report, without bytes if the caller's copy is current. Throws `unavailable`. */
export async function renderForCaller(
  { renderer }: Needs<"renderer">,
  call: PipelineCall,
  request: RenderRequest,
  knownEntityTags: readonly string[],
): Promise<Omit<RenderReportResponse, keyof Message>> {
  const { entityTag, mediaType, fileName } = renderer.describe(request);
  const head = { mediaType, fileName, entityTag, language: request.model.language };
  if (knownEntityTags.includes(entityTag) || knownEntityTags.includes("*"))
    return { ...head, notModified: true, body: new Uint8Array(0) };
  const { body } = await render({ renderer }, call, request, principalOf(call).caller);
  return { ...head, notModified: false, body };
}

/** Renders what was read, once the renderer has a slot for the caller. Throws `unavailable`. */
export async function render(
  { renderer }: Needs<"renderer">,
  call: PipelineCall,
  request: RenderRequest,
  caller: Caller,
): Promise<RenderedReport> {
  // The rest needs no connection to the database.
  call.leaveSlot();
  using _slot = await renderer.takeSlot(request.format, caller, call.signal);
  return await renderer.renderReport(request);
}

const formats = byWord(ReportFormat);
const pictures = byWord(ReportPictureName);
const papers = byWord(ReportPaper);

/** The format that a request asks for. Throws `not_acceptable` for an unknown format. */
export function toReportForm(request: Pick<RenderReportRequest, "format" | "picture" | "paper">): ReportForm {
  const format = request.format === ReportFormat.UNSPECIFIED ? "json" : wordOf(formats, request.format);
  if (format === undefined) throw notAcceptable("There is no such format of a report.");
  const [picture, paper] = [wordOf(pictures, request.picture), wordOf(papers, request.paper)];
  return { format, picture: picture ?? "circle", paper: paper ?? "a4" };
}

/**
 * The format of a person's own report: a page, which links to the document, or the document.
 * Throws `not_acceptable`.
 * @param browserSession whether it is of test data, whether a link opened it, and the address of its picture, if it is shared
 */
export function toOwnReportForm(
  {
    format,
    paper,
    picture,
    pdfPath,
    posterPath,
    stepPath,
    onwardPath,
    cardPath,
    formToken,
  }: Omit<RenderOwnReportRequest, keyof Message | "sessionId" | "languages" | "calendar">,
  {
    isTest,
    isByLink,
    cardUrl,
  }: { readonly isTest: boolean; readonly isByLink: boolean; readonly cardUrl: string | null },
  now: number,
): ReportForm {
  const isPage = format === ReportFormat.UNSPECIFIED || format === ReportFormat.HTML;
  if (!isPage && format !== ReportFormat.PDF) throw notAcceptable("Your own report is available as HTML and PDF.");
  const form = toReportForm({ format: isPage ? ReportFormat.HTML : format, picture, paper });
  if (!isPage) return form;
  const day = new Date(now + lookAgainMs).toISOString().slice(0, 10);
  const onward = isByLink ? null : (onwardPath ?? null);
  const step = stepPath === undefined ? null : { path: stepPath, token: formToken, day };
  const card = cardPath === undefined ? null : { path: cardPath, token: formToken, url: cardUrl };
  return {
    ...form,
    page: { pdfPath: pdfPath ?? null, posterPath: posterPath ?? null, onwardPath: onward, step, card, isTest },
  };
}

/** Before this time, new answers show little change. */
const lookAgainMs = 42 * dayMs;
