// One published version of an assessment, with everything that its product derives from it once.
import { matchLanguage } from "../../kernel/languages.ts";
import type { Definition, Instrument, Product, Wording } from "../../products/product.ts";

/** A version as the store keeps it. */
export interface StoredAssessment {
  /** Unique over all versions of all products. */
  readonly id: number;
  readonly product: string;
  /** From 1, greater with each publication within the product; numbers that this installation never used are skipped. */
  readonly version: number;
  readonly definition: Definition;
  readonly publishedAt: Date;
}

/** All statements of a version, or those of its short form. */
export type AssessmentForm = "long" | "short";

/** The offset of a short form's id from that of its version, which is less than this. */
export const shortFormIds = 1_000_000;

/** The form of an id. */
export function toForm(assessmentId: number): AssessmentForm {
  return assessmentId > shortFormIds ? "short" : "long";
}

/** The id of the stored version of a form. */
export function toVersionId(assessmentId: number): number {
  return assessmentId % shortFormIds;
}

/** The id of the same version in a form. */
export function toFormId(assessmentId: number, form: AssessmentForm): number {
  return toVersionId(assessmentId) + (form === "short" ? shortFormIds : 0);
}

/** A version ready for use. It never changes, so one object serves all calls. */
export interface PublishedAssessment extends Instrument {
  readonly id: number;
  readonly product: string;
  readonly version: number;
  readonly form: AssessmentForm;
  readonly publishedAt: Date;
}

/** Opens a stored version. */
export function openAssessment(
  product: Pick<Product, "open">,
  { definition, ...version }: StoredAssessment,
): PublishedAssessment {
  return { ...version, ...product.open(definition, version.id), form: toForm(version.id) };
}

/** Opens the form of a stored version that has an id; undefined if the version has no such form. */
export function openForm(
  product: Pick<Product, "open" | "toShortForm">,
  storedAssessment: StoredAssessment,
  id: number,
): PublishedAssessment | undefined {
  const definition =
    toForm(id) === "short" ? product.toShortForm(storedAssessment.definition) : storedAssessment.definition;
  return definition && openAssessment(product, { ...storedAssessment, id, definition });
}

/** Whether an assessment has texts in a language, or in one near to it. @param tag in BCP 47 */
export function isOffered({ wordings }: Pick<Instrument, "wordings">, tag: string): boolean {
  const languages = wordings.map(({ language }) => language);
  return matchLanguage([tag], languages) !== undefined;
}

/** The texts in the first requested language that exists, else in the assessment's own. @param preferred BCP 47 tags */
export function chooseWording(
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
