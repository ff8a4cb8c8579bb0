// Lists of sessions, for a partner to find them again and to see what became of a person over time.

import { createHash } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { parseUuid, subjectOf } from "../../domain/identifiers.ts";
import {
  type AnswerProgress,
  answerProgressOf,
  progressOf,
  type SessionProgress,
} from "../../domain/sessions/progress.ts";
import {
  type ListSessionsRequest,
  SessionMode as ModeMessage,
  AnswerProgress as ProgressMessage,
  type SessionSummarySchema,
} from "../../gen/assessment/v1/session_service_pb.ts";
import type { SubjectSessionSchema } from "../../gen/assessment/v1/subject_service_pb.ts";
import type { Clock, Deadline } from "../../kernel/environment.ts";
import { invalidRequest, notFound } from "../../kernel/errors/refusal.ts";
import { byWord } from "../../kernel/json/members.ts";
import type { ProductMessages, Totals } from "../../products/product.ts";
import {
  type ListedOutcome,
  type ListedSession,
  maxLookedAt,
  type SessionFilter,
  type SessionListStore,
} from "../../store/sessions/session-list-store.ts";
import type { AssessmentCatalogue } from "../assessments/catalogue.ts";
import { sessionStatuses, toLifecycleMessage, toMembership, toProgressMessage } from "./session-messages.ts";

export const defaultSessionPageSize = 100;

export interface SessionListDeps {
  readonly sessionLists: SessionListStore;
  readonly catalogue: AssessmentCatalogue;
  readonly clock: Clock;
}

/** Which page of a list. */
export interface PageQuery {
  readonly partnerId: string;
  readonly product: string;
  /** 0: the default. */
  readonly pageSize: number;
  /** The cursor of the page before; empty for the first page. */
  readonly after: string;
}

/** What the sessions of a list have in common, with what follows from their answers. Undefined: anything. */
export interface SessionListFilter extends SessionFilter {
  readonly progress: AnswerProgress | undefined;
  readonly lastActivityBefore: Date | undefined;
}

export interface SessionPage<T> {
  /** Newest first. There may be fewer than asked for, or none, although there are more. */
  readonly sessions: readonly T[];
  /** The cursor of the next page; empty on the last one. */
  readonly next: string;
}

/** A session of a list, and how far it is. */
export interface ProgressedSession extends ListedSession {
  readonly progress: SessionProgress;
}

/** A session of a person, with the totals of its results. */
export interface SubjectSession extends ProgressedSession {
  /** Null until scored. */
  readonly totals: Totals | null;
}

/**
 * A page of the sessions that a filter lets pass. Whatever the filter, no more than `maxLookedAt` are looked at. Throws
 * `not_found` for an unknown product, and `invalid_request`.
 */
export async function listSessions(
  { sessionLists, catalogue, clock }: SessionListDeps,
  query: PageQuery & SessionListFilter,
  deadline: Deadline,
): Promise<SessionPage<ProgressedSession>> {
  const { partnerId, product } = query;
  await catalogue.published(product);
  const asked = ["sessions", partnerId, product, ...filterValues(query)];
  const position = positionOf(query, asked, clock);
  // Nothing happens to a session before it is created.
  const filter = { ...query, createdBefore: earlier(query.createdBefore, query.lastActivityBefore) };
  const limit = isOfProgress(query) ? maxLookedAt : position.limit;
  const page = await sessionLists.listSessions(partnerId, product, filter, { ...position, limit }, deadline.signal);
  const looked = await Promise.all(page.sessions.map((session) => withProgress(catalogue, session)));
  const passing = looked.filter(({ progress }) => passes(query, progress));
  const sessions = passing.slice(0, position.limit);
  const next = passing.length > sessions.length ? sessions.at(-1)?.id : page.next;
  return { sessions, next: cursorOf(next, asked) };
}

/**
 * A page of the sessions of a person. Throws `not_found` for an unknown person, for another partner's and for one
 * without a session in the product alike, and `invalid_request`.
 */
export async function listSubjectSessions(
  { sessionLists, catalogue, clock }: SessionListDeps,
  query: PageQuery & { readonly externalId: string },
  { signal }: Deadline,
): Promise<SessionPage<SubjectSession>> {
  const { partnerId, product, externalId } = query;
  await catalogue.published(product);
  const asked = ["person", partnerId, product, externalId];
  const position = positionOf(query, asked, clock);
  const page = await sessionLists.listSubjectSessions(partnerId, product, externalId, position, signal);
  if (page.sessions.length === 0 && page.next === undefined && position.before === undefined) throw notFound();
  const sessions = await Promise.all(page.sessions.map((session) => withTotals(catalogue, session)));
  return { sessions, next: cursorOf(page.next, asked) };
}

async function withProgress<T extends ListedSession>(catalogue: AssessmentCatalogue, session: T) {
  return { ...session, progress: progressOf(session, await catalogue.byId(session.assessmentId)) };
}

async function withTotals(catalogue: AssessmentCatalogue, session: ListedOutcome): Promise<SubjectSession> {
  const { results, ...listed } = await withProgress(catalogue, session);
  if (results === null) return { ...listed, totals: null };
  return { ...listed, totals: catalogue.product.results.decode(results).overall };
}

function isOfProgress({ progress, lastActivityBefore }: SessionListFilter): boolean {
  return progress !== undefined || lastActivityBefore !== undefined;
}

function passes(filter: SessionListFilter, progress: SessionProgress): boolean {
  const { lastActivityAt } = progress;
  if (filter.progress !== undefined && answerProgressOf(progress) !== filter.progress) return false;
  if (filter.lastActivityBefore === undefined) return true;
  return lastActivityAt < filter.lastActivityBefore;
}

function earlier(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

function positionOf({ after, pageSize }: PageQuery, asked: readonly unknown[], clock: Clock) {
  return {
    before: after === "" ? undefined : readListCursor(after, asked),
    limit: pageSize === 0 ? defaultSessionPageSize : pageSize,
    now: new Date(clock()),
  };
}

function cursorOf(next: string | undefined, asked: readonly unknown[]): string {
  return next === undefined ? "" : listCursor(next, asked);
}

function filterValues(filter: SessionListFilter): unknown[] {
  const { state, mode, externalId, version, groupId, progress, lastActivityBefore } = filter;
  const { createdAfter, createdBefore, completedAfter, completedBefore } = filter;
  const filters = [state, mode, externalId, version, createdAfter, createdBefore, completedAfter, completedBefore];
  // Without them a list is what it was before there were such filters: its cursor may be older than this release.
  const newer = groupId === undefined ? filters : [...filters, groupId];
  return isOfProgress(filter) ? [...newer, { progress, lastActivityBefore }] : newer;
}

/** Characters of the base64url of 12 bytes. */
const sealLength = 16;

/** The cursor after a session. @param asked all that the list depends on, as values of JSON */
export function listCursor(sessionId: string, asked: readonly unknown[]): string {
  return sessionId.replaceAll("-", "") + seal(sessionId, asked);
}

/** The session that a cursor comes after; throws `invalid_request` for one that belongs to no page of this list. */
export function readListCursor(cursor: string, asked: readonly unknown[]): string {
  const [, ...parts] = /^(.{8})(.{4})(.{4})(.{4})(.{12})/.exec(cursor) ?? [];
  const sessionId = parseUuid(parts.join("-"));
  if (sessionId !== undefined && listCursor(sessionId, asked) === cursor) return sessionId;
  const detail = "A cursor is the `next` of a page of this very list. Keep the filters, or begin without a cursor.";
  throw invalidRequest([{ path: ["after"], code: "invalid_cursor", detail }]);
}

function seal(sessionId: string, asked: readonly unknown[]): string {
  const digest = createHash("sha256").update(JSON.stringify([sessionId, ...asked]));
  return digest.digest("base64url").slice(0, sealLength);
}

/** Modes of a session in messages. */
const modes = byWord(ModeMessage);
const answerProgresses = byWord(ProgressMessage);

/** The filters of a request. Throws `invalid_request` for a number that is none of an enum. */
export function toSessionFilter(request: ListSessionsRequest): SessionListFilter {
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
