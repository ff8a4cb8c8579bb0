// Links of hosted sessions and the browser sessions that they opened, in MySQL.
import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import { inTransaction } from "../../database/connection.ts";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { execute, fetchRows, insertNew, readRows, sql, write } from "../../database/statement.ts";
import type { HostedLink, HostedStore } from "../../domain/hosted/hosted-port.ts";

// A token's hash does not tell whose it is; the session does.
const find = (table: string) =>
  sql`SELECT t.session_id, s.partner_id, t.created_at, t.expires_at FROM ${table} AS t
    STRAIGHT_JOIN sessions AS s FORCE INDEX (PRIMARY) ON s.id = t.session_id WHERE t.hash = :hash`;
export const statements = {
  // It waits for an erasure that is under way, and then finds no session.
  insertLink: sql`INSERT INTO hosted_links (hash, session_id, created_at, expires_at)
    SELECT :hash, id, :createdAt, :expiresAt
    FROM sessions FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId AND id = :sessionId FOR UPDATE`,
  listLinks: sql`SELECT hash FROM hosted_links WHERE session_id = :sessionId ORDER BY created_at DESC`,
  deleteLink: sql`DELETE FROM hosted_links WHERE hash = :hash`,
  lockSession: sql`SELECT id FROM sessions FORCE INDEX (PRIMARY)
    WHERE partner_id = :partnerId AND id = :sessionId FOR UPDATE`,
  deleteLinks: sql`DELETE FROM hosted_links WHERE session_id = :sessionId`,
  deleteBrowserSessions: sql`DELETE FROM hosted_visits WHERE session_id = :sessionId`,
  findLink: find("hosted_links"),
  lockLink: sql`SELECT hash FROM hosted_links WHERE hash = :hash FOR UPDATE`,
  insertBrowserSession: sql`INSERT INTO hosted_visits (created_at, expires_at, hash, session_id)
    VALUES (:createdAt, :expiresAt, :hash, :sessionId)`,
  listBrowserSessions: sql`SELECT hash FROM hosted_visits WHERE session_id = :sessionId ORDER BY created_at DESC`,
  deleteBrowserSession: sql`DELETE FROM hosted_visits WHERE hash = :hash`,
  findBrowserSession: find("hosted_visits"),
};

/** The hosted part of the Store port. */
export function createHostedStore(db: Knex): HostedStore {
  return {
    async addLink(link, most, signal) {
      const values = linkToRow(link);
      await insertNew(db, statements.insertLink, values, signal);
      const links = await fetchRows(db, statements.listLinks, values, signal);
      const older = links.filter(({ hash }) => !hash.equals(link.hash));
      for (const { hash } of older.slice(most - 1)) await write(db, statements.deleteLink, { hash }, signal);
    },

    replaceLinks(link, signal) {
      const values = linkToRow(link);
      return inTransaction(db, signal, async (connection) => {
        // Whoever adds or replaces links of the session, or erases it, waits here.
        const held = (await execute(connection, statements.lockSession, values)) as unknown[];
        if (held.length === 0) return false;
        // Links before browser sessions: without them no further browser session can be opened.
        await execute(connection, statements.deleteLinks, values);
        await execute(connection, statements.deleteBrowserSessions, values);
        await execute(connection, statements.insertLink, values);
        return true;
      });
    },

    async findLink(hash, signal) {
      const [row] = await fetchRows(db, statements.findLink, { hash: Buffer.from(hash) }, signal);
      return row && toAccess(hash, row);
    },

    addBrowserSession(browserSession, linkHash, most, signal) {
      const sessionId = uuidToBytes(browserSession.sessionId);
      const { createdAt, expiresAt } = browserSession;
      const values = { hash: Buffer.from(browserSession.hash), sessionId, createdAt, expiresAt };
      return inTransaction(db, signal, async (connection) => {
        // While the link is locked its session cannot be erased, so that no browser session outlives its session.
        const links = (await execute(connection, statements.lockLink, { hash: Buffer.from(linkHash) })) as unknown[];
        if (links.length === 0) return false;
        await execute(connection, statements.insertBrowserSession, values);
        const browserSessions = await readRows(connection, statements.listBrowserSessions, {
          sessionId,
        });
        const older = browserSessions.filter(({ hash }) => !hash.equals(browserSession.hash));
        for (const { hash } of older.slice(most - 1))
          await execute(connection, statements.deleteBrowserSession, { hash });
        return true;
      });
    },

    async findBrowserSession(hash, signal) {
      const [row] = await fetchRows(db, statements.findBrowserSession, { hash: Buffer.from(hash) }, signal);
      return row && toAccess(hash, row);
    },
  };
}

function linkToRow({ hash, partnerId, sessionId, createdAt, expiresAt }: HostedLink) {
  const names = { partnerId: uuidToBytes(partnerId), sessionId: uuidToBytes(sessionId) };
  return { hash: Buffer.from(hash), ...names, createdAt, expiresAt };
}

function toAccess(hash: Uint8Array, row: RowDataPacket) {
  const { created_at: createdAt, expires_at: expiresAt } = row;
  const session = { partnerId: bytesToUuid(row.partner_id), sessionId: bytesToUuid(row.session_id) };
  return { hash, ...session, createdAt, expiresAt };
}
