// Exports: all sessions of a partner, page after page. Nothing is held between two pages, neither a connection nor a
// transaction, so a reader may take its time.

import type { Clock, Deadline } from "../../kernel/environment.ts";
import { type ExportQuery, exportQueryFaults, maxExportPageSize } from "../../kernel/requests/export-query.ts";
import type { Results } from "../../products/values-bridge/scoring/results.ts";
import type { AssessmentCatalogue } from "../assessments/catalogue.ts";
import type { PublishedAssessment } from "../assessments/published-assessment.ts";
import { notFound, refuseIfAny } from "../errors.ts";
import type { ExportStore, StoredExport } from "./export-port.ts";
import { stillHeld } from "./still-held.ts";

/** What every id sorts behind. */
export const beforeAllIds = "00000000-0000-0000-0000-000000000000";
/** A call has 30 seconds at most, and clocks of processes differ by 5: an id that is older is stored, or never will be. */
const settlingMs = 60_000;
/** Rows of one statement: the driver reads all that have come at a stretch, which is a millisecond for so many. */
export const rowsAtATime = 50;

export interface ExportDeps {
  readonly exports: ExportStore;
  readonly catalogue: AssessmentCatalogue;
  readonly clock: Clock;
  /** Whether exports are read from a replica, which lags behind. */
  readonly hasReplica: boolean;
}

export interface ExportedSession {
  readonly session: StoredExport;
  readonly assessment: PublishedAssessment;
  /** Null until scored. Decoded when they are asked for: those of a whole page are much to hold at a time. */
  results(): Results | null;
}

export interface ExportPage {
  readonly sessions: readonly ExportedSession[];
  /** Id behind which the next page begins. */
  readonly nextCursor: string;
  readonly isEnd: boolean;
}

/** A page of the sessions of a partner, by id. Throws `invalid_request`, `not_found`. */
export async function exportSessions(
  { exports, catalogue, clock, hasReplica }: ExportDeps,
  { partnerId, product }: { readonly partnerId: string; readonly product: string },
  query: ExportQuery,
  { signal }: Deadline,
): Promise<ExportPage> {
  refuseIfAny(exportQueryFaults(query));
  const published = await catalogue.published(product);
  const { version } = query;
  if (version !== undefined && version > published.version) throw notFound();
  const size = query.pageSize === 0 ? maxExportPageSize : query.pageSize;
  const after = query.after === "" ? beforeAllIds : query.after.toLowerCase();
  // Asked before the page is read: what the replica gets in between is behind the cursor, or comes again.
  const replicatedUpTo = hasReplica
    ? (await exports.findNewestTime(partnerId, signal)).getTime()
    : Number.POSITIVE_INFINITY;
  const found = await readRows(exports, { partnerId, after, size }, signal);
  const sessions: ExportedSession[] = [];
  // Asked behind the page: whoever was erased before it was asked for is not in it.
  const told = hasReplica ? await stillHeld(exports, partnerId, found, signal) : found;
  for (const session of told) {
    const assessment = await catalogue.byId(session.assessmentId);
    if (assessment.product !== product || (version !== undefined && assessment.version !== version)) continue;
    const results = () => (session.results === null ? null : assessment.resultsCodec.decode(session.results));
    sessions.push({ session, assessment, results });
  }
  const last = found.at(-1)?.id ?? after;
  if (found.length === size) return { sessions, nextCursor: last, isEnd: false };
  return { sessions, nextCursor: settled(last, Math.min(clock(), replicatedUpTo)), isEnd: true };
}

/** The rows of a page. Between two statements others have their turn. */
async function readRows(
  exports: ExportStore,
  { partnerId, after, size }: { readonly partnerId: string; readonly after: string; readonly size: number },
  signal: AbortSignal,
): Promise<StoredExport[]> {
  const found: StoredExport[] = [];
  while (found.length < size) {
    const limit = Math.min(rowsAtATime, size - found.length);
    const rows = await exports.listExports(partnerId, found.at(-1)?.id ?? after, limit, signal);
    found.push(...rows);
    if (rows.length < limit) break;
  }
  return found;
}

/**
 * The last id, or an earlier one if sessions with lower ids may still be stored: even one before the page, which may have
 * begun behind some of them.
 * @param now up to which what is read may be complete: of a replica, its newest session
 */
function settled(last: string, now: number): string {
  const time = Math.max(0, now - settlingMs)
    .toString(16)
    .padStart(12, "0");
  const settledId = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
  return last < settledId ? last : settledId;
}
