// Change: what two completed sessions of one person show about what changed between them.

import type { Message } from "@bufbuild/protobuf";
import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import { wholeSheet } from "../../domain/sessions/answers.ts";
import type { StoredSession } from "../../domain/sessions/session.ts";
import type { GetChangeRequest } from "../../gen/assessment/v1/subject_service_pb.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { invalidRequest, notFound } from "../../kernel/errors/refusal.ts";
import {
  type ChangeNorms,
  leastForReliability,
  type NormAbout,
  type ReliableChanges,
  type SessionComparison,
} from "../../products/product.ts";
import { findOwnNorms } from "../norms/norms.ts";
import type { ExplainedSession, QualityDeps } from "./results.ts";
import { getSession, requireAnswers } from "./sessions.ts";

/** A person of the caller's partner, and two of their sessions; by default those that were completed last. */
type ChangeQuery = Omit<GetChangeRequest, keyof Message> & { readonly partnerId: string };

/** A completed session with its assessment version. */
interface CompletedSession {
  readonly session: StoredSession & { readonly completedAt: Date };
  readonly assessment: PublishedAssessment;
}

/**
 * What changed from one completed session of a person to a later one.
 * Throws `not_found` if either is not the person's or its answers are deleted, `invalid_request` if the first is not the earlier.
 */
export async function getChange(deps: QualityDeps, query: ChangeQuery, deadline: Deadline) {
  const { sessions, catalogue } = deps;
  const { product, partnerId, externalId } = query;
  const { signal } = deadline;
  const completed = async (sessionId: string | undefined, find: () => Promise<StoredSession | undefined>) => {
    const session =
      sessionId === undefined
        ? await find()
        : (await getSession(deps, { partnerId, product, sessionId }, deadline)).session;
    if (session === undefined || session.externalId !== externalId || session.completedAt === null) throw notFound();
    requireAnswers(session);
    const assessment = await catalogue.byId(session.assessmentId);
    return { session: { ...session, completedAt: session.completedAt }, assessment };
  };
  const to = await completed(query.to, () => sessions.findLatestCompleted(product, partnerId, externalId, signal));
  const from = await completed(query.from, () =>
    sessions.findCompletedBefore(product, partnerId, externalId, to.session, signal),
  );
  if (!isEarlier(from, to)) {
    const detail = "The first session must be completed before the second.";
    throw invalidRequest([{ path: ["from"], code: "not_earlier", detail }]);
  }
  const comparison = to.assessment.compare(comparedOf(from), comparedOf(to));
  return { from, to, comparison, reliable: await findReliable(deps, from, to, comparison, deadline) };
}

/** By the changes of people who answered again, or else by the error of measurement. Both sessions are of one version. */
async function findReliable(
  deps: QualityDeps,
  { session: from }: CompletedSession,
  { session: to, assessment }: CompletedSession,
  comparison: SessionComparison,
  deadline: Deadline,
): Promise<ReliableChanges | null> {
  if (comparison.statements === null) return null;
  if (from.assessmentId !== to.assessmentId || from.shownLanguage !== to.shownLanguage) return null;
  const answers = [wholeSheet(from, assessment), wholeSheet(to, assessment)] as const;
  const judged = (about: NormAbout, norms: ChangeNorms): ReliableChanges | null => {
    const values = assessment.norms().reliableChanges(comparison, answers, norms);
    return values && { basis: norms.basis, ...about, values };
  };
  const retests = await findOwnNorms(deps, to, "retests", deadline);
  if (retests !== null) return judged(retests.about, { basis: "retest", numbers: retests.numbers });
  const sessions = await findOwnNorms(deps, to, "sessions", deadline);
  if (sessions === null || sessions.about.n < leastForReliability) return null;
  return judged(sessions.about, { basis: "reliability", numbers: sessions.numbers });
}

/** A session as comparisons read it. */
export function comparedOf({ session, assessment }: Pick<ExplainedSession, "session" | "assessment">) {
  return {
    assessor: assessment.quality(),
    answers: wholeSheet(session, assessment),
    times: session.arrivals,
  };
}

function isEarlier({ session: one }: CompletedSession, { session: other }: CompletedSession): boolean {
  const difference = one.completedAt.getTime() - other.completedAt.getTime();
  return difference < 0 || (difference === 0 && one.id < other.id);
}
