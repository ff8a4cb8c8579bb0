// Everything that is stored about a person, in MySQL: the sessions of a page, then the rows of other tables for them.

import type { RowDataPacket } from "mysql2";
import type { Database } from "../../database/database.ts";
import { qualifyColumns, type Statement, sql } from "../../database/statement.ts";
import type { StoredSession } from "../../domain/sessions/session.ts";
import { inColumn, type ObjectOf, plain } from "../../domain/stored-fields.ts";
import { bytesToUuid } from "../../kernel/ids.ts";
import { type Intention, reportLinkFields } from "../reports/report-access-store.ts";
import { sessions } from "../sessions/session-columns.ts";
import { type Table, table } from "../table.ts";

const accessFields = { createdAt: plain<Date>(), expiresAt: plain<Date>() };
const { locale, name, day, timeZone, card } = reportLinkFields;
/** Texts to print on a report. */
const printFields = { locale, name, date: inColumn("day", day), timeZone };
const accesses = table(accessFields);
const reportLinks = table({ ...accessFields, ...printFields, card });

/** A link or a browser session, without the hash of its token. */
export interface RecordedAccess extends ObjectOf<typeof accessFields>, Partial<ObjectOf<typeof printFields>> {
  /** The page that it leads to. */
  readonly target: "hosted" | "report" | "card";
}

/** A session with everything that is stored for it. */
export interface SubjectRecord {
  readonly session: StoredSession;
  /** Null: no group. */
  readonly group: {
    readonly groupId: string;
    readonly label: string;
    /** Null while it is open. */
    readonly closedAt: Date | null;
    /** Whether the answers of the session are in the numbers of the group. */
    readonly counted: boolean;
  } | null;
  /** Null: none chosen. */
  readonly intention: (Intention & { readonly setAt: Date }) | null;
  readonly links: readonly RecordedAccess[];
  readonly browserSessions: readonly RecordedAccess[];
  /** The last ones, in ascending order. */
  readonly reportViews: readonly { readonly viewedAt: Date; readonly byLink: boolean }[];
  readonly hasEarlierReportViews: boolean;
}

type SessionAccess = RecordedAccess & { readonly sessionId: string };

/** Rows of the sessions of a page in a table. */
const joinSessions = (
  target: RecordedAccess["target"],
  tableName: string,
  { columns, fromRow }: Pick<Table<Omit<RecordedAccess, "target">>, "columns" | "fromRow">,
): Statement<SessionAccess> => ({
  ...sql`SELECT s.id, ${qualifyColumns("l", columns)} FROM sessions AS s FORCE INDEX (sessions_person)
    STRAIGHT_JOIN ${tableName} AS l FORCE INDEX (${tableName}_session) ON l.session_id = s.id AND l.partner_id = s.partner_id
    WHERE s.partner_id = :partnerId AND s.external_id = :externalId AND s.id > :after AND s.id <= :last`,
  fromRow: (row) => ({ ...fromRow(row), target: row.card ? "card" : target, sessionId: bytesToUuid(row.id) }),
});

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
  hostedLinks: joinSessions("hosted", "hosted_links", accesses),
  hostedBrowserSessions: joinSessions("hosted", "hosted_browser_sessions", accesses),
  reportLinks: joinSessions("report", "report_links", reportLinks),
  reportBrowserSessions: joinSessions("report", "report_browser_sessions", accesses),
  reportViews: sql`SELECT v.viewed_at, v.link_hash FROM sessions AS s FORCE INDEX (PRIMARY)
    STRAIGHT_JOIN report_views AS v ON v.session_id = s.id AND v.partner_id = s.partner_id
    WHERE s.id = :id AND s.partner_id = :partnerId ORDER BY v.viewed_at DESC LIMIT :limit`,
};

/** The store that reads everything about a person. */
export function createSubjectRecordStore(db: Database) {
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
      const rows = await db.findAll(statements.list, { ...position, limit }, signal);
      const last = rows.at(-1)?.id;
      if (last === undefined) return [];
      /** Rows of the sessions in some tables, the oldest first. */
      const readBySession = async (...queries: readonly Statement<SessionAccess>[]) => {
        const accessRecords: SessionAccess[] = [];
        for (const query of queries) {
          const rowsOfTable = await db.findAll(query, { ...position, last }, signal);
          accessRecords.push(
            ...rowsOfTable.toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime()),
          );
        }
        return Map.groupBy(accessRecords, ({ sessionId }) => sessionId);
      };
      const links = await readBySession(statements.hostedLinks, statements.reportLinks);
      const { hostedBrowserSessions, reportBrowserSessions } = statements;
      const browserSessions = await readBySession(hostedBrowserSessions, reportBrowserSessions);
      const records: SubjectRecord[] = [];
      for (const row of rows) {
        const session = sessions.fromRow(row);
        // A session without results has no report.
        const viewRows =
          session.completedAt === null
            ? []
            : await db.findAll(statements.reportViews, { id: row.id, partnerId, limit: views + 1 }, signal);
        records.push({
          session,
          group: toGroup(row, session.groupId),
          intention: row.step && { step: row.step, lookAgainOn: row.look_again_on, setAt: row.set_at },
          links: links.get(session.id) ?? [],
          browserSessions: browserSessions.get(session.id) ?? [],
          reportViews: viewRows.slice(0, views).map(toView).reverse(),
          hasEarlierReportViews: viewRows.length > views,
        });
      }
      return records;
    },
  };
}

function toGroup(row: RowDataPacket, groupId: string | null) {
  if (groupId === null) return null;
  const counted = row.member_id !== null && row.has_numbers === 1;
  return { groupId, label: row.label.toString(), closedAt: row.group_closed_at, counted };
}

function toView({ viewed_at, link_hash }: RowDataPacket) {
  return { viewedAt: viewed_at, byLink: link_hash.length > 0 };
}
