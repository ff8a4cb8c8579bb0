// The SQL of links to reports.
import { sql } from "../../database/statement.ts";

// Whatever is added waits for an erasure that is under way, and then finds no session.
const ofSession = "FROM sessions FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId AND id = :sessionId FOR UPDATE";
// A token's hash does not tell whose it is; the session does.
const find = (table: string, columns: string, beside = "") =>
  sql`SELECT t.session_id, s.partner_id, t.locale, t.created_at, t.expires_at, ${columns} FROM ${table} AS t
    STRAIGHT_JOIN sessions AS s FORCE INDEX (PRIMARY) ON s.id = t.session_id ${beside} WHERE t.hash = :hash`;

/** Every statement of the store of report access. */
export const reportAccessStatements = {
  insertLink: sql`INSERT INTO report_links (hash, session_id, locale, name, day, created_at, expires_at)
    SELECT :hash, id, :locale, :name, :date, :createdAt, :expiresAt ${ofSession}`,
  listLinks: sql`SELECT hash FROM report_links WHERE session_id = :sessionId ORDER BY created_at DESC`,
  deleteLink: sql`DELETE FROM report_links WHERE hash = :hash`,
  deleteBrowserSessionsOfLink: sql`DELETE FROM report_visits WHERE session_id = :sessionId AND link_hash = :linkHash`,
  findLink: find("report_links", "t.name, t.day"),
  // After the session, as an erasure does, so that nobody waits in a circle.
  lockSession: sql`SELECT id ${ofSession}`,
  lockOfferingSession: sql`SELECT id FROM sessions FORCE INDEX (PRIMARY)
    WHERE partner_id = :partnerId AND id = :sessionId AND person_access = 'after_completion' FOR UPDATE`,
  // What is not completed offers nothing yet. Nothing has happened that would have to be announced.
  endOffer: sql`UPDATE sessions FORCE INDEX (PRIMARY) SET person_access = 'none', unpublished_since = unpublished_since
    WHERE partner_id = :partnerId AND id = :sessionId AND completed_at IS NOT NULL`,
  lockLink: sql`SELECT hash FROM report_links WHERE hash = :hash FOR UPDATE`,
  deleteLinks: sql`DELETE FROM report_links WHERE session_id = :id`,
  insertBrowserSession: sql`INSERT INTO report_visits (created_at, expires_at, hash, link_hash, locale, session_id)
    VALUES (:createdAt, :expiresAt, :hash, :linkHash, :locale, :sessionId)`,
  listBrowserSessions: sql`SELECT hash FROM report_visits WHERE session_id = :sessionId ORDER BY created_at DESC`,
  deleteBrowserSession: sql`DELETE FROM report_visits WHERE hash = :hash`,
  deleteBrowserSessions: sql`DELETE FROM report_visits WHERE session_id = :id`,
  findBrowserSession: find(
    "report_visits",
    "t.link_hash, l.name, l.day",
    "LEFT JOIN report_links AS l FORCE INDEX (PRIMARY) ON l.hash = t.link_hash",
  ),
  insertView: sql`INSERT INTO report_views (session_id, viewed_at, link_hash) SELECT id, :viewedAt, :way ${ofSession}`,
};
