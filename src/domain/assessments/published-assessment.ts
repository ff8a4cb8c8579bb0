// One published version of an assessment, with all that its product derives from it once.
import type { Instrument, Product } from "../../products/product.ts";
import type { StoredAssessment } from "./assessment-port.ts";

/** A version ready for use. It never changes, so one object serves for ever. */
export interface PublishedAssessment extends Instrument {
  readonly id: number;
  readonly product: string;
  readonly version: number;
  readonly publishedAt: Date;
}

/** Opens a stored version. */
export function openAssessment(product: Pick<Product, "open">, stored: StoredAssessment): PublishedAssessment {
  const { id, version, publishedAt } = stored;
  return { ...product.open(stored.definition, id), id, product: stored.product, version, publishedAt };
}
