// The instrument that a release ships: published where there is none.
import { isDeepStrictEqual } from "node:util";
import type { Deadline } from "../../kernel/environment.ts";
import type { Definition } from "../../products/product.ts";
import { insertAfter, otherPublications, type PublishDeps } from "./catalogue.ts";

/**
 * - `published`: the definition of this release is the published version now
 * - `known`: it was published before, whatever was published after it
 * - `kept`: the published version is somebody's own, and stays
 */
export type ShippedOutcome = "published" | "known" | "kept";

/**
 * Publishes the definition of this release if nothing is published. Definitions are compared by their content, whatever the
 * order of their members. Publications by others at the same time are seen. Reads every version of the product.
 */
export async function publishShipped(
  deps: PublishDeps,
  definition: Definition,
  { signal }: Deadline,
): Promise<ShippedOutcome> {
  while (!signal.aborted) {
    const versions = await deps.assessments.listAssessments(definition.product, signal);
    if (versions.some((version) => isDeepStrictEqual(version.definition, definition))) return "known";
    if (versions.length > 0) return "kept";
    if ((await insertAfter(deps, undefined, definition, signal)) !== undefined) return "published";
  }
  throw otherPublications();
}
