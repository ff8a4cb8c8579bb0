// The SQL of links to reports, written through Knex and compiled once.
import type { Knex } from "knex";
import { compile } from "../../database/statement.ts";

/** Every statement of the store of report access. Bindings are names, `":name"`. */
export function reportAccessStatements(db: Knex) {
  // Whatever is added waits for an erasure that is under way, and then finds no session.
  const ofSession = "FROM sessions FORCE INDEX (PRIMARY) WHERE partner_id = ? AND id = ? FOR UPDATE";
  const session = [":partnerId", ":sessionId"];
  // A token's hash does not tell whose it is; the session does.
  const find = (table: string, columns: string, beside = "") =>
    compile(
      db.raw(
        `SELECT t.session_id, s.partner_id, t.locale, t.created_at, t.expires_at, ${columns} FROM ${table} AS t
         STRAIGHT_JOIN sessions AS s FORCE INDEX (PRIMARY) ON s.id = t.session_id ${beside} WHERE t.hash = ?`,
        [":hash"],
      ),
    );
  return {
    insertLink: compile(
      db.raw(
        `INSERT INTO report_links (hash, session_id, locale, name, day, created_at, expires_at)
         SELECT ?, id, ?, ?, ?, ?, ? ${ofSession}`,
        [":hash", ":locale", ":name", ":date", ":createdAt", ":expiresAt", ...session],
      ),
    ),
    listLinks: compile(
      db("report_links").select("hash").where({ session_id: ":sessionId" }).orderBy("created_at", "desc"),
    ),
    deleteLink: compile(db("report_links").where({ hash: ":hash" }).delete()),
    deleteBrowserSessionsOfLink: compile(
      db("report_visits").where({ session_id: ":sessionId", link_hash: ":linkHash" }).delete(),
    ),
    findLink: find("report_links", "t.name, t.day"),
    // After the session, as an erasure does, so that nobody waits in a circle.
    lockSession: compile(db.raw(`SELECT id ${ofSession}`, session)),
    lockOfferingSession: compile(
      db.raw(
        `SELECT id FROM sessions FORCE INDEX (PRIMARY)
         WHERE partner_id = ? AND id = ? AND person_access = 'after_completion' FOR UPDATE`,
        session,
      ),
    ),
    // What is not completed offers nothing yet. Nothing has happened that would have to be announced.
    endOffer: compile(
      db.raw(
        `UPDATE sessions FORCE INDEX (PRIMARY) SET person_access = 'none', unpublished_since = unpublished_since
         WHERE partner_id = ? AND id = ? AND completed_at IS NOT NULL`,
        session,
      ),
    ),
    lockLink: compile(db("report_links").select("hash").where({ hash: ":hash" }).forUpdate()),
    deleteLinks: compile(db("report_links").where({ session_id: ":id" }).delete()),
    insertBrowserSession: compile(
      db("report_visits").insert({
        hash: ":hash",
        session_id: ":sessionId",
        link_hash: ":linkHash",
        locale: ":locale",
        created_at: ":createdAt",
        expires_at: ":expiresAt",
      }),
    ),
    listBrowserSessions: compile(
      db("report_visits").select("hash").where({ session_id: ":sessionId" }).orderBy("created_at", "desc"),
    ),
    deleteBrowserSession: compile(db("report_visits").where({ hash: ":hash" }).delete()),
    deleteBrowserSessions: compile(db("report_visits").where({ session_id: ":id" }).delete()),
    findBrowserSession: find(
      "report_visits",
      "t.link_hash, l.name, l.day",
      "LEFT JOIN report_links AS l FORCE INDEX (PRIMARY) ON l.hash = t.link_hash",
    ),
    insertView: compile(
      db.raw(`INSERT INTO report_views (session_id, viewed_at, link_hash) SELECT id, ?, ? ${ofSession}`, [
        ":viewedAt",
        ":way",
        ...session,
      ]),
    ),
  };
}
