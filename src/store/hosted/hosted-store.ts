// Links of hosted sessions and the browser sessions that they opened, in MySQL.

import type { Knex } from "knex";
import { inTransaction } from "../../database/connection.ts";
import { execute, readRows, sql } from "../../database/statement.ts";
import { findOf, type Link, linkStatements, linkStore, ofSession } from "./links.ts";

export const statements = {
  ...linkStatements("hosted"),
  insertLink: sql`INSERT INTO hosted_links (hash, session_id, partner_id, created_at, expires_at)
    SELECT :hash, id, partner_id, :createdAt, :expiresAt ${ofSession}`,
  lockSession: sql`SELECT id ${ofSession}`,
  findLink: findOf("hosted_links"),
  insertBrowserSession: sql`INSERT INTO hosted_visits (created_at, expires_at, hash, partner_id, session_id)
    VALUES (:createdAt, :expiresAt, :hash, :partnerId, :sessionId)`,
  findBrowserSession: findOf("hosted_visits"),
};

/** The store of links to hosted sessions. */
export function createHostedStore(db: Knex) {
  return {
    ...linkStore<Link, Link>(db, statements),

    /**
     * Adds a link of a hosted session, and removes its other links and the browser sessions that they opened, all or nothing.
     * False: the session does not exist, and nothing was done.
     */
    replaceLinks(link: Link, signal: AbortSignal): Promise<boolean> {
      return inTransaction(db, signal, async (connection) => {
        // Concurrent calls that add or replace links of the session, or erase it, wait here.
        if ((await readRows(connection, statements.lockSession, link)).length === 0) return false;
        // Links before browser sessions: without a link no further browser session can be opened.
        await execute(connection, statements.deleteLinks, link);
        await execute(connection, statements.deleteBrowserSessions, link);
        await execute(connection, statements.insertLink, link);
        return true;
      });
    },
  };
}

export type HostedStore = ReturnType<typeof createHostedStore>;
