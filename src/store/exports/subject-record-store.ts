// Everything that is stored about a person, in MySQL: the sessions of a page, then the rows of other tables for them.

import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import { bytesToUuid, fetchRows, qualifyColumns, type Statement, sql } from "../../database/statement.ts";
import type { StoredSession } from "../../domain/sessions/session.ts";
import type { Intention } from "../reports/report-access-store.ts";
import { sessions } from "../sessions/session-columns.ts";
import { plain, type Table, table } from "../table.ts";

/** A link or a browser session, without the hash of its token. */
export interface RecordedAccess {
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface RecordedReportLink extends RecordedAccess {
  readonly locale: string | null;
  /** What to print on the report: a name, a day as `YYYY-MM-DD`, and the IANA name of a time zone. */
  readonly name: string | null;
  readonly date: string | null;
  readonly timeZone: string | null;
  /** Whether it is the picture that the person shares. */
  readonly isCard: boolean;
}

/** The group of a session. */
export interface RecordedMembership {
  readonly groupId: string;
  readonly label: string;
  /** Null while it is open. */
  readonly closedAt: Date | null;
  /** Whether the answers of the session are in the numbers of the group. */
  readonly isCounted: boolean;
}

/** A session with everything that is stored for it. */
export interface SubjectRecord {
  readonly session: StoredSession;
  /** Null: no group. */
  readonly membership: RecordedMembership | null;
  /** Null: none chosen. */
  readonly intention: (Intention & { readonly setAt: Date }) | null;
  readonly hostedLinks: readonly RecordedAccess[];
  readonly hostedBrowserSessions: readonly RecordedAccess[];
  readonly reportLinks: readonly RecordedReportLink[];
  readonly reportBrowserSessions: readonly RecordedAccess[];
  /** The last ones, in ascending order. */
  readonly reportViews: readonly { readonly viewedAt: Date; readonly isByLink: boolean }[];
  readonly hasEarlierReportViews: boolean;
}

/** Rows of a table beside the sessions of a page. */
const joinSessions = (name: string, columns: string) =>
  sql`SELECT s.id, ${columns} FROM sessions AS s FORCE INDEX (sessions_person)
    STRAIGHT_JOIN ${name} AS l FORCE INDEX (${name}_session) ON l.session_id = s.id AND l.partner_id = s.partner_id
    WHERE s.partner_id = :partnerId AND s.external_id = :externalId AND s.id > :after AND s.id <= :last`;
const accesses = table<RecordedAccess>(plain("createdAt", "expiresAt"));
const reportLinks = table<RecordedReportLink>({
  date: { name: "day" },
  ...plain("createdAt", "expiresAt", "locale", "name", "timeZone"),
  isCard: { name: "card", read: (card: string | null) => card !== null },
});
const access = qualifyColumns("l", accesses.columns);

/** Every statement of the store: each names the partner. */
export const statements = {
  list: sql`SELECT ${qualifyColumns("s", sessions.columns)}, g.label, g.closed_at AS group_closed_at, g.numbers IS NOT NULL AS has_numbers,
      m.session_id AS member_id, i.step, i.look_again_on, i.set_at
    FROM sessions AS s FORCE INDEX (sessions_person)
    LEFT JOIN session_groups AS g FORCE INDEX (PRIMARY) ON g.id = s.group_id AND g.partner_id = s.partner_id
    LEFT JOIN group_members AS m FORCE INDEX (group_members_session) ON m.session_id = s.id AND m.group_id = s.group_id
      AND m.partner_id = s.partner_id
    LEFT JOIN report_intentions AS i FORCE INDEX (PRIMARY) ON i.session_id = s.id AND i.partner_id = s.partner_id
    WHERE s.partner_id = :partnerId AND s.external_id = :externalId AND s.id > :after ORDER BY s.id LIMIT :limit`,
  hostedLinks: joinSessions("hosted_links", access),
  hostedBrowserSessions: joinSessions("hosted_browser_sessions", access),
  reportLinks: joinSessions("report_links", qualifyColumns("l", reportLinks.columns)),
  reportBrowserSessions: joinSessions("report_browser_sessions", access),
  reportViews: sql`SELECT v.viewed_at, v.link_hash FROM sessions AS s FORCE INDEX (PRIMARY)
    STRAIGHT_JOIN report_views AS v ON v.session_id = s.id AND v.partner_id = s.partner_id
    WHERE s.id = :id AND s.partner_id = :partnerId ORDER BY v.viewed_at DESC LIMIT :limit`,
};

/** The store that reads everything about a person. */
export function createSubjectRecordStore(db: Knex) {
  return {
    /**
     * Sessions of a person with an id greater than `after`, ascending, at most `limit`, each with at most `views` views.
     */
    async listSubjectRecords(
      { partnerId, externalId }: { readonly partnerId: string; readonly externalId: string },
      after: string,
      limit: number,
      views: number,
      signal: AbortSignal,
    ): Promise<SubjectRecord[]> {
      const position = { partnerId, externalId, after };
      const rows = await fetchRows(db, statements.list, { ...position, limit }, signal);
      const last = rows.at(-1)?.id;
      if (last === undefined) return [];
      /** Reads what the sessions have in a table, the oldest first. */
      const readBySession = async <T>(statement: Statement, { fromRow }: Pick<Table<T>, "fromRow">) => {
        const ownRows = await fetchRows(db, statement, { ...position, last }, signal);
        ownRows.sort((one, other) => one.created_at.getTime() - other.created_at.getTime());
        const bySession = Map.groupBy(ownRows, ({ id }) => bytesToUuid(id));
        return (sessionId: string) => (bySession.get(sessionId) ?? []).map(fromRow);
      };
      const hostedLinks = await readBySession(statements.hostedLinks, accesses);
      const hostedBrowserSessions = await readBySession(statements.hostedBrowserSessions, accesses);
      const linksToReports = await readBySession(statements.reportLinks, reportLinks);
      const reportBrowserSessions = await readBySession(statements.reportBrowserSessions, accesses);
      const records: SubjectRecord[] = [];
      for (const row of rows) {
        const session = sessions.fromRow(row);
        // A session without results has no report.
        const viewRows =
          session.completedAt === null
            ? []
            : await fetchRows(db, statements.reportViews, { id: row.id, partnerId, limit: views + 1 }, signal);
        records.push({
          session,
          membership: toMembership(row, session.groupId),
          intention: row.step && { step: row.step, lookAgainOn: row.look_again_on, setAt: row.set_at },
          hostedLinks: hostedLinks(session.id),
          hostedBrowserSessions: hostedBrowserSessions(session.id),
          reportLinks: linksToReports(session.id),
          reportBrowserSessions: reportBrowserSessions(session.id),
          reportViews: viewRows.slice(0, views).map(toView).reverse(),
          hasEarlierReportViews: viewRows.length > views,
        });
      }
      return records;
    },
  };
}

function toMembership(row: RowDataPacket, groupId: string | null) {
  if (groupId === null) return null;
  const isCounted = row.member_id !== null && row.has_numbers === 1;
  return { groupId, label: row.label.toString(), closedAt: row.group_closed_at, isCounted };
}

function toView({ viewed_at, link_hash }: RowDataPacket) {
  return { viewedAt: viewed_at, isByLink: link_hash.length > 0 };
}
