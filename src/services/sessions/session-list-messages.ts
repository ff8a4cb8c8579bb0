// Lists of sessions as messages.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { subjectOf } from "../../domain/identifiers.ts";
import {
  AnswerProgress,
  AnswerProgressSchema,
  type ListSessionsRequest,
  SessionMode as ModeMessage,
  SessionModeSchema,
  SessionStatusSchema,
  type SessionSummarySchema,
} from "../../gen/assessment/v1/session_service_pb.ts";
import type { SubjectSessionSchema } from "../../gen/assessment/v1/subject_service_pb.ts";
import { byWord } from "../../kernel/json/members.ts";
import type { ProductMessages } from "../../products/product.ts";
import type { ProgressedSession, SessionListFilter, SubjectSession } from "./session-lists.ts";
import {
  requireKnown,
  sessionStatuses,
  toLifecycleMessage,
  toMembership,
  toProgressMessage,
} from "./session-messages.ts";

/** Modes of a session in messages. */
const modes = byWord(ModeMessage);
const answerProgresses = byWord(AnswerProgress);

/** The filters of a request. Throws `invalid_request` for a number that is none of an enum. */
export function toSessionFilter(request: ListSessionsRequest): SessionListFilter {
  requireKnown(SessionStatusSchema, request.status, "status");
  requireKnown(SessionModeSchema, request.mode, "mode");
  requireKnown(AnswerProgressSchema, request.progress, "progress");
  return {
    state: keyOf(sessionStatuses, request.status),
    mode: keyOf(modes, request.mode),
    externalId: request.externalId,
    version: request.version,
    groupId: request.groupId?.toLowerCase(),
    createdAfter: toDate(request.createdAfter),
    createdBefore: toDate(request.createdBefore),
    completedAfter: toDate(request.completedAfter),
    completedBefore: toDate(request.completedBefore),
    progress: keyOf(answerProgresses, request.progress),
    lastActivityBefore: toDate(request.lastActivityBefore),
  };
}

/** A session in the list of its partner. */
export function toSummaryMessage(
  partnerId: string,
  product: string,
  session: ProgressedSession,
  now: number,
): MessageInitShape<typeof SessionSummarySchema> {
  const subject = subjectOf(partnerId, session.externalId);
  return { product, subject, ...toEntry(session, now), ...toMembership(session) };
}

/** A session in the list of its person. */
export function toSubjectSessionMessage(
  session: SubjectSession,
  now: number,
  messages: ProductMessages,
): MessageInitShape<typeof SubjectSessionSchema> {
  const { totals } = session;
  return { ...toEntry(session, now), totals: totals === null ? undefined : messages.totals(totals) };
}

function toEntry(session: ProgressedSession, now: number) {
  const { id, mode, version } = session;
  const progress = toProgressMessage(session.progress);
  return {
    sessionId: id,
    mode: modes[mode],
    assessmentVersion: version,
    ...toLifecycleMessage(session, now),
    progress,
  };
}

/** The word that stands for a value of an enum; undefined for the unspecified one. */
function keyOf<K extends string>(words: Readonly<Record<K, number>>, value: number): K | undefined {
  return (Object.keys(words) as K[]).find((word) => words[word] === value);
}

function toDate(timestamp: Timestamp | undefined): Date | undefined {
  return timestamp && timestampDate(timestamp);
}
