// The SQL of links to reports, written through Knex and compiled once.
import type { Knex } from "knex";
import { compile } from "./statement.ts";

const columns = ["session_id", "locale", "created_at", "expires_at"];

/** Every statement of the store of report access. Bindings are names, `":name"`. */
export function reportAccessStatements(db: Knex) {
  // Whatever is added waits for an erasure that is under way, and then finds no session. Spelled in the one way that both
  // servers know.
  const ofSession = "FROM sessions WHERE id = ? LOCK IN SHARE MODE";
  return {
    insertLink: compile(
      db.raw(
        `INSERT INTO report_links (hash, session_id, locale, created_at, expires_at) SELECT ?, id, ?, ?, ? ${ofSession}`,
        [":hash", ":locale", ":createdAt", ":expiresAt", ":sessionId"],
      ),
    ),
    listLinks: compile(
      db("report_links").select("hash").where({ session_id: ":sessionId" }).orderBy("created_at", "desc"),
    ),
    deleteLink: compile(db("report_links").where({ hash: ":hash" }).delete()),
    deleteVisitsOfLink: compile(
      db("report_visits").where({ session_id: ":sessionId", link_hash: ":linkHash" }).delete(),
    ),
    findLink: compile(db("report_links").select(columns).where({ hash: ":hash" })),
    lockLink: compile(db.raw("SELECT hash FROM report_links WHERE hash = ? LOCK IN SHARE MODE", [":hash"])),
    deleteLinks: compile(db("report_links").where({ session_id: ":id" }).delete()),
    insertVisit: compile(
      db.raw(
        `INSERT INTO report_visits (hash, session_id, link_hash, locale, created_at, expires_at)
         SELECT ?, id, ?, ?, ?, ? ${ofSession}`,
        [":hash", ":linkHash", ":locale", ":createdAt", ":expiresAt", ":sessionId"],
      ),
    ),
    listVisits: compile(
      db("report_visits").select("hash").where({ session_id: ":sessionId" }).orderBy("created_at", "desc"),
    ),
    deleteVisit: compile(db("report_visits").where({ hash: ":hash" }).delete()),
    deleteVisits: compile(db("report_visits").where({ session_id: ":id" }).delete()),
    findVisit: compile(
      db("report_visits")
        .select([...columns, "link_hash"])
        .where({ hash: ":hash" }),
    ),
    insertView: compile(
      db.raw(`INSERT INTO report_views (session_id, viewed_at, link_hash) SELECT id, ?, ? ${ofSession}`, [
        ":viewedAt",
        ":way",
        ":sessionId",
      ]),
    ),
  };
}
