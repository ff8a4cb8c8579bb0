// One published version of an assessment, with all that its product derives from it once.
import { matchLanguage } from "../../kernel/presentation/languages.ts";
import type { Definition, Instrument, Product, Wording } from "../../products/product.ts";

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

/** What people read, in the first language asked for that there is, else in the assessment's own. @param preferred BCP 47 tags */
export function wordingFor(
  { wordings }: Pick<Instrument, "wordings">,
  preferred: readonly (string | null | undefined)[],
): Wording {
  const tags = preferred.flatMap((tag) => tag ?? []);
  const language = matchLanguage(
    tags,
    wordings.map((each) => each.language),
  );
  const wording = wordings.find((each) => each.language === language) ?? wordings[0];
  if (wording === undefined) throw new Error("an assessment has no wording");
  return wording;
}
