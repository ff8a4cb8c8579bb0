// The SQL of all that is held of a person. Every statement names the partner and reaches the rest through its sessions.
import type { Knex } from "knex";
import { compile } from "../../database/statement.ts";
import { sessionColumns } from "../sessions/session-statements.ts";

/** Every statement of the store. Bindings are names, `":name"`. */
export function subjectRecordStatements(db: Knex) {
  /** Rows of a table beside the sessions of a page. */
  const beside = (table: string, columns: string) =>
    compile(
      db.raw(
        `SELECT s.id, ${columns} FROM sessions AS s FORCE INDEX (sessions_person)
         STRAIGHT_JOIN ${table} AS l FORCE INDEX (${table}_session) ON l.session_id = s.id
         WHERE s.partner_id = ? AND s.external_id = ? AND s.id > ? AND s.id <= ?`,
        [":partnerId", ":externalId", ":after", ":last"],
      ),
    );
  const access = "l.created_at, l.expires_at";
  return {
    list: compile(
      db.raw(
        `SELECT ${sessionColumns.map((column) => `s.${column}`).join(", ")}, s.results, s.is_counted,
           c.set_id, c.other_session_id, g.label, g.closed_at AS group_closed_at, g.numbers IS NOT NULL AS has_numbers,
           m.session_id AS member_id
         FROM sessions AS s FORCE INDEX (sessions_person)
         LEFT JOIN norm_contributions AS c FORCE INDEX (PRIMARY) ON c.session_id = s.id
         LEFT JOIN session_groups AS g FORCE INDEX (PRIMARY) ON g.id = s.group_id AND g.partner_id = s.partner_id
         LEFT JOIN group_members AS m FORCE INDEX (PRIMARY) ON m.session_id = s.id AND m.partner_id = s.partner_id
         WHERE s.partner_id = ? AND s.external_id = ? AND s.id > ? ORDER BY s.id LIMIT ?`,
        [":partnerId", ":externalId", ":after", ":limit"],
      ),
    ),
    hostedLinks: beside("hosted_links", access),
    hostedBrowserSessions: beside("hosted_visits", access),
    reportLinks: beside("report_links", `${access}, l.locale, l.name, l.day`),
    reportBrowserSessions: beside("report_visits", access),
    reportViews: compile(
      db.raw(
        `SELECT v.viewed_at, v.link_hash FROM sessions AS s FORCE INDEX (PRIMARY)
         STRAIGHT_JOIN report_views AS v ON v.session_id = s.id
         WHERE s.id = ? AND s.partner_id = ? ORDER BY v.viewed_at DESC LIMIT ?`,
        [":id", ":partnerId", ":limit"],
      ),
    ),
  };
}
