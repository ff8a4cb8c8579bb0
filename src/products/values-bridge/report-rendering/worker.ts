// The entry of a rendering thread. What a report refuses is an outcome, so that its kind is known on the other side.
import { PictureUnavailable } from "../report/drawing/pictures.ts";
import { TextUnprintable } from "../report/rendering.ts";
import { giveWay } from "./priority.ts";
import { createRendering, type RenderingTask } from "./rendering.ts";

export type RenderingOutcome =
  | { readonly kind: "rendered"; readonly body: Uint8Array }
  | { readonly kind: "no_picture" }
  | { readonly kind: "unprintable" };

giveWay();
const render = createRendering();

/** Renders one task. Piscina calls the default export, or, as here, the one that its options name. */
export async function renderTask(task: RenderingTask): Promise<RenderingOutcome> {
  try {
    return { kind: "rendered", body: await render(task) };
  } catch (error) {
    if (error instanceof PictureUnavailable) return { kind: "no_picture" };
    if (error instanceof TextUnprintable) return { kind: "unprintable" };
    throw error;
  }
}
