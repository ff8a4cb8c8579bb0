// Lists of sessions, for a partner to find them again and to follow a person over time.

import { createHash } from "node:crypto";
import { setImmediate as yieldToCalls } from "node:timers/promises";
import { create, type DescMessage, type MessageShape, toJsonString } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { toSubject } from "../../domain/identifiers.ts";
import { computeProgress } from "../../domain/sessions/progress.ts";
import type { StoredSession } from "../../domain/sessions/session.ts";
import { computeState } from "../../domain/sessions/session-states.ts";
import {
  AnswerProgress,
  type ListSessionsRequest,
  ListSessionsRequestSchema,
  type ListSessionsResponse,
  ListSessionsResponseSchema,
  SessionMode,
  SessionStatus,
  SessionSummarySchema,
} from "../../gen/assessment/v1/session_service_pb.ts";
import {
  type ListSubjectSessionsRequest,
  ListSubjectSessionsRequestSchema,
  type ListSubjectSessionsResponse,
  ListSubjectSessionsResponseSchema,
  SubjectSessionSchema,
} from "../../gen/assessment/v1/subject_service_pb.ts";
import { byWord, toWord } from "../../json/members.ts";
import { fromModel } from "../../json/message-from-model.ts";
import { sessionsPerBatch } from "../../kernel/calls/yield.ts";
import type { Clock } from "../../kernel/environment.ts";
import { invalidRequest, notFound } from "../../kernel/errors/refusal.ts";
import { parseUuid } from "../../kernel/ids.ts";
import type { PartnerCall } from "../../pipeline/call.ts";
import { anySession, type SessionFilter } from "../../store/sessions/session-list-store.ts";
import type { AssessmentCatalogue } from "../assessments/catalogue.ts";
import type { Needs } from "../dependencies.ts";

const defaultSessionPageSize = 100;

export type SessionListDeps = Needs<"sessionLists" | "catalogue" | "clock">;

/** A page of the sessions that match a filter. Throws `not_found` for an unknown product, and `invalid_request`. */
export async function listSessions(
  { sessionLists, catalogue, clock }: SessionListDeps,
  request: ListSessionsRequest,
  { partnerId, signal }: PartnerCall,
): Promise<ListSessionsResponse> {
  const { product } = request;
  await catalogue.findPublished(product);
  const list = identifyList(ListSessionsRequestSchema, partnerId, request);
  const position = readPosition(request, list, clock);
  const { version } = request;
  const versionId = version === undefined ? null : ((await catalogue.findVersionId(product, version, signal)) ?? 0);
  const page = await sessionLists.listSessions(partnerId, product, toFilter(request, versionId), position, signal);
  const entries = await Promise.all(page.sessions.map((session) => toEntry(catalogue, session, position.now)));
  const sessions = entries.map((entry) => toSummary({ ...entry, subject: toSubject(partnerId, entry.externalId) }));
  return create(ListSessionsResponseSchema, { sessions, next: formatNext(page.next, list) });
}

/**
 * A page of the sessions of a person. Throws `not_found` for an unknown person, for another partner's and for one
 * without a session in the product, and `invalid_request`.
 */
export async function listSubjectSessions(
  { sessionLists, catalogue, clock }: SessionListDeps,
  request: ListSubjectSessionsRequest,
  { partnerId, signal }: PartnerCall,
): Promise<ListSubjectSessionsResponse> {
  const { product, externalId } = request;
  await catalogue.findPublished(product);
  const list = identifyList(ListSubjectSessionsRequestSchema, partnerId, request);
  const position = readPosition(request, list, clock);
  const page = await sessionLists.listSessions(partnerId, product, { ...anySession, externalId }, position, signal);
  if (page.sessions.length === 0 && page.next === undefined && position.before === undefined) throw notFound();
  const { messages, results } = catalogue.product;
  const sessions = [];
  for (const session of page.sessions) {
    const entry = await toEntry(catalogue, session, position.now);
    const totals = session.results === null ? undefined : messages.totals(results.decode(session.results).overall);
    sessions.push({ ...toSubjectSession(entry), totals });
    if (sessions.length % sessionsPerBatch === 0) await yieldToCalls();
  }
  return create(ListSubjectSessionsResponseSchema, { externalId, sessions, next: formatNext(page.next, list) });
}

const toSummary = fromModel(SessionSummarySchema);
const toSubjectSession = fromModel(SubjectSessionSchema);

async function toEntry(catalogue: AssessmentCatalogue, session: StoredSession, now: Date) {
  const assessment = await catalogue.byId(session.assessmentId);
  const { version: assessmentVersion, form } = assessment;
  const progress = computeProgress(session, assessment);
  return {
    ...session,
    sessionId: session.id,
    assessmentVersion,
    form,
    progress,
    status: computeState(session, now.getTime()),
  };
}

/** The parameters of a page of a list. */
interface PageRequest {
  /** 0: the default. */
  readonly pageSize: number;
  /** The cursor of the previous page; empty for the first page. */
  readonly after: string;
}

/** The list that a request is for, whatever its page. */
export function identifyList<M extends DescMessage>(
  schema: M,
  partnerId: string,
  request: MessageShape<M> & PageRequest,
): string {
  return `${schema.typeName} ${partnerId} ${toJsonString(schema, { ...request, pageSize: 0, after: "" })}`;
}

function readPosition({ after, pageSize }: PageRequest, list: string, clock: Clock) {
  return {
    before: after === "" ? undefined : parseListCursor(after, list),
    limit: pageSize === 0 ? defaultSessionPageSize : pageSize,
    now: new Date(clock()),
  };
}

function formatNext(next: string | undefined, list: string): string {
  return next === undefined ? "" : formatListCursor(next, list);
}

/** The filters of a request that the store knows. @param versionId 0: of no version */
function toFilter(request: ListSessionsRequest, versionId: number | null): SessionFilter {
  const { status, mode, progress, externalId = null, groupId } = request;
  return {
    state: toWord(byWord(SessionStatus), status) ?? null,
    mode: toWord(byWord(SessionMode), mode) ?? null,
    progress: toWord(byWord(AnswerProgress), progress) ?? null,
    externalId,
    versionId,
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

/** Characters of the base64url of 12 bytes. */
const sealLength = 16;

/** The cursor after a session. @param list as `identifyList` names it */
export function formatListCursor(sessionId: string, list: string): string {
  return sessionId.replaceAll("-", "") + seal(sessionId, list);
}

/** The session that a cursor points after; throws `invalid_request` for one that does not belong to this list. */
export function parseListCursor(cursor: string, list: string): string {
  const [, ...parts] = /^(.{8})(.{4})(.{4})(.{4})(.{12})/.exec(cursor) ?? [];
  const sessionId = parseUuid(parts.join("-"));
  if (sessionId !== undefined && formatListCursor(sessionId, list) === cursor) return sessionId;
  const detail = "A cursor is the `next` of a page of this very list. Keep the filters, or begin without a cursor.";
  throw invalidRequest([{ path: ["after"], code: "invalid_cursor", detail }]);
}

function seal(sessionId: string, list: string): string {
  return createHash("sha256").update(`${sessionId} ${list}`).digest("base64url").slice(0, sealLength);
}
