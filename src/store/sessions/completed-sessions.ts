// Completed sessions: of a person, and those that have no results yet.
import type { Knex } from "knex";
import { bytesToUuid, fetchRows, write } from "../../database/statement.ts";
import type { CompletionKey, StoredSession, UnscoredSession, WrittenSession } from "../../domain/sessions/session.ts";
import { toSession } from "./session-rows.ts";
import { sessionStatements as statements } from "./session-statements.ts";

/** The part of the store of sessions that finds completed ones. */
export function completedSessions(db: Knex) {
  return {
    /** The completed session of a person in a product with the greatest completion time, then the greatest id. */
    async findLatestCompleted(
      product: string,
      partnerId: string,
      externalId: string,
      signal: AbortSignal,
    ): Promise<StoredSession | undefined> {
      const [row] = await fetchRows(db, statements.findLatestCompleted, { product, partnerId, externalId }, signal);
      return row && toSession(row);
    },

    /** The previous completed session of the person, in the same order. */
    async findCompletedBefore(
      product: string,
      partnerId: string,
      externalId: string,
      { completedAt, id }: CompletionKey,
      signal: AbortSignal,
    ): Promise<StoredSession | undefined> {
      const values = { product, partnerId, externalId, completedAt, id };
      const [row] = await fetchRows(db, statements.findCompletedBefore, values, signal);
      return row && toSession(row);
    },

    /**
     * Completed sessions without results, but with answers, after the key, in the order of their keys, at most `limit`.
     */
    async listUnscored(after: CompletionKey, limit: number, signal: AbortSignal): Promise<UnscoredSession[]> {
      const rows = await fetchRows(db, statements.listUnscored, { ...after, limit }, signal);
      return rows.map((row) => ({
        id: bytesToUuid(row.id),
        completedAt: row.completed_at,
        partnerId: bytesToUuid(row.partner_id),
      }));
    },

    /**
     * Stores the results of an unscored completed session if its revision and answers are those that they were computed
     * from. False: they are not, or it has results.
     */
    async saveResults(written: WrittenSession, results: Uint8Array, signal: AbortSignal): Promise<boolean> {
      return (await write(db, statements.saveResults, { ...written, results }, signal)) === 1;
    },
  };
}
