// Lists of sessions, for a partner to find them again and to follow a person over time.

import { setImmediate as yieldToCalls } from "node:timers/promises";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { toSubject } from "../../domain/identifiers.ts";
import { computeProgress } from "../../domain/sessions/answers.ts";
import type { StoredSession } from "../../domain/sessions/session.ts";
import {
  AnswerProgress,
  type ListSessionsRequest,
  SessionMode,
  SessionStatus,
} from "../../gen/assessment/v1/session_service_pb.ts";
import type { ListSubjectSessionsRequest } from "../../gen/assessment/v1/subject_service_pb.ts";
import { findEnumWord } from "../../json/members.ts";
import { notFoundError } from "../../kernel/errors/refusal.ts";
import { parseUuid } from "../../kernel/ids.ts";
import type { SessionCall } from "../../pipeline/call.ts";
import { noFilter, type SessionFilter } from "../../store/sessions/session-list-store.ts";
import type { AssessmentCatalogue } from "../assessments/catalogue.ts";
import { sessionsPerYield } from "../batch-sizes.ts";
import type { Dependencies } from "../dependencies.ts";
import { parseCursor } from "../pages.ts";
import { describeHead } from "./sessions.ts";

const defaultSessionPageSize = 100;

/** A page of the sessions that match a filter. Throws `not_found` for an unknown product, and `invalid_request`. */
export async function listSessions(
  { sessionLists, catalogue }: Dependencies,
  request: ListSessionsRequest,
  { partnerId, signal, now }: SessionCall,
) {
  const { product } = request;
  await catalogue.getPublished(product);
  const position = readPosition(request, now());
  const { version } = request;
  const versionId = version === undefined ? null : ((await catalogue.findAssessmentId(product, version, signal)) ?? 0);
  const page = await sessionLists.listSessions(partnerId, product, toFilter(request, versionId), position, signal);
  const entries = await Promise.all(page.sessions.map((session) => toEntry(catalogue, session, position.now)));
  const sessions = entries.map((entry) => ({ ...entry, subject: toSubject(partnerId, entry.externalId) }));
  return { sessions, next: page.next ?? "" };
}

/** A page of the sessions of a person. Throws `not_found` if there is none in the product, and `invalid_request`. */
export async function listSubjectSessions(
  { sessionLists, catalogue }: Dependencies,
  request: ListSubjectSessionsRequest,
  { partnerId, signal, now }: SessionCall,
) {
  const { product, externalId } = request;
  await catalogue.getPublished(product);
  const position = readPosition(request, now());
  const page = await sessionLists.listSessions(partnerId, product, { ...noFilter, externalId }, position, signal);
  if (page.sessions.length === 0 && page.next === undefined && position.before === undefined) throw notFoundError();
  const { messages, results } = catalogue.product;
  const sessions = [];
  for (const session of page.sessions) {
    const entry = await toEntry(catalogue, session, position.now);
    const totals = session.results === null ? undefined : messages.toTotals(results.decode(session.results).overall);
    sessions.push({ ...entry, totals });
    if (sessions.length % sessionsPerYield === 0) await yieldToCalls();
  }
  return { externalId, sessions, next: page.next ?? "" };
}

async function toEntry(catalogue: AssessmentCatalogue, session: StoredSession, now: Date) {
  const assessment = await catalogue.getById(session.assessmentId);
  const progress = computeProgress(session, assessment);
  return { ...describeHead({ session, assessment }, now.getTime()), progress };
}

function readPosition({ after, pageSize }: Pick<ListSessionsRequest, "after" | "pageSize">, now: number) {
  return {
    before: parseCursor(after, parseUuid),
    limit: pageSize || defaultSessionPageSize,
    now: new Date(now),
  };
}

/** The filters of a request that the store knows. @param assessmentId 0: of no version */
function toFilter(request: ListSessionsRequest, assessmentId: number | null): SessionFilter {
  const { status, mode, progress, externalId = null, groupId } = request;
  return {
    state: findEnumWord(SessionStatus, status) ?? null,
    mode: findEnumWord(SessionMode, mode) ?? null,
    progress: findEnumWord(AnswerProgress, progress) ?? null,
    externalId,
    assessmentId,
    groupId: groupId?.toLowerCase() ?? null,
    createdAfter: toDate(request.createdAfter),
    createdBefore: toDate(request.createdBefore),
    completedAfter: toDate(request.completedAfter),
    completedBefore: toDate(request.completedBefore),
    lastActivityBefore: toDate(request.lastActivityBefore),
  };
}

function toDate(timestamp: Timestamp | undefined): Date | null {
  return timestamp === undefined ? null : timestampDate(timestamp);
}
