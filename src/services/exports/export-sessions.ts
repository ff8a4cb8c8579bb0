// Exports: all sessions of a partner, page after page. Nothing is held between two pages, neither a connection nor a
// transaction, so a reader may take its time.

import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import { beginningOf, type CuttablePage, cuttablePage, settledId } from "../../domain/exports/position.ts";
import { hasAnswer, wholeSheet } from "../../domain/sessions/answers.ts";
import type { Clock, Deadline } from "../../kernel/environment.ts";
import { notFound } from "../../kernel/errors/refusal.ts";
import type { Quality, Results } from "../../products/product.ts";
import type { ExportStore, StoredExport } from "../../store/exports/export-store.ts";
import type { AssessmentCatalogue } from "../assessments/catalogue.ts";

/** Rows of one statement: the driver reads all that have come at a stretch, which is a millisecond for so many. */
export const rowsAtATime = 50;

const defaultPageSize = 200;

export interface ExportQuery {
  /** The `nextCursor` of a response, or the id of a session; empty: from the first one. */
  readonly after: string;
  /** 0: the default. */
  readonly pageSize: number;
  readonly version?: number | undefined;
  /** Of this group only. */
  readonly groupId?: string | undefined;
}

export interface ExportDeps {
  readonly exports: ExportStore;
  readonly catalogue: AssessmentCatalogue;
  /** The time of everybody, also for a test twin: its own clock may be moved back, but not behind this one. */
  readonly clock: Clock;
  /** Whether exports are read from a replica, which lags behind. */
  readonly hasReplica: boolean;
}

export interface ExportedSession {
  readonly session: StoredExport;
  readonly assessment: PublishedAssessment;
  /** Null until scored. Decoded when they are asked for: those of a whole page are much to hold at a time. */
  results(): Results | null;
  /** Null until completed, and without answers. */
  response(): Quality["response"] | null;
}

export interface ExportPage extends CuttablePage {
  readonly sessions: readonly ExportedSession[];
}

/** A page of the sessions of a partner, by id. Throws `invalid_request`, `not_found`. */
export async function exportSessions(
  { exports, catalogue, clock, hasReplica }: ExportDeps,
  { partnerId, product }: { readonly partnerId: string; readonly product: string },
  query: ExportQuery,
  { signal }: Deadline,
): Promise<ExportPage> {
  const published = await catalogue.published(product);
  const { version } = query;
  if (version !== undefined && version > published.version) throw notFound();
  const size = query.pageSize === 0 ? defaultPageSize : query.pageSize;
  const now = clock();
  // Asked before the page is read: what the replica gets in between is after the mark.
  const newest = hasReplica ? (await exports.findNewestTime(partnerId, now, signal)).getTime() : now;
  const mark = settledId(Math.min(now, newest));
  const begin = beginningOf(query.after, now, mark);
  const groupId = query.groupId?.toLowerCase();
  const found = await readRows(exports, { partnerId, groupId, after: begin.position, size }, signal);
  const sessions: ExportedSession[] = [];
  // Asked after the page was read: a person who was erased before the request is not in the response.
  const stored = hasReplica ? await stillStored(exports, partnerId, found, signal) : found;
  for (const session of stored) {
    const assessment = await catalogue.byId(session.assessmentId);
    if (assessment.product !== product || (version !== undefined && assessment.version !== version)) continue;
    const results = () => (session.results === null ? null : catalogue.product.results.decode(session.results));
    const response = () =>
      session.completedAt === null || !hasAnswer(session.answers)
        ? null
        : assessment.quality().judge(wholeSheet(session, assessment), session.arrivals);
    sessions.push({ session, assessment, results, response });
  }
  const isEnd = found.length < size;
  const ids = sessions.map(({ session }) => session.id);
  return { sessions, ...cuttablePage(begin, ids, { last: found.at(-1)?.id ?? begin.position, isEnd, mark }) };
}

interface RowQuery {
  readonly partnerId: string;
  readonly groupId: string | undefined;
  readonly after: string;
  readonly size: number;
}

/** The rows of a page. Between two statements others have their turn. */
async function readRows(
  exports: ExportStore,
  { partnerId, groupId, after, size }: RowQuery,
  signal: AbortSignal,
): Promise<StoredExport[]> {
  const found: StoredExport[] = [];
  while (found.length < size) {
    const limit = Math.min(rowsAtATime, size - found.length);
    const rows = await exports.listExports(partnerId, groupId, found.at(-1)?.id ?? after, limit, signal);
    found.push(...rows);
    if (rows.length < limit) break;
  }
  return found;
}

/** The sessions that the database holds by now, each without what was deleted of it. */
export async function stillStored(
  exports: Pick<ExportStore, "listStored">,
  partnerId: string,
  found: readonly StoredExport[],
  signal: AbortSignal,
): Promise<StoredExport[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const stored = new Map((await exports.listStored(partnerId, ids, signal)).map((session) => [session.id, session]));
  return found.flatMap((session) => {
    const now = stored.get(session.id);
    if (now === undefined) return [];
    const { answersDeletedAt, resultsDeletedAt } = now;
    return {
      ...session,
      ...(answersDeletedAt === null ? {} : { answersDeletedAt }),
      ...(now.hasAnswers ? {} : { answers: [] }),
      ...(resultsDeletedAt === null ? {} : { resultsDeletedAt, results: null }),
    };
  });
}
