// Renders a report on a person or a group: negotiates the format, takes a slot before anything is read, then builds the model
// and the bytes.
import type { Message } from "@bufbuild/protobuf";
import {
  type RenderOwnReportRequest,
  type RenderReportRequest,
  type RenderReportResponse,
  ReportFormat,
  ReportPaper,
  ReportPictureName,
} from "../../gen/assessment/v1/report_service_pb.ts";
import type { Caller } from "../../kernel/limits/caller.ts";
import { dayMs } from "../../kernel/timers.ts";
import { deadlineOf, type PipelineCall, principalOf } from "../../pipeline/pipeline.ts";
import type { ReportFormat as FormatName, PictureName, RenderRequest } from "../../products/product.ts";
import type { Needs } from "../dependencies.ts";
import { notAcceptable, type ReportForm } from "./reports.ts";

/**
 * The rendered report, without bytes if the caller's copy is current. Throws `unavailable`, `not_acceptable`, and what `read`
 * throws. @param read reads what is rendered
 */
export async function renderForCaller(
  deps: Needs<"renderer">,
  context: PipelineCall,
  { form, knownEntityTags }: { readonly form: ReportForm; readonly knownEntityTags: readonly string[] },
  read: () => Promise<RenderRequest>,
): Promise<Omit<RenderReportResponse, keyof Message>> {
  const { caller } = principalOf(context);
  const { renderer } = deps;
  // A caller with a copy of the report may only need to know that it is unchanged.
  const isKnown = knownEntityTags.length > 0;
  using _slot = isKnown ? undefined : await takeRenderingSlot(deps, form, caller, context);
  const request = await read();
  const { entityTag, mediaType, fileName } = renderer.describe(request);
  const head = { mediaType, fileName, entityTag, language: request.model.language };
  if (knownEntityTags.includes(entityTag) || knownEntityTags.includes("*"))
    return { ...head, notModified: true, body: new Uint8Array(0) };
  // The rest needs no connection to the database.
  context.leaveSlot();
  using _slotForOther = isKnown ? await renderer.takeSlot(form.format, caller, deadlineOf(context).signal) : undefined;
  const { body } = await renderer.renderReport(request);
  return { ...head, notModified: false, body };
}

/** A slot of the renderer. While it waits for one, the call gives up its own. Throws `unavailable`. */
export async function takeRenderingSlot(
  { renderer }: Needs<"renderer">,
  { format }: Pick<ReportForm, "format">,
  caller: Caller,
  context: PipelineCall,
): Promise<Disposable> {
  const slot = renderer.takeSlot(format, caller, deadlineOf(context).signal);
  if (!(slot instanceof Promise)) return slot;
  using held = new DisposableStack();
  await context.idle(async () => {
    held.use(await slot);
  });
  return held.move();
}

const formats: Readonly<Record<number, FormatName>> = {
  [ReportFormat.UNSPECIFIED]: "json",
  [ReportFormat.JSON]: "json",
  [ReportFormat.HTML]: "html",
  [ReportFormat.PDF]: "pdf",
  [ReportFormat.SVG]: "svg",
  [ReportFormat.PNG]: "png",
};
const pictures: Readonly<Record<number, PictureName>> = {
  [ReportPictureName.GAPS]: "gaps",
  [ReportPictureName.POSTER]: "poster",
};

/** The format that a request asks for. Throws `not_acceptable` for an unknown format. */
export function toReportForm(request: Pick<RenderReportRequest, "format" | "picture" | "paper">): ReportForm {
  const format = formats[request.format];
  if (format === undefined) throw notAcceptable("There is no such format of a report.");
  const paper = request.paper === ReportPaper.LETTER ? "letter" : "a4";
  return { format, picture: pictures[request.picture] ?? "circle", paper };
}

/**
 * The format of a person's own report: a page, which links to the document, or the document.
 * Throws `not_acceptable`.
 * @param browserSession whether it is of test data, and whether a link opened it
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
    formToken,
  }: Omit<RenderOwnReportRequest, keyof Message | "sessionId" | "languages">,
  { isTest, isByLink }: { readonly isTest: boolean; readonly isByLink: boolean },
  now: number,
): ReportForm {
  const isPage = format === ReportFormat.UNSPECIFIED || format === ReportFormat.HTML;
  if (!isPage && format !== ReportFormat.PDF) throw notAcceptable("Your own report can be had as HTML and PDF.");
  const form = toReportForm({ format: isPage ? ReportFormat.HTML : format, picture, paper });
  if (!isPage) return form;
  const day = new Date(now + lookAgainMs).toISOString().slice(0, 10);
  const onward = isByLink ? null : (onwardPath ?? null);
  const step = stepPath === undefined ? null : { path: stepPath, token: formToken, day };
  return {
    ...form,
    page: { pdfPath: pdfPath ?? null, posterPath: posterPath ?? null, onwardPath: onward, step, isTest },
  };
}

/** Before this time, new answers show little change. */
const lookAgainMs = 42 * dayMs;
