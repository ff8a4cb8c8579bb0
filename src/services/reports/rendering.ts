// A report as bytes, of a person or of a group: a slot before anything is read, then the model, then the bytes.
import type { HandlerContext } from "@connectrpc/connect";
import { principalOf, slotOf } from "../../pipeline/context-values.ts";
import { quickSlot, type RenderRequest } from "../../products/product.ts";
import { type ReportDeps, type ReportForm, takeRenderingSlot } from "./reports.ts";

/** A report as bytes, or the word that the caller has it. */
export interface RenderedReport {
  readonly mediaType: string;
  readonly fileName: string;
  readonly entityTag: string;
  readonly language: string;
  readonly notModified: boolean;
  readonly body: Uint8Array;
}

/**
 * The rendered report, without bytes where the caller has it. Throws `unavailable`, `not_acceptable`, and what `read` throws.
 * @param read makes what is rendered
 */
export async function renderForCaller(
  deps: Pick<ReportDeps, "renderer">,
  context: HandlerContext,
  { form, knownEntityTags }: { readonly form: ReportForm; readonly knownEntityTags: readonly string[] },
  read: () => Promise<RenderRequest>,
): Promise<RenderedReport> {
  const { partnerId, clientId } = principalOf(context);
  const claimant = { partnerId, caller: clientId };
  using slot = takeRenderingSlot(deps, form, claimant, knownEntityTags.length > 0);
  const request = await slot.inTurn(read);
  const { entityTag, mediaType, fileName } = deps.renderer.describe(request);
  const head = { mediaType, fileName, entityTag, language: request.model.language };
  if (knownEntityTags.includes(entityTag) || knownEntityTags.includes("*"))
    return { ...head, notModified: true, body: new Uint8Array(0) };
  // It is another one than the caller has.
  using slotForOther = slot === quickSlot ? takeRenderingSlot(deps, form, claimant, false) : slot;
  // What is left to do needs no connection to the database.
  slotOf(context).leave();
  const { body } = await deps.renderer.renderReport(request, slotForOther);
  return { ...head, notModified: false, body };
}
