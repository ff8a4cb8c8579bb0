// Links to reports, their browser sessions and views, and the steps that people chose, in MySQL.

import type { RowDataPacket } from "mysql2";
import type { Database } from "../../database/database.ts";
import { qualifyColumns, sql } from "../../database/statement.ts";
import { toEventCode } from "../../domain/events/event-types.ts";
import type { SecretKey } from "../../domain/identity/secrets.ts";
import type { SessionKey } from "../../domain/sessions/session.ts";
import { type ObjectOf, plain } from "../../domain/stored-fields.ts";
import { appendEvents, createEventExpression, isNotQueued, maxDelayMinutes } from "../events/unpublished.ts";
import {
  createFromClause,
  createLinkStatements,
  createLinkStore,
  fromSession,
  linkFields,
  whereSession,
} from "../hosted/hosted-store.ts";
import { type Stored, table } from "../table.ts";

/** Texts that the partner has printed on the report. */
const printFields = {
  name: plain<string | null>(),
  /** `YYYY-MM-DD`. */
  day: plain<string | null>(),
  /** Name of IANA. */
  timeZone: plain<string | null>(),
};
export const reportLinkFields = {
  ...linkFields,
  /** BCP 47 tag that the partner requested. */
  locale: plain<string | null>(),
  ...printFields,
  /** Token of the picture that it is the address of, which is public; null: it is a link to the report. */
  card: plain<string | null>(),
};
const browserSessionFields = {
  ...linkFields,
  locale: plain<string | null>(),
  /** Of the link that opened it; null: the hosted pages did. */
  linkHash: plain<Uint8Array | null>(),
};
export type ReportLink = ObjectOf<typeof reportLinkFields>;
/** A browser's access to one report. What the partner prints on it is stored with the link only. */
export type ReportBrowserSession = ObjectOf<typeof browserSessionFields> & ObjectOf<typeof printFields>;

/** A view of a report: by which link, and in which minute. */
export interface ReportView extends Pick<ReportBrowserSession, "partnerId" | "sessionId" | "linkHash"> {
  readonly viewedAt: Date;
}

const reportLinks = table(reportLinkFields);
const browserSessions = table(browserSessionFields);
const printedLinks = table(printFields);
const intentions = table({
  step: plain<string>(),
  /** `YYYY-MM-DD`. */
  lookAgainOn: plain<string | null>(),
});
/** The one small step that a person chose after their report. */
export type Intention = Stored<typeof intentions>;
const cards = table({ card: reportLinkFields.card, locale: reportLinkFields.locale });

/** Every statement of the store of report access. */
export const statements = {
  ...createLinkStatements("report", reportLinks, browserSessions),
  // Pictures are not among the links that a partner may have.
  listLinks: sql`SELECT hash FROM report_links ${whereSession} AND card IS NULL ORDER BY created_at DESC`,
  findCard: cards.select`FROM report_links FORCE INDEX (report_links_session) ${whereSession}
    AND card IS NOT NULL AND expires_at > :now`,
  translateCard: sql`UPDATE report_links FORCE INDEX (report_links_session) SET locale = :locale
    ${whereSession} AND card IS NOT NULL`,
  deleteCards: sql`DELETE FROM report_links ${whereSession} AND card IS NOT NULL`,
  // A session that is not completed offers no report yet.
  endOffer: sql`UPDATE sessions FORCE INDEX (PRIMARY) SET person_access = 'none'
    WHERE partner_id = :partnerId AND id = :sessionId AND completed_at IS NOT NULL`,
  // Removing a link also removes the browser sessions that it opened.
  findBrowserSession: {
    ...sql`SELECT ${qualifyColumns("t", browserSessions.columns)}, ${qualifyColumns("l", printedLinks.columns)}
      ${createFromClause("report_browser_sessions", "LEFT JOIN report_links AS l FORCE INDEX (PRIMARY) ON l.hash = t.link_hash AND l.partner_id = t.partner_id")}
        AND (t.link_hash IS NULL OR l.hash IS NOT NULL)`,
    fromRow: (row: RowDataPacket): ReportBrowserSession => ({
      ...browserSessions.fromRow(row),
      ...printedLinks.fromRow(row),
    }),
  },
  insertView: sql`INSERT INTO report_views (session_id, partner_id, viewed_at, link_hash)
    SELECT id, partner_id, :viewedAt, :way ${fromSession}`,
  // Deletions of the results, and of access to them, lock the session first. Deleted results are empty.
  lockReport: sql`SELECT id FROM sessions FORCE INDEX (PRIMARY)
    WHERE partner_id = :partnerId AND id = :sessionId AND results <> '' FOR UPDATE`,
  findAnnounced: sql`SELECT recorded_at + INTERVAL ${maxDelayMinutes} MINUTE AS quiet_until
    FROM events FORCE INDEX (events_once)
    WHERE partner_id = :partnerId AND resource_id = :sessionId AND type = ${toEventCode("intention.set")}
    ORDER BY occurrence DESC LIMIT 1`,
  // If an event waits, it also announces this change.
  announceIntention: sql`UPDATE sessions FORCE INDEX (PRIMARY)
    SET ${appendEvents(createEventExpression("intention.set", ":setAt", "intentions + 1"), "GREATEST(NOW(3), :quietUntil)")},
      intentions = intentions + 1
    WHERE partner_id = :partnerId AND id = :sessionId AND ${isNotQueued("intention.set")}`,
  saveIntention: sql`INSERT INTO report_intentions (session_id, partner_id, ${intentions.columns}, set_at)
    SELECT id, partner_id, ${intentions.markers}, :setAt ${fromSession}
    ON DUPLICATE KEY UPDATE ${intentions.replacements}, set_at = VALUES(set_at)`,
  setAnnouncement: sql`UPDATE sessions FORCE INDEX (PRIMARY) SET announce_at = :announceAt
    WHERE partner_id = :partnerId AND id = :sessionId`,
  deleteIntention: sql`DELETE FROM report_intentions ${whereSession}`,
  findIntention: intentions.select`FROM report_intentions ${whereSession}`,
};

/** A view from the hosted pages, without a link. */
const noLink = Buffer.alloc(0);

/** The store of who may open reports. */
export function createReportAccessStore(db: Database) {
  return {
    ...createLinkStore<ReportLink, ReportBrowserSession>(db, statements),

    /**
     * Removes all links and browser sessions of a session's report. The hosted pages of a completed session no longer
     * offer it.
     */
    removeAccess({ partnerId, id }: SessionKey, signal: AbortSignal): Promise<void> {
      const values = { partnerId, sessionId: id };
      return db.runTransaction(signal, async (connection) => {
        await connection.execute(statements.endOffer, values);
        await connection.execute(statements.deleteLinks, values);
        await connection.execute(statements.deleteBrowserSessions, values);
      });
    },

    /**
     * Shares a picture, unless one is shared already: that one gets the new language.
     * @returns false, without sharing it, if the session has no results, or the browser session is over
     */
    addCard(card: ReportLink, browserSession: SecretKey, signal: AbortSignal): Promise<boolean> {
      return db.runTransaction(signal, async (connection) => {
        if ((await connection.findAll(statements.lockReport, card)).length === 0) return false;
        const openers = await connection.findAll(statements.findBrowserSession, browserSession);
        if (openers.length === 0) return false;
        const shared = await connection.findAll(statements.findCard, { ...card, now: card.createdAt });
        if (shared.length > 0) {
          await connection.execute(statements.translateCard, card);
          return true;
        }
        await connection.execute(statements.deleteCards, card);
        await connection.execute(statements.insertLink, card);
        return true;
      });
    },

    /** No longer shares the picture of a session. */
    removeCard: (session: Pick<ReportLink, "partnerId" | "sessionId">, signal: AbortSignal) =>
      db.write(statements.deleteCards, session, signal),

    /** The picture that is shared; undefined: none is. */
    findCard: (session: Pick<ReportLink, "partnerId" | "sessionId">, now: Date, signal: AbortSignal) =>
      db.findOne(statements.findCard, { ...session, now }, signal),

    /** Stores a view; nothing if the session does not exist. The same view twice is one. */
    recordView: ({ linkHash, ...view }: ReportView, signal: AbortSignal) =>
      db.insertIfAbsent(statements.insertView, { ...view, way: linkHash ?? noLink }, signal),

    /**
     * Replaces the step and announces it, unless it is the same as before. An empty step removes it, which is not announced.
     * One event in `maxDelayMinutes` stands for all changes. A new day is announced when it begins, unless it has
     * begun already. False: the session has no results, and nothing was done.
     */
    saveIntention(
      session: Pick<ReportLink, "partnerId" | "sessionId">,
      { step, lookAgainOn, setAt }: Intention & { readonly setAt: Date },
      signal: AbortSignal,
    ): Promise<boolean> {
      const dayBeginsAt = new Date(lookAgainOn ?? 0);
      const announceAt = step !== "" && dayBeginsAt > setAt ? dayBeginsAt : null;
      const values = { ...session, step, lookAgainOn, setAt, announceAt };
      return db.runTransaction(signal, async (connection) => {
        if ((await connection.findAll(statements.lockReport, values)).length === 0) return false;
        if (step === "") {
          await connection.execute(statements.deleteIntention, values);
          await connection.execute(statements.setAnnouncement, values);
          return true;
        }
        const [before] = await connection.findAll(statements.findIntention, values);
        if (before?.step === step && before?.lookAgainOn === lookAgainOn) return true;
        await connection.execute(statements.saveIntention, values);
        if (before?.lookAgainOn !== lookAgainOn) await connection.execute(statements.setAnnouncement, values);
        const [last] = await connection.findAll(statements.findAnnounced, values);
        const quietUntil = last?.quiet_until ?? new Date(0);
        await connection.execute(statements.announceIntention, { ...values, quietUntil });
        return true;
      });
    },

    findIntention: (session: Pick<ReportLink, "partnerId" | "sessionId">, signal: AbortSignal) =>
      db.findOne(statements.findIntention, session, signal),
  };
}

export type ReportAccessStore = ReturnType<typeof createReportAccessStore>;
