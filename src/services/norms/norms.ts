// Norms as they are returned: of a partner's own people and of all partners, or why there are none.

import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import type { AnswerSheet } from "../../domain/sessions/session.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { invalidRequest } from "../../kernel/errors/refusal.ts";
import {
  type NormKind,
  type NormNumbers,
  type NormScope,
  type PooledNumbers,
  type Quality,
  type RetestNumbers,
  stateIn,
  type TranslationState,
} from "../../products/product.ts";
import type { NormKey, NormStore } from "../../store/norms/norm-store.ts";
import type { NormPoolStore, PoolRelease } from "../../store/norms/pool-store.ts";
import type { AssessmentCatalogue } from "../assessments/catalogue.ts";

export interface NormsDeps {
  readonly norms: Pick<NormStore, "findNumbers">;
  readonly normPools: Pick<NormPoolStore, "findRelease">;
  readonly catalogue: AssessmentCatalogue;
}

/** Of sessions whose statements were shown in a language that is not known. */
export const unknownLanguage = "und";
/** Norms of fewer people are provisional: at the median, a percentile rank is good to 4.9 points. */
const provisionalBelow = 400;

/** Numbers of a partner's own people. */
export interface OwnNumbers<N> {
  readonly numbers: N;
  readonly computedAt: Date;
  /** Number of people, or of pairs of sessions. */
  readonly n: number;
  readonly provisional: boolean;
}

/**
 * - `too_few`: fewer than 30 people, or 100 pairs of sessions
 * - `waiting`: there was no release of all partners yet
 * - `not_permitted`: the caller may not see individuals, and so not what exact numbers tell of them
 */
export type Withheld = "too_few" | "waiting" | "not_permitted";

/** Numbers, or why there are none. */
export type Told<N> = { readonly own: OwnNumbers<N> } | { readonly reason: Withheld };

/** What is reported of a partner's own people. */
export interface OwnNorms {
  readonly sessions: Told<NormNumbers>;
  readonly retests: Told<RetestNumbers>;
}

/** What was released of the people of all partners. */
export interface PooledNorms extends Omit<PoolRelease, "histograms"> {
  readonly numbers: PooledNumbers;
}

export interface LanguageNorms {
  readonly assessment: PublishedAssessment;
  readonly language: string;
  readonly translationState: TranslationState | null;
  readonly partner: OwnNorms;
  readonly pooled: PooledNorms | { readonly reason: Withheld };
}

/** Names norms of the caller's partner. */
export interface NormsQuery {
  readonly partnerId: string;
  readonly product: string;
  /** Undefined: not known. */
  readonly language: string | undefined;
  /** Undefined: the published one. */
  readonly version: number | undefined;
  /** Whether the caller may see individuals. */
  readonly maySeeOwn: boolean;
}

/** Norms in one language. Throws `not_found` (product, version), and `invalid_request` for a language without statements. */
export async function getNorms(deps: NormsDeps, query: NormsQuery, deadline: Deadline): Promise<LanguageNorms> {
  const { partnerId, product, language = unknownLanguage, version, maySeeOwn } = query;
  const { catalogue } = deps;
  const published = await catalogue.published(product);
  const assessment = version === undefined ? published : await catalogue.byVersion(product, version, deadline);
  const known = [unknownLanguage, ...assessment.wordings.map((each) => each.language)];
  if (!known.includes(language)) {
    const detail = `The version has statements in these languages: ${known.slice(1).join(", ")}; \`und\` is not known.`;
    throw invalidRequest([{ path: ["language"], code: "unknown_value", detail }]);
  }
  const own = async <N>(kind: NormKind): Promise<Told<N>> =>
    maySeeOwn
      ? findOwn<N>(deps, partnerId, { assessmentId: assessment.id, language, kind }, deadline)
      : { reason: "not_permitted" };
  const partner = { sessions: await own<NormNumbers>("sessions"), retests: await own<RetestNumbers>("retests") };
  const released = await findPooled(deps, assessment, language, deadline);
  const translationState = stateIn(assessment.wordings, language);
  return { assessment, language, translationState, partner, pooled: released ?? { reason: "waiting" } };
}

/** Norms of its partner's own people that a person can be compared with. */
export interface UsableNorms<N> extends OwnNumbers<N> {
  readonly language: string;
  /** Null: the statements were written in that language. */
  readonly translationState: TranslationState | null;
}

/** Norms that are compared with, and where a person stands among them. */
export interface Comparison {
  readonly released: Date;
  readonly n: number;
  readonly provisional: boolean;
  readonly language: string;
  readonly translationState: TranslationState | null;
  readonly scope: NormScope;
  standings(answers: AnswerSheet): NonNullable<Quality["norms"]>["values"];
}

/** The partner's own norms for a person, or else those of all partners, or null. */
export async function findComparison(
  deps: NormsDeps,
  place: NormPlace,
  deadline: Deadline,
): Promise<Comparison | null> {
  const assessment = await deps.catalogue.byId(place.assessmentId);
  const own = await findSessionNorms(deps, place, deadline);
  if (own !== null) {
    const { computedAt: released, numbers, ...source } = own;
    const standings = (answers: AnswerSheet) => assessment.norms().standings(numbers, own.n, answers);
    return { ...source, released, scope: "partner", standings };
  }
  const language = place.shownLanguage ?? unknownLanguage;
  const pooled = await findPooled(deps, assessment, language, deadline);
  if (pooled === undefined) return null;
  const { releasedAt: released, numbers } = pooled;
  const standings = (answers: AnswerSheet) => assessment.norms().pooledStandings(numbers, answers);
  const provisional = numbers.n < provisionalBelow;
  const translationState = stateIn(assessment.wordings, language);
  return { released, n: numbers.n, provisional, language, translationState, scope: "pooled", standings };
}

/** Where a person's sessions belong. */
export interface NormPlace {
  readonly assessmentId: number;
  readonly partnerId: string;
  /** Null: not known. */
  readonly shownLanguage: string | null;
}

/** Norms of sessions for a person, or null. */
export function findSessionNorms(deps: NormsDeps, place: NormPlace, deadline: Deadline) {
  return findUsable<NormNumbers>(deps, place, "sessions", deadline);
}

/** Norms of pairs of sessions for a person, or null. */
export function findRetestNorms(deps: NormsDeps, place: NormPlace, deadline: Deadline) {
  return findUsable<RetestNumbers>(deps, place, "retests", deadline);
}

async function findUsable<N>(
  deps: NormsDeps,
  { assessmentId, partnerId, shownLanguage }: NormPlace,
  kind: NormKind,
  deadline: Deadline,
): Promise<UsableNorms<N> | null> {
  const language = shownLanguage ?? unknownLanguage;
  const told = await findOwn<N>(deps, partnerId, { assessmentId, language, kind }, deadline);
  if (!("own" in told)) return null;
  const { wordings } = await deps.catalogue.byId(assessmentId);
  return { ...told.own, language, translationState: stateIn(wordings, language) };
}

async function findPooled(
  { normPools }: NormsDeps,
  assessment: PublishedAssessment,
  language: string,
  { signal }: Deadline,
): Promise<PooledNorms | undefined> {
  const found = await normPools.findRelease({ assessmentId: assessment.id, language }, signal);
  if (found === undefined) return undefined;
  const { histograms, ...release } = found;
  return { ...release, numbers: assessment.norms().pooledNumbers(histograms) };
}

/** Of too few people nothing is stored. */
async function findOwn<N>(
  { norms }: NormsDeps,
  partnerId: string,
  key: NormKey,
  { signal }: Deadline,
): Promise<Told<N>> {
  const found = await norms.findNumbers(partnerId, key, signal);
  if (found === undefined) return { reason: "too_few" };
  const { computedAt, people: n } = found;
  const numbers = JSON.parse(Buffer.from(found.numbers).toString()) as N;
  return { own: { numbers, computedAt, n, provisional: n < provisionalBelow } };
}
