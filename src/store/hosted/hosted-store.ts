// Links of hosted sessions and the browser sessions that they opened, in MySQL.

import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import { inTransaction } from "../../database/connection.ts";
import {
  bytesToUuid,
  execute,
  fetchRows,
  insertNew,
  readRows,
  sql,
  uuidToBytes,
  write,
} from "../../database/statement.ts";
import type { SecretName } from "../../domain/identity/secrets.ts";

export interface HostedLink {
  /** SHA-256 of the link's token. */
  readonly hash: Uint8Array;
  /** Of the session. */
  readonly partnerId: string;
  readonly sessionId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A browser's access to one hosted session. */
export interface HostedBrowserSession {
  /** SHA-256 of the browser session's token. */
  readonly hash: Uint8Array;
  /** Of the session. */
  readonly partnerId: string;
  readonly sessionId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const find = (table: string) =>
  sql`SELECT t.session_id, t.partner_id, t.created_at, t.expires_at FROM ${table} AS t
    STRAIGHT_JOIN sessions AS s FORCE INDEX (PRIMARY) ON s.id = t.session_id AND s.partner_id = t.partner_id
    WHERE t.partner_id = :partnerId AND t.hash = :hash`;
const ofSession = "partner_id = :partnerId AND session_id = :sessionId";
const byHash = "partner_id = :partnerId AND hash = :hash";
export const statements = {
  // It waits for a running erasure, and then finds no session.
  insertLink: sql`INSERT INTO hosted_links (hash, session_id, partner_id, created_at, expires_at)
    SELECT :hash, id, partner_id, :createdAt, :expiresAt
    FROM sessions FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId AND id = :sessionId FOR UPDATE`,
  listLinks: sql`SELECT hash FROM hosted_links WHERE ${ofSession} ORDER BY created_at DESC`,
  deleteLink: sql`DELETE FROM hosted_links WHERE ${byHash}`,
  lockSession: sql`SELECT id FROM sessions FORCE INDEX (PRIMARY)
    WHERE partner_id = :partnerId AND id = :sessionId FOR UPDATE`,
  deleteLinks: sql`DELETE FROM hosted_links WHERE ${ofSession}`,
  deleteBrowserSessions: sql`DELETE FROM hosted_visits WHERE ${ofSession}`,
  findLink: find("hosted_links"),
  lockLink: sql`SELECT hash FROM hosted_links WHERE partner_id = :partnerId AND hash = :linkHash FOR UPDATE`,
  insertBrowserSession: sql`INSERT INTO hosted_visits (created_at, expires_at, hash, partner_id, session_id)
    VALUES (:createdAt, :expiresAt, :hash, :partnerId, :sessionId)`,
  listBrowserSessions: sql`SELECT hash FROM hosted_visits WHERE ${ofSession} ORDER BY created_at DESC`,
  deleteBrowserSession: sql`DELETE FROM hosted_visits WHERE ${byHash}`,
  findBrowserSession: find("hosted_visits"),
};

/** The store of links to hosted sessions. */
export function createHostedStore(db: Knex) {
  return {
    /**
     * Adds a link of a hosted session and removes the oldest ones above `most`. Adds nothing if the session does not
     * exist.
     */
    async addLink(link: HostedLink, most: number, signal: AbortSignal): Promise<void> {
      await insertNew(db, statements.insertLink, link, signal);
      const links = await fetchRows(db, statements.listLinks, link, signal);
      const older = links.filter(({ hash }) => !hash.equals(link.hash));
      for (const { hash } of older.slice(most - 1)) await write(db, statements.deleteLink, { ...link, hash }, signal);
    },

    /**
     * Adds a link of a hosted session, and removes its other links and the browser sessions that they opened, all or nothing.
     * False: the session does not exist, and nothing was done.
     */
    replaceLinks(link: HostedLink, signal: AbortSignal): Promise<boolean> {
      return inTransaction(db, signal, async (connection) => {
        // Concurrent calls that add or replace links of the session, or erase it, wait here.
        const held = (await execute(connection, statements.lockSession, link)) as unknown[];
        if (held.length === 0) return false;
        // Links before browser sessions: without a link no further browser session can be opened.
        await execute(connection, statements.deleteLinks, link);
        await execute(connection, statements.deleteBrowserSessions, link);
        await execute(connection, statements.insertLink, link);
        return true;
      });
    },

    async findLink(secret: SecretName, signal: AbortSignal): Promise<HostedLink | undefined> {
      const [row] = await fetchRows(db, statements.findLink, secretToRow(secret), signal);
      return row && toAccess(secret.hash, row);
    },

    /**
     * Adds a browser session of a link and removes the oldest browser sessions of the session above `most`.
     * False: the link no longer exists, and nothing was added.
     */
    addBrowserSession(
      browserSession: HostedBrowserSession,
      linkHash: Uint8Array,
      most: number,
      signal: AbortSignal,
    ): Promise<boolean> {
      const values = { ...browserSession, linkHash };
      return inTransaction(db, signal, async (connection) => {
        // While the link is locked its session cannot be erased, so that no browser session outlives its session.
        const links = (await execute(connection, statements.lockLink, values)) as unknown[];
        if (links.length === 0) return false;
        await execute(connection, statements.insertBrowserSession, values);
        const browserSessions = await readRows(connection, statements.listBrowserSessions, values);
        const older = browserSessions.filter(({ hash }) => !hash.equals(browserSession.hash));
        for (const { hash } of older.slice(most - 1))
          await execute(connection, statements.deleteBrowserSession, { ...values, hash });
        return true;
      });
    },

    async findBrowserSession(secret: SecretName, signal: AbortSignal): Promise<HostedBrowserSession | undefined> {
      const [row] = await fetchRows(db, statements.findBrowserSession, secretToRow(secret), signal);
      return row && toAccess(secret.hash, row);
    },
  };
}

export type HostedStore = ReturnType<typeof createHostedStore>;

export function secretToRow({ hash, partnerId }: SecretName) {
  return { hash: Buffer.from(hash), partnerId: uuidToBytes(partnerId) };
}

function toAccess(hash: Uint8Array, row: RowDataPacket) {
  const { created_at: createdAt, expires_at: expiresAt } = row;
  const session = { partnerId: bytesToUuid(row.partner_id), sessionId: bytesToUuid(row.session_id) };
  return { hash, ...session, createdAt, expiresAt };
}
