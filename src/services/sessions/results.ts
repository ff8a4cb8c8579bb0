// The results of a session as callers read them, with their derivation and quality, from its stored answers and its own
// assessment version; and what two of them show about what changed between them.

import type { Message } from "@bufbuild/protobuf";
import { chooseWording } from "../../domain/assessments/published-assessment.ts";
import { listRatingsByPosition } from "../../domain/sessions/answers.ts";
import { type AnsweredSession, compareCompletions, type StoredSession } from "../../domain/sessions/session.ts";
import type { GetChangeRequest } from "../../gen/assessment/v1/subject_service_pb.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { invalidFieldError, notFoundError } from "../../kernel/errors/refusal.ts";
import {
  type ChangeNorms,
  minForReliability,
  type NormAbout,
  type Quality,
  type ReliableChanges,
  type Results,
  type ResultsExplanation,
  type SessionComparison,
} from "../../products/product.ts";
import type { Dependencies } from "../dependencies.ts";
import { type Comparison, findComparison, findOwnNorms } from "../norms/norms.ts";
import { getSession, requireAnswers, requireResults, type SessionWithAssessment } from "./sessions.ts";

/** The results of a session, their derivation and quality, without norms, and the session that they belong to. */
export interface ExplainedSession extends SessionWithAssessment {
  readonly results: Results;
  readonly explanation: ResultsExplanation;
  readonly quality: Quality;
}

/** Results and their derivation. Throws `not_found` without them. Results that scoring would not reproduce are a defect. */
export function explainResults(
  deps: Pick<Dependencies, "catalogue" | "reportDefect">,
  { session, assessment }: SessionWithAssessment,
): ExplainedSession {
  const results = requireResults(deps, session);
  requireAnswers(session);
  const quality = assessAnswers({ session, assessment });
  const explanation = assessment.explain(session.answers, results, quality);
  if (!explanation.explainsResults) {
    deps.reportDefect(new Error(`session ${session.id} would be scored otherwise today`), "explanation");
  }
  return { results, explanation, quality, session, assessment };
}

/** Quality and error of a session, and its place in norms if any. Throws `not_found` once the answers are deleted. */
export async function getQuality(
  deps: Dependencies,
  record: SessionWithAssessment,
  deadline: Deadline,
): Promise<Quality> {
  requireAnswers(record.session);
  const quality = assessAnswers(record);
  return compareWithNorms(record, quality, quality.error && (await findComparison(deps, record.session, deadline)));
}

/** Quality and error of the answers of a session, without norms. */
export function assessAnswers({ session, assessment }: SessionWithAssessment<AnsweredSession>): Quality {
  return assessment.getQuality().assess(listRatingsByPosition(session, assessment), session.arrivals);
}

/** A quality with its place in norms, if there are any. */
export function compareWithNorms(
  { session, assessment }: SessionWithAssessment<AnsweredSession>,
  quality: Quality,
  norms: Comparison | null,
): Quality {
  const { error } = quality;
  if (error === null || norms === null) return quality;
  const { numbers, ...about } = norms;
  const values = assessment.getNorms().computeStandings(numbers, listRatingsByPosition(session, assessment), error);
  return { ...quality, norms: { ...about, values } };
}

/** The names of values and archetype of results. @param locale requested; without it the session's own */
export function nameResults(
  deps: Pick<Dependencies, "catalogue" | "reportDefect">,
  results: Results,
  record: SessionWithAssessment,
  locale: string | undefined,
) {
  const { session, assessment } = record;
  const explanation = session.answersDeletedAt === null ? explainResults(deps, record).explanation : null;
  const fit = explanation?.explainsResults === true ? explanation.archetype : null;
  return deps.catalogue.product.messages.toNames(results, chooseWording(assessment, [locale, session.locale]), fit);
}

/** A person of the caller's partner, and two of their sessions; by default those that were completed last. */
type ChangeQuery = Omit<GetChangeRequest, keyof Message> & { readonly partnerId: string };

/** The change between two sessions of a person. Throws `not_found`, and `invalid_request` for the wrong order. */
export async function getChange(deps: Dependencies, query: ChangeQuery, deadline: Deadline) {
  const { sessions, catalogue } = deps;
  const { product, partnerId, externalId } = query;
  const { signal } = deadline;
  const findCompleted = async (sessionId: string | undefined, find: () => Promise<StoredSession | undefined>) => {
    const session =
      sessionId === undefined
        ? await find()
        : (await getSession(deps, { partnerId, product, sessionId }, deadline)).session;
    if (session === undefined || session.externalId !== externalId || session.completedAt === null)
      throw notFoundError();
    requireAnswers(session);
    const assessment = await catalogue.getById(session.assessmentId);
    return { session: { ...session, completedAt: session.completedAt }, assessment };
  };
  const to = await findCompleted(query.to, () => sessions.findLatestCompleted(product, partnerId, externalId, signal));
  const from = await findCompleted(query.from, () => sessions.findCompletedBefore(to.session, signal));
  if (compareCompletions(from.session, to.session) > 0) {
    const detail = "The first session must be completed before the second.";
    throw invalidFieldError(["from"], "not_earlier", detail);
  }
  const comparison = to.assessment.compare(toComparable(from), toComparable(to));
  return { from, to, comparison, reliable: await findReliable(deps, from, to, comparison, deadline) };
}

/** By the changes of people who answered again, or else by the error of measurement. Both sessions are of one version. */
async function findReliable(
  deps: Dependencies,
  { session: from }: SessionWithAssessment,
  { session: to, assessment }: SessionWithAssessment,
  comparison: SessionComparison,
  deadline: Deadline,
): Promise<ReliableChanges | null> {
  if (comparison.statements === null) return null;
  if (from.assessmentId !== to.assessmentId || from.shownLanguage !== to.shownLanguage) return null;
  const answers = [listRatingsByPosition(from, assessment), listRatingsByPosition(to, assessment)] as const;
  const judgeChanges = (about: NormAbout, norms: ChangeNorms): ReliableChanges | null => {
    const values = assessment.getNorms().judgeChanges(comparison, answers, norms);
    return values && { basis: norms.basis, ...about, values };
  };
  const retests = await findOwnNorms(deps, to, "retests", deadline);
  if (retests !== null) return judgeChanges(retests.about, { basis: "retest", numbers: retests.numbers });
  const sessions = await findOwnNorms(deps, to, "sessions", deadline);
  if (sessions === null || sessions.about.n < minForReliability) return null;
  return judgeChanges(sessions.about, { basis: "reliability", numbers: sessions.numbers });
}

/** A session as comparisons read it. */
export function toComparable({ session, assessment }: SessionWithAssessment<AnsweredSession>) {
  return {
    assessor: assessment.getQuality(),
    answers: listRatingsByPosition(session, assessment),
    times: session.arrivals,
  };
}
