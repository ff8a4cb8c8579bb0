// Links to reports, their browser sessions and views, in MySQL.

import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import { inTransaction } from "../../database/connection.ts";
import { bytesToUuid, execute, fetchRows, insertNew, readRows, sql, uuidToBytes } from "../../database/statement.ts";
import type { SecretName } from "../../domain/identity/secrets.ts";
import type { SessionName } from "../../domain/sessions/session.ts";
import { putInOutbox } from "../events/outbox.ts";
import { secretToRow } from "../hosted/hosted-store.ts";

export interface ReportLink {
  /** SHA-256 of the link's token. */
  readonly hash: Uint8Array;
  /** Of the session. */
  readonly partnerId: string;
  readonly sessionId: string;
  /** BCP 47 tag that the partner requested. */
  readonly locale: string | null;
  /** What to print on the report: a name, a day as `YYYY-MM-DD`, and the IANA name of a time zone. */
  readonly name: string | null;
  readonly date: string | null;
  readonly timeZone: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A browser's access to one report. What the partner prints on it is stored with the link only. */
export interface ReportBrowserSession extends ReportLink {
  /** Of the link that opened it; null: it was opened from the hosted pages. */
  readonly linkHash: Uint8Array | null;
}

export type NewReportBrowserSession = Omit<ReportBrowserSession, "name" | "date" | "timeZone">;

/** The one small step that a person chose after their report. */
export interface Intention {
  readonly step: string;
  /** `YYYY-MM-DD`. */
  readonly lookAgainOn: string | null;
}

/** A view of a report: by which link, and in which minute. */
export interface ReportView {
  /** Of the session. */
  readonly partnerId: string;
  readonly sessionId: string;
  /** Null: from the hosted pages. */
  readonly linkHash: Uint8Array | null;
  readonly viewedAt: Date;
}

// Every insert waits for a running erasure, and then finds no session.
const ofSession = "FROM sessions FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId AND id = :sessionId FOR UPDATE";
const find = (table: string, columns: string, beside = "") =>
  sql`SELECT t.session_id, t.partner_id, t.locale, t.created_at, t.expires_at, ${columns} FROM ${table} AS t
    STRAIGHT_JOIN sessions AS s FORCE INDEX (PRIMARY) ON s.id = t.session_id AND s.partner_id = t.partner_id ${beside}
    WHERE t.partner_id = :partnerId AND t.hash = :hash`;
const besideSession = "partner_id = :partnerId AND session_id = :sessionId";
const byHash = "partner_id = :partnerId AND hash = :hash";

/** Every statement of the store of report access. */
export const statements = {
  insertLink: sql`INSERT INTO report_links (hash, session_id, partner_id, locale, name, day, time_zone,
      created_at, expires_at)
    SELECT :hash, id, partner_id, :locale, :name, :date, :timeZone, :createdAt, :expiresAt ${ofSession}`,
  listLinks: sql`SELECT hash FROM report_links WHERE ${besideSession} ORDER BY created_at DESC`,
  deleteLink: sql`DELETE FROM report_links WHERE ${byHash}`,
  deleteBrowserSessionsOfLink: sql`DELETE FROM report_visits WHERE ${besideSession} AND link_hash = :linkHash`,
  findLink: find("report_links", "t.name, t.day, t.time_zone"),
  // After the session, in the order of an erasure, so that no deadlock occurs.
  lockSession: sql`SELECT id ${ofSession}`,
  lockOfferingSession: sql`SELECT id FROM sessions FORCE INDEX (PRIMARY)
    WHERE partner_id = :partnerId AND id = :sessionId AND person_access = 'after_completion' FOR UPDATE`,
  // A session that is not completed offers no report yet. This change publishes no event.
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
    "t.link_hash, l.name, l.day, l.time_zone",
    "LEFT JOIN report_links AS l FORCE INDEX (PRIMARY) ON l.hash = t.link_hash AND l.partner_id = t.partner_id",
  ),
  insertView: sql`INSERT INTO report_views (session_id, partner_id, viewed_at, link_hash)
    SELECT id, partner_id, :viewedAt, :way ${ofSession}`,
  lockForIntention: sql`SELECT id, partner_id, assessment_id, intentions ${ofSession}`,
  // Names no `unpublished_since`: the server sets it, for the event in the outbox.
  countIntention: sql`UPDATE sessions FORCE INDEX (PRIMARY) SET intentions = :intentions
    WHERE partner_id = :partnerId AND id = :sessionId`,
  saveIntention: sql`INSERT INTO report_intentions (session_id, partner_id, step, look_again_on, set_at)
    SELECT id, partner_id, :step, :lookAgainOn, :setAt ${ofSession}
    ON DUPLICATE KEY UPDATE step = VALUES(step), look_again_on = VALUES(look_again_on), set_at = VALUES(set_at)`,
  deleteIntention: sql`DELETE FROM report_intentions WHERE ${besideSession}`,
  findIntention: sql`SELECT step, look_again_on FROM report_intentions WHERE ${besideSession}`,
};

/** A view from the hosted pages, without a link. */
const noLink = Buffer.alloc(0);

/** The store of who may open reports. */
export function createReportAccessStore(db: Knex) {
  return {
    /**
     * Adds a link to a session's report and removes the oldest ones above `most`, with their browser sessions. Adds
     * nothing if the session does not exist.
     */
    addLink(link: ReportLink, most: number, signal: AbortSignal): Promise<void> {
      const { partnerId, sessionId } = sessionOf(link);
      return inTransaction(db, signal, async (connection) => {
        const values = { ...link, hash: Buffer.from(link.hash), partnerId, sessionId };
        await execute(connection, statements.insertLink, values);
        const links = await readRows(connection, statements.listLinks, values);
        const older = links.filter(({ hash }) => !hash.equals(link.hash)).slice(most - 1);
        for (const { hash } of older) {
          // Links before browser sessions: without a link no further browser session can be opened.
          const removed = { partnerId, sessionId, hash, linkHash: hash };
          await execute(connection, statements.deleteLink, removed);
          await execute(connection, statements.deleteBrowserSessionsOfLink, removed);
        }
      });
    },

    async findLink(secret: SecretName, signal: AbortSignal): Promise<ReportLink | undefined> {
      const [row] = await fetchRows(db, statements.findLink, secretToRow(secret), signal);
      return row && toLink(secret.hash, row);
    },

    /**
     * Removes all links and browser sessions of a session's report. The hosted pages of a completed session no longer
     * offer it.
     */
    removeAccess({ partnerId, id }: SessionName, signal: AbortSignal): Promise<void> {
      const values = sessionOf({ partnerId, sessionId: id });
      return inTransaction(db, signal, async (connection) => {
        await execute(connection, statements.endOffer, values);
        await execute(connection, statements.deleteLinks, values);
        await execute(connection, statements.deleteBrowserSessions, values);
      });
    },

    /**
     * Adds a browser session and removes the oldest browser sessions of the session above `most`.
     * False: its link no longer exists, or without a link the session, or that offers no report; nothing was added.
     */
    addBrowserSession(browserSession: NewReportBrowserSession, most: number, signal: AbortSignal): Promise<boolean> {
      const { partnerId, sessionId } = sessionOf(browserSession);
      const { locale, createdAt, expiresAt } = browserSession;
      const linkHash = browserSession.linkHash === null ? null : Buffer.from(browserSession.linkHash);
      const hash = Buffer.from(browserSession.hash);
      const values = { hash, partnerId, sessionId, linkHash, locale, createdAt, expiresAt };
      return inTransaction(db, signal, async (connection) => {
        // While both are locked neither can be removed, and the offer cannot end.
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

    async findBrowserSession(secret: SecretName, signal: AbortSignal): Promise<ReportBrowserSession | undefined> {
      const [row] = await fetchRows(db, statements.findBrowserSession, secretToRow(secret), signal);
      return row && { ...toLink(secret.hash, row), linkHash: row.link_hash };
    },

    /** Stores a view; nothing if the session does not exist. The same view twice is one. */
    async recordView({ linkHash, viewedAt, ...viewed }: ReportView, signal: AbortSignal): Promise<void> {
      const way = linkHash === null ? noLink : Buffer.from(linkHash);
      await insertNew(db, statements.insertView, { ...sessionOf(viewed), viewedAt, way }, signal);
    },

    /**
     * Replaces the step and announces it, unless it is the same as before; does nothing if the session does not exist. An
     * empty step removes it, which is not announced.
     */
    saveIntention(
      session: Pick<ReportLink, "partnerId" | "sessionId">,
      { step, lookAgainOn, setAt }: Intention & { readonly setAt: Date },
      signal: AbortSignal,
    ): Promise<void> {
      const values = { ...sessionOf(session), step, lookAgainOn, setAt };
      return inTransaction(db, signal, async (connection) => {
        const [locked] = await readRows(connection, statements.lockForIntention, values);
        if (locked === undefined) return;
        if (step === "") return void (await execute(connection, statements.deleteIntention, values));
        const [before] = await readRows(connection, statements.findIntention, values);
        if (before?.step === step && before?.look_again_on === lookAgainOn) return;
        await execute(connection, statements.saveIntention, values);
        const intentions = locked.intentions + 1;
        await execute(connection, statements.countIntention, { ...values, intentions });
        const { id: resourceId, partner_id: partnerId, assessment_id: assessmentId } = locked;
        const event = { partnerId, resourceId, assessmentId, occurrence: intentions, occurredAt: setAt };
        await putInOutbox(connection, { ...event, type: "intention.set" });
      });
    },

    async findIntention(
      session: Pick<ReportLink, "partnerId" | "sessionId">,
      signal: AbortSignal,
    ): Promise<Intention | undefined> {
      const [row] = await fetchRows(db, statements.findIntention, sessionOf(session), signal);
      return row && { step: row.step, lookAgainOn: row.look_again_on };
    },
  };
}

export type ReportAccessStore = ReturnType<typeof createReportAccessStore>;

function sessionOf({ partnerId, sessionId }: Pick<ReportLink, "partnerId" | "sessionId">) {
  return { partnerId: uuidToBytes(partnerId), sessionId: uuidToBytes(sessionId) };
}

function toLink(hash: Uint8Array, row: RowDataPacket) {
  const { locale, name, day: date, time_zone: timeZone, created_at: createdAt, expires_at: expiresAt } = row;
  const session = { partnerId: bytesToUuid(row.partner_id), sessionId: bytesToUuid(row.session_id) };
  return { hash, ...session, locale, name, date, timeZone, createdAt, expiresAt };
}
