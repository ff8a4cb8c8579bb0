// The assessment part of the Store port.
import type { Definition } from "../../products/product.ts";

/** A version as the store keeps it. */
export interface StoredAssessment {
  /** Unique over all versions of all products. */
  readonly id: number;
  readonly product: string;
  /** From 1, greater with each publication within the product; numbers that this installation never used are left out. */
  readonly version: number;
  readonly definition: Definition;
  readonly publishedAt: Date;
}

export interface AssessmentStore {
  /** The id of the greatest version of a product. */
  findLatestAssessmentId(product: string, signal: AbortSignal): Promise<number | undefined>;
  findAssessmentId(product: string, version: number, signal: AbortSignal): Promise<number | undefined>;
  findAssessment(id: number, signal: AbortSignal): Promise<StoredAssessment | undefined>;
  /** All versions of a product, the newest first. */
  listAssessments(product: string, signal: AbortSignal): Promise<StoredAssessment[]>;
  /** Inserts a version, or nothing where its id or version number is taken. */
  insertAssessment(assessment: StoredAssessment, signal: AbortSignal): Promise<"inserted" | "taken">;
  /** The greatest id in use, 0 without any. */
  findGreatestAssessmentId(signal: AbortSignal): Promise<number>;
}
