// A report as bytes, of a person or of a group: a slot before anything is read, then the model, then the bytes.
import type { HandlerContext } from "@connectrpc/connect";
import type { Caller } from "../../kernel/limits/caller.ts";
import { deadlineOf, principalOf, slotOf } from "../../pipeline/context-values.ts";
import type { RenderRequest } from "../../products/product.ts";
import type { ReportDeps, ReportForm } from "./reports.ts";

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
  const { caller } = principalOf(context);
  const { renderer } = deps;
  // Whoever has a report already may only have to hear that it is the same still.
  const isKnown = knownEntityTags.length > 0;
  using _slot = isKnown ? undefined : await takeRenderingSlot(deps, form, caller, context);
  const request = await read();
  const { entityTag, mediaType, fileName } = renderer.describe(request);
  const head = { mediaType, fileName, entityTag, language: request.model.language };
  if (knownEntityTags.includes(entityTag) || knownEntityTags.includes("*"))
    return { ...head, notModified: true, body: new Uint8Array(0) };
  // What is left to do needs no connection to the database.
  slotOf(context).leave();
  using _slotForOther = isKnown ? await renderer.takeSlot(form.format, caller, deadlineOf(context).signal) : undefined;
  const { body } = await renderer.renderReport(request);
  return { ...head, notModified: false, body };
}

/** A slot of the renderer. While it waits for one, the call keeps none of its own. Throws `unavailable`. */
export async function takeRenderingSlot(
  { renderer }: Pick<ReportDeps, "renderer">,
  { format }: Pick<ReportForm, "format">,
  caller: Caller,
  context: HandlerContext,
): Promise<Disposable> {
  const slot = renderer.takeSlot(format, caller, deadlineOf(context).signal);
  if (!(slot instanceof Promise)) return slot;
  using held = new DisposableStack();
  await slotOf(context).idle(async () => {
    held.use(await slot);
  });
  return held.move();
}
