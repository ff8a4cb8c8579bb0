// Links to reports, their browser sessions and views, in MySQL.
import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import { inTransaction } from "../../database/connection.ts";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { execute, fetchRows, insertNew, readRows, sql } from "../../database/statement.ts";
import type { ReportAccessStore, ReportLink } from "../../domain/reports/report-access-port.ts";
import { secretToRow } from "../hosted/hosted-store.ts";

// Whatever is added waits for an erasure that is under way, and then finds no session.
const ofSession = "FROM sessions FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId AND id = :sessionId FOR UPDATE";
const find = (table: string, columns: string, beside = "") =>
  sql`SELECT t.session_id, t.partner_id, t.locale, t.created_at, t.expires_at, ${columns} FROM ${table} AS t
    STRAIGHT_JOIN sessions AS s FORCE INDEX (PRIMARY) ON s.id = t.session_id AND s.partner_id = t.partner_id ${beside}
    WHERE t.partner_id = :partnerId AND t.hash = :hash`;
const besideSession = "partner_id = :partnerId AND session_id = :sessionId";
const byHash = "partner_id = :partnerId AND hash = :hash";

/** Every statement of the store of report access. */
export const statements = {
  insertLink: sql`INSERT INTO report_links (hash, session_id, partner_id, locale, name, day, created_at,
      expires_at)
    SELECT :hash, id, partner_id, :locale, :name, :date, :createdAt, :expiresAt ${ofSession}`,
  listLinks: sql`SELECT hash FROM report_links WHERE ${besideSession} ORDER BY created_at DESC`,
  deleteLink: sql`DELETE FROM report_links WHERE ${byHash}`,
  deleteBrowserSessionsOfLink: sql`DELETE FROM report_visits WHERE ${besideSession} AND link_hash = :linkHash`,
  findLink: find("report_links", "t.name, t.day"),
  // After the session, as an erasure does, so that nobody waits in a circle.
  lockSession: sql`SELECT id ${ofSession}`,
  lockOfferingSession: sql`SELECT id FROM sessions FORCE INDEX (PRIMARY)
    WHERE partner_id = :partnerId AND id = :sessionId AND person_access = 'after_completion' FOR UPDATE`,
  // What is not completed offers nothing yet. Nothing has happened that would have to be announced.
  endOffer: sql`UPDATE sessions FORCE INDEX (PRIMARY) SET person_access = 'none', unpublished_since = unpublished_since
    WHERE partner_id = :partnerId AND id = :sessionId AND completed_at IS NOT NULL`,
  lockLink: sql`SELECT hash FROM report_links WHERE partner_id = :partnerId AND hash = :linkHash FOR UPDATE`,
  deleteLinks: sql`DELETE FROM report_links WHERE ${besideSession}`,
  insertBrowserSession: sql`INSERT INTO report_visits (created_at, expires_at, hash, link_hash, locale, partner_id,
      session_id)
    VALUES (:createdAt, :expiresAt, :hash, :linkHash, :locale, :partnerId, :sessionId)`,
  listBrowserSessions: sql`SELECT hash FROM report_visits WHERE ${besideSession} ORDER BY created_at DESC`,
  deleteBrowserSession: sql`DELETE FROM report_visits WHERE ${byHash}`,
  deleteBrowserSessions: sql`DELETE FROM report_visits WHERE ${besideSession}`,
  findBrowserSession: find(
    "report_visits",
    "t.link_hash, l.name, l.day",
    "LEFT JOIN report_links AS l FORCE INDEX (PRIMARY) ON l.hash = t.link_hash AND l.partner_id = t.partner_id",
  ),
  insertView: sql`INSERT INTO report_views (session_id, partner_id, viewed_at, link_hash)
    SELECT id, partner_id, :viewedAt, :way ${ofSession}`,
};

/** A view from the hosted pages, which no link led to. */
const noLink = Buffer.alloc(0);

/** The report access part of the Store port. */
export function createReportAccessStore(db: Knex): ReportAccessStore {
  return {
    addLink(link, most, signal) {
      const { partnerId, sessionId } = sessionOf(link);
      const { locale, name, date, createdAt, expiresAt } = link;
      return inTransaction(db, signal, async (connection) => {
        const values = { hash: Buffer.from(link.hash), partnerId, sessionId, locale, name, date, createdAt, expiresAt };
        await execute(connection, statements.insertLink, values);
        const links = await readRows(connection, statements.listLinks, values);
        const older = links.filter(({ hash }) => !hash.equals(link.hash)).slice(most - 1);
        for (const { hash } of older) {
          // Links before browser sessions: without it no further browser session can be opened.
          const removed = { partnerId, sessionId, hash, linkHash: hash };
          await execute(connection, statements.deleteLink, removed);
          await execute(connection, statements.deleteBrowserSessionsOfLink, removed);
        }
      });
    },

    async findLink(secret, signal) {
      const [row] = await fetchRows(db, statements.findLink, secretToRow(secret), signal);
      return row && toLink(secret.hash, row);
    },

    removeAccess({ partnerId, id }, signal) {
      const values = sessionOf({ partnerId, sessionId: id });
      return inTransaction(db, signal, async (connection) => {
        await execute(connection, statements.endOffer, values);
        await execute(connection, statements.deleteLinks, values);
        await execute(connection, statements.deleteBrowserSessions, values);
      });
    },

    addBrowserSession(browserSession, most, signal) {
      const { partnerId, sessionId } = sessionOf(browserSession);
      const { locale, createdAt, expiresAt } = browserSession;
      const linkHash = browserSession.linkHash === null ? null : Buffer.from(browserSession.linkHash);
      const hash = Buffer.from(browserSession.hash);
      const values = { hash, partnerId, sessionId, linkHash, locale, createdAt, expiresAt };
      return inTransaction(db, signal, async (connection) => {
        // While both are locked neither can be removed, and an offer not be ended.
        const lock = linkHash === null ? statements.lockOfferingSession : statements.lockSession;
        const sessions = (await execute(connection, lock, values)) as unknown[];
        if (sessions.length === 0) return false;
        if (linkHash !== null) {
          const links = (await execute(connection, statements.lockLink, values)) as unknown[];
          if (links.length === 0) return false;
        }
        await execute(connection, statements.insertBrowserSession, values);
        const browserSessions = await readRows(connection, statements.listBrowserSessions, values);
        const older = browserSessions.filter(({ hash }) => !hash.equals(browserSession.hash));
        for (const { hash } of older.slice(most - 1))
          await execute(connection, statements.deleteBrowserSession, { ...values, hash });
        return true;
      });
    },

    async findBrowserSession(secret, signal) {
      const [row] = await fetchRows(db, statements.findBrowserSession, secretToRow(secret), signal);
      return row && { ...toLink(secret.hash, row), linkHash: row.link_hash };
    },

    async recordView({ linkHash, viewedAt, ...viewed }, signal) {
      const way = linkHash === null ? noLink : Buffer.from(linkHash);
      await insertNew(db, statements.insertView, { ...sessionOf(viewed), viewedAt, way }, signal);
    },
  };
}

function sessionOf({ partnerId, sessionId }: Pick<ReportLink, "partnerId" | "sessionId">) {
  return { partnerId: uuidToBytes(partnerId), sessionId: uuidToBytes(sessionId) };
}

function toLink(hash: Uint8Array, row: RowDataPacket) {
  const { locale, name, day: date, created_at: createdAt, expires_at: expiresAt } = row;
  const session = { partnerId: bytesToUuid(row.partner_id), sessionId: bytesToUuid(row.session_id) };
  return { hash, ...session, locale, name, date, createdAt, expiresAt };
}
