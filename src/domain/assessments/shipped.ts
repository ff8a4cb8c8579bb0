// The instrument that a release ships: published where there is none, and after one that an earlier release shipped.
import { isDeepStrictEqual } from "node:util";
import type { Deadline } from "../../kernel/environment.ts";
import type { Definition } from "../../products/product.ts";
import { insertAfter, otherPublications, type PublishDeps } from "./catalogue.ts";

/** The definitions of one product that releases shipped. */
export interface ShippedDefinitions {
  /** That of this release; sound. */
  readonly current: Definition;
  /** Those of earlier releases. */
  readonly earlier: readonly Definition[];
}

/**
 * - `published`: the definition of this release is the published version now
 * - `known`: it was published before, whatever was published after it
 * - `kept`: the published version is somebody's own, and stays
 */
export type ShippedOutcome = "published" | "known" | "kept";

/**
 * Publishes the definition of this release if nothing is published, or if it never was and the published version is one
 * that an earlier release shipped. Definitions are compared by their content, whatever the order of their members.
 * Publications by others at the same time are seen: this one never follows a version that it has not looked at. Reads
 * every version of the product.
 */
export async function publishShipped(
  deps: PublishDeps,
  { current, earlier }: ShippedDefinitions,
  { signal }: Deadline,
): Promise<ShippedOutcome> {
  while (!signal.aborted) {
    const versions = await deps.assessments.listAssessments(current.product, signal);
    if (versions.some(({ definition }) => isDeepStrictEqual(definition, current))) return "known";
    const [latest] = versions;
    const isShipped = earlier.some((definition) => isDeepStrictEqual(definition, latest?.definition));
    if (latest !== undefined && !isShipped) return "kept";
    if ((await insertAfter(deps, latest, current, signal)) !== undefined) return "published";
  }
  throw otherPublications();
}
