// The SQL of all that is held of a person. Every statement names the partner and reaches the rest through its sessions.
import { columnsOf, sql } from "../../database/statement.ts";
import { sessionColumns } from "../sessions/session-statements.ts";

/** Rows of a table beside the sessions of a page. */
const beside = (table: string, columns: string) =>
  sql`SELECT s.id, ${columns} FROM sessions AS s FORCE INDEX (sessions_person)
    STRAIGHT_JOIN ${table} AS l FORCE INDEX (${table}_session) ON l.session_id = s.id
    WHERE s.partner_id = :partnerId AND s.external_id = :externalId AND s.id > :after AND s.id <= :last`;
const access = "l.created_at, l.expires_at";

/** Every statement of the store. */
export const subjectRecordStatements = {
  list: sql`SELECT ${columnsOf("s", sessionColumns)}, s.results, s.is_counted,
      c.set_id, c.other_session_id, g.label, g.closed_at AS group_closed_at, g.numbers IS NOT NULL AS has_numbers,
      m.session_id AS member_id
    FROM sessions AS s FORCE INDEX (sessions_person)
    LEFT JOIN norm_contributions AS c FORCE INDEX (PRIMARY) ON c.session_id = s.id
    LEFT JOIN session_groups AS g FORCE INDEX (PRIMARY) ON g.id = s.group_id AND g.partner_id = s.partner_id
    LEFT JOIN group_members AS m FORCE INDEX (PRIMARY) ON m.session_id = s.id AND m.partner_id = s.partner_id
    WHERE s.partner_id = :partnerId AND s.external_id = :externalId AND s.id > :after ORDER BY s.id LIMIT :limit`,
  hostedLinks: beside("hosted_links", access),
  hostedBrowserSessions: beside("hosted_visits", access),
  reportLinks: beside("report_links", `${access}, l.locale, l.name, l.day`),
  reportBrowserSessions: beside("report_visits", access),
  reportViews: sql`SELECT v.viewed_at, v.link_hash FROM sessions AS s FORCE INDEX (PRIMARY)
    STRAIGHT_JOIN report_views AS v ON v.session_id = s.id
    WHERE s.id = :id AND s.partner_id = :partnerId ORDER BY v.viewed_at DESC LIMIT :limit`,
};
