// Norms that a person is compared with, of their partner's own people, or else of all partners; and NormService.

import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import type { StoredSession } from "../../domain/sessions/session.ts";
import type { GetNormsRequest, NormService } from "../../gen/assessment/v1/norm_service_pb.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { invalidFieldError } from "../../kernel/errors/refusal.ts";
import type { PartnerCall, ServiceImpl } from "../../pipeline/call.ts";
import {
  findState,
  type NormAbout,
  type NormKind,
  type NormNumbers,
  type PooledNumbers,
  type PoolSource,
  type RetestNumbers,
} from "../../products/product.ts";
import { toAssessmentForm } from "../assessments/assessment-service.ts";
import type { CallDependencies, Dependencies } from "../dependencies.ts";

/** The language of sessions whose statements were shown in an unknown language. */
export const unknownLanguage = "und";
/** Norms of fewer people are provisional: at the median, a percentile rank is good to 4.9 points. */
const provisionalBelow = 400;

/** The key of the norms of a person. */
type NormQuery = Pick<StoredSession, "assessmentId" | "partnerId" | "shownLanguage">;

interface NumbersByKind {
  readonly sessions: NormNumbers;
  readonly retests: RetestNumbers;
}

/** Norms of the partner's own people; null if there are too few. */
export async function findOwnNorms<K extends NormKind>(
  { norms, catalogue }: Dependencies,
  { assessmentId, partnerId, shownLanguage }: NormQuery,
  kind: K,
  { signal }: Deadline,
): Promise<{ readonly about: NormAbout; readonly numbers: NumbersByKind[K] } | null> {
  const language = shownLanguage ?? unknownLanguage;
  const storedNumbers = await norms.findNumbers(partnerId, { assessmentId, language, kind }, signal);
  if (storedNumbers === undefined) return null;
  const { computedAt, people: n } = storedNumbers;
  const translationState = findState((await catalogue.getById(assessmentId)).wordings, language);
  const source = { released: computedAt.toISOString(), n, provisional: n < provisionalBelow };
  return {
    about: { ...source, language, translationState },
    numbers: JSON.parse(Buffer.from(storedNumbers.numbers).toString()),
  };
}

/** The last release of all partners; null before the first. */
export async function findPooledNorms(
  { normPools }: Dependencies,
  assessment: PublishedAssessment,
  language: string,
  { signal }: Deadline,
): Promise<{ readonly about: NormAbout & PoolSource; readonly numbers: PooledNumbers } | null> {
  const release = await normPools.findRelease({ assessmentId: assessment.id, language }, signal);
  if (release === undefined) return null;
  const numbers = assessment.getNorms().computePooledNumbers(release.histograms);
  const source = { released: release.releasedAt.toISOString(), number: release.number, language };
  const translationState = findState(assessment.wordings, language);
  return { about: { ...source, n: numbers.n, provisional: numbers.n < provisionalBelow, translationState }, numbers };
}

/** The partner's own norms for a person, or else those of all partners, or null. */
export async function findComparison(deps: Dependencies, query: NormQuery, deadline: Deadline) {
  const own = await findOwnNorms(deps, query, "sessions", deadline);
  const assessment = await deps.catalogue.getById(query.assessmentId);
  const language = query.shownLanguage ?? unknownLanguage;
  const norms = own ?? (await findPooledNorms(deps, assessment, language, deadline));
  return norms && { ...norms.about, scope: own ? ("partner" as const) : ("pooled" as const), numbers: norms.numbers };
}

export type Comparison = NonNullable<Awaited<ReturnType<typeof findComparison>>>;

/** The implementation of NormService. */
export function createNormService(deps: CallDependencies): ServiceImpl<typeof NormService> {
  return {
    getNorms: (request, call) => getNorms(deps, request, call, call.scopes.has("results:read")),
  };
}

/**
 * Norms of one form in one language. Throws `not_found` (product, version), and `invalid_request` for a language without
 * statements, and for a form that the version does not have.
 * @param maySeeOwn whether the caller may read individual results, and so exact numbers
 */
export async function getNorms(
  deps: Dependencies,
  { product, language = unknownLanguage, version, form }: Omit<GetNormsRequest, "$typeName">,
  call: PartnerCall,
  maySeeOwn: boolean,
) {
  const { catalogue } = deps;
  const { messages } = catalogue.product;
  const assessment = await catalogue.getVersion(product, version, toAssessmentForm(form), call);
  const languages = [unknownLanguage, ...assessment.wordings.map((each) => each.language)];
  if (!languages.includes(language)) {
    const detail = `The version has statements in these languages: ${languages.slice(1).join(", ")}; \`und\` is not known.`;
    throw invalidFieldError(["language"], "unknown_value", detail);
  }
  const query = { assessmentId: assessment.id, partnerId: call.partnerId, shownLanguage: language };
  const sessions = maySeeOwn ? await findOwnNorms(deps, query, "sessions", call) : null;
  const retests = maySeeOwn ? await findOwnNorms(deps, query, "retests", call) : null;
  const withheldReason = maySeeOwn ? "too_few" : "not_permitted";
  const pooledNorms = await findPooledNorms(deps, assessment, language, call);
  return {
    product: assessment.product,
    version: assessment.version,
    form: assessment.form,
    language,
    translationState: findState(assessment.wordings, language),
    partner: {
      norms: sessions && messages.toNorms(sessions.about, sessions.numbers),
      reason: sessions ? null : withheldReason,
      retest: retests && messages.toRetestNorms(retests.about, retests.numbers),
      retestReason: retests ? null : withheldReason,
    },
    pooled: {
      release: pooledNorms && messages.toPooledNorms(pooledNorms.about, pooledNorms.numbers),
      reason: pooledNorms ? null : "waiting",
    },
  };
}
