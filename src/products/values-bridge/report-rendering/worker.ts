// The entry of a rendering thread. A refusal is an outcome: as an error it would lose its code on the way.
import type { ErrorCode } from "../../../kernel/errors/error-table.ts";
import { Refusal } from "../../../kernel/errors/refusal.ts";
import { giveWay } from "./priority.ts";
import { createRendering, type RenderingTask } from "./rendering.ts";

export type RenderingOutcome =
  | { readonly kind: "rendered"; readonly body: Uint8Array }
  | { readonly kind: "refused"; readonly code: ErrorCode; readonly detail: string };

giveWay();
const render = createRendering();

/** Renders one task. Piscina calls the default export, or, as here, the one that its options name. */
export async function renderTask(task: RenderingTask): Promise<RenderingOutcome> {
  try {
    return { kind: "rendered", body: await render(task) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { kind: "refused", code: error.code, detail: error.message };
  }
}
