// Norms as they are told: what is released of a partner's own people and of all, or why nothing is.

import type { Clock, Deadline } from "../../kernel/environment.ts";
import { invalidRequest } from "../../kernel/errors/refusal.ts";
import {
  type NormNumbers,
  type NormScope,
  normRule,
  type RetestNumbers,
  type Withheld,
  withheldOf,
} from "../../products/product.ts";
import type { AssessmentCatalogue } from "../assessments/catalogue.ts";
import type { PublishedAssessment } from "../assessments/published-assessment.ts";
import type { NormKind } from "./norm-arithmetic-port.ts";
import type { NormStore } from "./norm-port.ts";

export interface ReleasedNormsDeps {
  readonly norms: NormStore;
  readonly catalogue: AssessmentCatalogue;
  readonly clock: Clock;
}

/** Of sessions whose statements were shown in a language that is not known. */
export const unknownLanguage = "und";
/** Norms of fewer people are provisional: at the median, a percentile rank is good to 4.9 points. */
const provisionalBelow = 400;

/** Released numbers of one scope. */
export interface Released<N> {
  readonly numbers: N;
  readonly releasedAt: Date;
  /** Number of people, or of pairs of sessions. */
  readonly n: number;
  readonly provisional: boolean;
}

/** Released numbers, or why there are none. */
export type Told<N> = { readonly released: Released<N> } | { readonly reason: Withheld };

/** What is told of one scope. */
export interface ScopedNorms {
  readonly sessions: Told<NormNumbers>;
  readonly retests: Told<RetestNumbers>;
}

export interface LanguageNorms {
  readonly assessment: PublishedAssessment;
  readonly language: string;
  readonly partner: ScopedNorms;
  readonly pooled: ScopedNorms;
}

/** Names norms of the caller's partner. */
export interface NormsQuery {
  readonly partnerId: string;
  readonly product: string;
  /** Undefined: not known. */
  readonly language: string | undefined;
  /** Undefined: the published one. */
  readonly version: number | undefined;
}

/** Norms in one language. Throws `not_found` (product, version), and `invalid_request` for a language without statements. */
export async function getNorms(deps: ReleasedNormsDeps, query: NormsQuery, deadline: Deadline): Promise<LanguageNorms> {
  const { partnerId, product, language = unknownLanguage, version } = query;
  const { catalogue } = deps;
  const published = await catalogue.published(product);
  const assessment = version === undefined ? published : await catalogue.byVersion(product, version, deadline);
  const known = [unknownLanguage, ...assessment.wordings.map((each) => each.language)];
  if (!known.includes(language)) {
    const detail = `The version has statements in these languages: ${known.slice(1).join(", ")}; \`und\` is not known.`;
    throw invalidRequest([{ path: ["language"], code: "unknown_value", detail }]);
  }
  const told = async (partner: string | null): Promise<ScopedNorms> => ({
    sessions: await findTold<NormNumbers>(deps, assessment.id, language, partner, "sessions", deadline),
    retests: await findTold<RetestNumbers>(deps, assessment.id, language, partner, "retests", deadline),
  });
  return { assessment, language, partner: await told(partnerId), pooled: await told(null) };
}

/** Norms that a person can be compared with: those of the partner's own people, or else those of all partners. */
export interface UsableNorms<N> extends Released<N> {
  readonly scope: NormScope;
  readonly language: string;
}

/** Where a person's sessions belong. */
export interface NormPlace {
  readonly assessmentId: number;
  readonly partnerId: string;
  /** Null: not known. */
  readonly shownLanguage: string | null;
}

/** Released norms of sessions for a person, or null. */
export function findSessionNorms(deps: ReleasedNormsDeps, place: NormPlace, deadline: Deadline) {
  return findUsable<NormNumbers>(deps, place, "sessions", deadline);
}

/** Released norms of pairs of sessions for a person, or null. */
export function findRetestNorms(deps: ReleasedNormsDeps, place: NormPlace, deadline: Deadline) {
  return findUsable<RetestNumbers>(deps, place, "retests", deadline);
}

async function findUsable<N>(
  deps: ReleasedNormsDeps,
  { assessmentId, partnerId, shownLanguage }: NormPlace,
  kind: NormKind,
  deadline: Deadline,
): Promise<UsableNorms<N> | null> {
  const language = shownLanguage ?? unknownLanguage;
  const own = await findTold<N>(deps, assessmentId, language, partnerId, kind, deadline);
  if ("released" in own) return { ...own.released, scope: "partner", language };
  const all = await findTold<N>(deps, assessmentId, language, null, kind, deadline);
  return "released" in all ? { ...all.released, scope: "pooled", language } : null;
}

async function findTold<N>(
  { norms, clock }: ReleasedNormsDeps,
  assessmentId: number,
  language: string,
  partnerId: string | null,
  kind: NormKind,
  { signal }: Deadline,
): Promise<Told<N>> {
  const found = await norms.findSet({ assessmentId, language, kind, partnerId }, signal);
  if (found === undefined) return { reason: "too_few" };
  const { state, release } = found;
  const reason = withheldOf({ ...state, isReleased: state.releases > 0 }, normRule, clock());
  if (reason !== null) return { reason };
  if (release === null) return { reason: "withdrawn" };
  const { releasedAt, contributions: n } = release;
  const numbers = JSON.parse(Buffer.from(release.numbers).toString()) as N;
  return { released: { numbers, releasedAt, n, provisional: n < provisionalBelow } };
}
