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
import { findWord, mapEnumWords } from "../../json/members.ts";
import type { Caller } from "../../kernel/calls/core.ts";
import { type Deadline, dayMs } from "../../kernel/environment.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import type { PipelineCall } from "../../pipeline/call.ts";
import type { RenderedReport, RenderRequest } from "../../products/product.ts";
import type { ReportBrowserSession } from "../../store/reports/report-access-store.ts";
import type { Dependencies } from "../dependencies.ts";
import type { RenderOptions } from "./reports.ts";

/** The rendered report, without bytes if the caller's copy is current. Throws `unavailable`. */
export async function renderForCaller(
  deps: Dependencies,
  call: PipelineCall,
  request: RenderRequest,
  knownEntityTags: readonly string[],
): Promise<Omit<RenderReportResponse, keyof Message>> {
  const { entityTag, mediaType, fileName } = deps.renderer.describe(request);
  const head = { mediaType, fileName, entityTag, language: request.model.language };
  if (knownEntityTags.includes(entityTag) || knownEntityTags.includes("*"))
    return { ...head, notModified: true, body: new Uint8Array(0) };
  const { body } = await render(deps, call, request, call.limitKey);
  return { ...head, notModified: false, body };
}

/** Renders what was read, once the renderer has a slot for the caller, whose call leaves its own. Throws `unavailable`. */
export async function render(
  { renderer }: Dependencies,
  call: PipelineCall,
  request: RenderRequest,
  caller: Caller,
): Promise<RenderedReport> {
  // Rendering needs no connection to the database.
  call.releaseSlot();
  using _slot = await renderer.takeSlot(request, caller, call.signal);
  return await renderer.renderReport(request);
}

const formats = mapEnumWords(ReportFormat);
const pictures = mapEnumWords(ReportPictureName);
const papers = mapEnumWords(ReportPaper);

/** Format, picture and paper that a request asks for. Throws `not_acceptable` for an unknown format. */
export function toRenderOptions(request: Pick<RenderReportRequest, "format" | "picture" | "paper">): RenderOptions {
  const format = request.format === ReportFormat.UNSPECIFIED ? "json" : findWord(formats, request.format);
  if (format === undefined) throw new Refusal("not_acceptable", "There is no such format of a report.");
  const [picture, paper] = [findWord(pictures, request.picture), findWord(papers, request.paper)];
  return { format, picture: picture ?? "circle", paper: paper ?? "a4" };
}

/** The format of a person's own report: a page, which links to the document, or the document. Throws `not_acceptable`. */
export function toOwnRenderOptions(
  message: Pick<RenderOwnReportRequest, "format" | "picture" | "paper">,
): RenderOptions {
  const options = toRenderOptions(
    message.format === ReportFormat.UNSPECIFIED ? { ...message, format: ReportFormat.HTML } : message,
  );
  if (options.format === "html" || options.format === "pdf") return options;
  throw new Refusal("not_acceptable", "Your own report is available as HTML and PDF.");
}

/** What the page of a person's own report has around it: the ways on, and the picture that they share. */
export async function toPageOptions(
  { reportAccess, pagesUrl, clock }: Dependencies,
  browserSession: ReportBrowserSession,
  { stepPath, cardPath, formToken: token, ...paths }: RenderOwnReportRequest,
  { signal }: Deadline,
): Promise<NonNullable<RenderOptions["page"]>> {
  const now = clock();
  const day = new Date(now + lookAgainMs).toISOString().slice(0, 10);
  const card = cardPath && (await reportAccess.findCard(browserSession, new Date(now), signal));
  const shared = card ? { url: `${pagesUrl()}/reports/cards/${card.card}`, language: card.locale } : null;
  return {
    pdfPath: paths.pdfPath ?? null,
    posterPath: paths.posterPath ?? null,
    onwardPath: browserSession.linkHash === null ? (paths.onwardPath ?? null) : null,
    step: stepPath === undefined ? null : { path: stepPath, token, day },
    card: cardPath === undefined ? null : { path: cardPath, token, shared },
    isTest: isTestTwin(browserSession.partnerId),
  };
}

/** Before this time, new answers show little change. */
const lookAgainMs = 42 * dayMs;
