// SubjectService: results of a person over all of their sessions, and erasing the person.

import type { SubjectService } from "../../gen/assessment/v1/subject_service_pb.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { notFoundError, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import { findLocaleViolations } from "../../kernel/formats.ts";
import type { ServiceImpl } from "../../pipeline/call.ts";
import type { CallDependencies, Dependencies } from "../dependencies.ts";
import { getChange, getQuality, nameResults } from "../sessions/results.ts";
import { listSubjectSessions } from "../sessions/session-lists.ts";
import { requireResults } from "../sessions/sessions.ts";

/** The implementation of SubjectService. */
export function createSubjectService(deps: CallDependencies): ServiceImpl<typeof SubjectService> {
  const { messages } = deps.catalogue.product;
  return {
    /** Throws `not_found` without a completed session of the person, and if its results were deleted. */
    async getLatestResults({ product, externalId, quality, includeNames, locale }, call) {
      throwIfInvalid(findLocaleViolations(locale));
      const { partnerId, signal } = call;
      const session = await deps.sessions.findLatestCompleted(product, partnerId, externalId, signal);
      if (session === undefined) throw notFoundError();
      const { id: sessionId, completedAt, answersDeletedAt, resultsDeletedAt } = session;
      const isUnscored = session.results === null && answersDeletedAt === null && resultsDeletedAt === null;
      const results = isUnscored ? null : requireResults(deps, session);
      const record = { session, assessment: await deps.catalogue.getById(session.assessmentId) };
      return {
        externalId,
        sessionId,
        completedAt,
        results: results === null ? undefined : messages.toResults(results),
        quality: quality ? messages.toQuality(await getQuality(deps, record, call)) : undefined,
        names: includeNames && results ? nameResults(deps, results, record, locale) : undefined,
      };
    },

    async getChange(request, call) {
      const { partnerId } = call;
      const { from, to, comparison, reliable } = await getChange(deps, { ...request, partnerId }, call);
      const [one, other] = [from, to].map(({ session: { id, completedAt } }) => {
        call.auditSubjects.push({ sessionId: id });
        return { sessionId: id, completedAt };
      });
      return { externalId: request.externalId, from: one, to: other, change: messages.toChange(comparison, reliable) };
    },

    async listSubjectSessions(request, call) {
      const page = await listSubjectSessions(deps, request, call);
      for (const { sessionId, totals } of page.sessions)
        if (totals !== undefined) call.auditSubjects.push({ sessionId });
      return page;
    },

    async eraseSubject({ product, externalId }, call) {
      // An erasure covers every product; the one in the request still has to exist, as in any other call.
      await deps.catalogue.getPublished(product);
      return { sessionsErased: await eraseSubject(deps, { partnerId: call.partnerId, externalId }, call) };
    },
  };
}

/** Removes all that is stored about a person. @returns the number of sessions. Throws `not_found` if there is none. */
export async function eraseSubject(
  { sessions, clock, batchSizes }: Dependencies,
  { partnerId, externalId }: { partnerId: string; externalId: string },
  { signal }: Deadline,
): Promise<number> {
  let sessionsErased = 0;
  for (;;) {
    // Until there is none: one that continues another may have taken over its answers meanwhile.
    const ids = await sessions.listSessionIds(partnerId, externalId, batchSizes.erasures, signal);
    if (ids.length === 0) break;
    sessionsErased += await sessions.eraseSessions(ids, { partnerId, erasedAt: new Date(clock()) }, signal);
  }
  if (sessionsErased === 0) throw notFoundError();
  return sessionsErased;
}
