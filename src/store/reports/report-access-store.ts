// Links to reports, their browser sessions and views, in MySQL.
import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import { inTransaction } from "../../database/connection.ts";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { execute, fetchRows, insertNew, readRows } from "../../database/statement.ts";
import type { ReportAccessStore, ReportLink } from "../../domain/reports/report-access-port.ts";
import { reportAccessStatements as statements } from "./report-access-statements.ts";

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
        const links = await readRows(connection, statements.listLinks, { sessionId });
        const older = links.filter(({ hash }) => !hash.equals(link.hash)).slice(most - 1);
        for (const { hash } of older) {
          // Links before browser sessions: without it no further browser session can be opened.
          await execute(connection, statements.deleteLink, { hash });
          await execute(connection, statements.deleteBrowserSessionsOfLink, { sessionId, linkHash: hash });
        }
      });
    },

    async findLink(hash, signal) {
      const [row] = await fetchRows(db, statements.findLink, { hash: Buffer.from(hash) }, signal);
      return row && toLink(hash, row);
    },

    removeAccess({ partnerId, id }, signal) {
      const values = { id: uuidToBytes(id) };
      return inTransaction(db, signal, async (connection) => {
        await execute(connection, statements.endOffer, sessionOf({ partnerId, sessionId: id }));
        await execute(connection, statements.deleteLinks, values);
        await execute(connection, statements.deleteBrowserSessions, values);
      });
    },

    addBrowserSession(browserSession, most, signal) {
      const { partnerId, sessionId } = sessionOf(browserSession);
      const { locale, createdAt, expiresAt } = browserSession;
      const linkHash = browserSession.linkHash === null ? null : Buffer.from(browserSession.linkHash);
      const values = { hash: Buffer.from(browserSession.hash), sessionId, linkHash, locale, createdAt, expiresAt };
      return inTransaction(db, signal, async (connection) => {
        // While both are locked neither can be removed, and an offer not be ended.
        const lock = linkHash === null ? statements.lockOfferingSession : statements.lockSession;
        const sessions = (await execute(connection, lock, { partnerId, sessionId })) as unknown[];
        if (sessions.length === 0) return false;
        if (linkHash !== null) {
          const links = (await execute(connection, statements.lockLink, { hash: linkHash })) as unknown[];
          if (links.length === 0) return false;
        }
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
      return row && { ...toLink(hash, row), linkHash: row.link_hash };
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
