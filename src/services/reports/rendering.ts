// A report as bytes, of a person or of a group: a slot before anything is read, then the model, then the bytes.
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { type ReportDeps, type ReportForm, takeRenderingSlot } from "../../domain/reports/reports.ts";
import type { RenderReportResponseSchema } from "../../gen/assessment/v1/report_service_pb.ts";
import { principalOf, slotOf } from "../../pipeline/context-values.ts";
import { quickSlot, type RenderRequest } from "../../products/product.ts";

/**
 * The rendered report, without bytes where the caller has it. Throws `unavailable`, `not_acceptable`, and what `read` throws.
 * @param read makes what is rendered
 */
export async function renderForCaller(
  deps: Pick<ReportDeps, "renderer">,
  context: HandlerContext,
  { form, knownEntityTags }: { readonly form: ReportForm; readonly knownEntityTags: readonly string[] },
  read: () => Promise<RenderRequest>,
): Promise<MessageInitShape<typeof RenderReportResponseSchema>> {
  const { partnerId, clientId } = principalOf(context);
  const claimant = { partnerId, caller: clientId };
  using slot = takeRenderingSlot(deps, form, claimant, knownEntityTags.length > 0);
  const request = await slot.inTurn(read);
  const { entityTag, mediaType, fileName } = deps.renderer.describe(request);
  const head = { mediaType, fileName, entityTag, language: request.model.language };
  if (knownEntityTags.includes(entityTag) || knownEntityTags.includes("*")) return { ...head, notModified: true };
  // It is another one than the caller has.
  using slotForOther = slot === quickSlot ? takeRenderingSlot(deps, form, claimant, false) : slot;
  // What is left to do needs no connection to the database.
  slotOf(context).leave();
  const { body } = await deps.renderer.renderReport(request, slotForOther);
  return { ...head, body };
}
