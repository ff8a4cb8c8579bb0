// What a report compares a session with: the one that the same person completed before.

import type { Deadline } from "../../kernel/environment.ts";
import type { ReportComparison } from "../../products/product.ts";
import { comparedOf } from "../sessions/results/change.ts";
import type { ExplainedSession } from "../sessions/results/explanations.ts";
import { getSession, type SessionDeps } from "../sessions/sessions.ts";

/** The comparison with the session before. Null: there is none, its answers are deleted, or nobody knows whose it is. */
export async function findReportComparison(
  deps: Pick<SessionDeps, "sessions" | "catalogue">,
  { session, assessment }: ExplainedSession,
  deadline: Deadline,
): Promise<ReportComparison | null> {
  const { completedAt, externalId, partnerId } = session;
  if (completedAt === null || externalId === null) return null;
  const { product } = assessment;
  const later = { id: session.id, completedAt };
  const outcome = await deps.sessions.findOutcomeBefore(product, partnerId, externalId, later, deadline.signal);
  if (outcome === undefined) return null;
  const before = await getSession(deps, { partnerId, product, sessionId: outcome.sessionId }, deadline);
  const { completedAt: since, answersDeletedAt } = before.session;
  if (since === null || answersDeletedAt !== null) return null;
  const { statements } = assessment.compare(comparedOf(before), comparedOf({ session, assessment }));
  return { since, statements };
}
