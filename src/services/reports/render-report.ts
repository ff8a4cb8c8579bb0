// Renders a report on a person or a group: reads it, then waits for the renderer, and makes the bytes.
import type { Message } from "@bufbuild/protobuf";
import {
  type RenderReportRequest,
  type RenderReportResponse,
  ReportFormat,
  ReportPaper,
  ReportPictureName,
} from "../../gen/assessment/v1/report_service_pb.ts";
import { findEnumWord } from "../../json/members.ts";
import type { Caller } from "../../kernel/calls/core.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import type { PipelineCall } from "../../pipeline/call.ts";
import type { RenderedReport, RenderRequest } from "../../products/product.ts";
import type { CallDependencies } from "../dependencies.ts";
import type { RenderOptions } from "./reports.ts";

/** The rendered report, without bytes if the caller's copy is current. Throws `unavailable`. */
export async function renderForCaller(
  deps: CallDependencies,
  call: PipelineCall,
  request: RenderRequest,
  knownEntityTags: readonly string[],
): Promise<Omit<RenderReportResponse, keyof Message>> {
  const { entityTag, mediaType, fileName } = deps.renderer.describe(request);
  const head = { mediaType, fileName, entityTag, language: request.model.language };
  if (knownEntityTags.includes(entityTag) || knownEntityTags.includes("*"))
    return { ...head, notModified: true, body: new Uint8Array(0) };
  const { body } = await renderInSlot(deps, call, request, call.limitKey);
  return { ...head, notModified: false, body };
}

/** Renders what was read, once the renderer has a slot for the caller, whose call leaves its own. Throws `unavailable`. */
export async function renderInSlot(
  { renderer }: CallDependencies,
  call: PipelineCall,
  request: RenderRequest,
  caller: Caller,
): Promise<RenderedReport> {
  // Rendering needs no connection to the database.
  call.releaseSlot();
  using _slot = await renderer.takeSlot(request, caller, call.signal);
  return await renderer.renderReport(request);
}

/** Format, picture and paper that a request asks for. Throws `not_acceptable` for an unknown format. */
export function toRenderOptions(request: Pick<RenderReportRequest, "format" | "picture" | "paper">): RenderOptions {
  const format = request.format === ReportFormat.UNSPECIFIED ? "json" : findEnumWord(ReportFormat, request.format);
  if (format === undefined) throw new Refusal("not_acceptable", "There is no such format of a report.");
  const picture = findEnumWord(ReportPictureName, request.picture) ?? "circle";
  return { format, picture, paper: findEnumWord(ReportPaper, request.paper) ?? "a4" };
}
