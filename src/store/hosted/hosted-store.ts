// Links to one session and the browser sessions that they opened, in MySQL: of hosted sessions, and what the store of reports
// shares with them. Each kind has two tables.

import type { Database } from "../../database/database.ts";
import { type Statement, sql } from "../../database/statement.ts";
import type { SecretKey } from "../../domain/identity/secrets.ts";
import { type ObjectOf, plain, uuid } from "../../domain/stored-fields.ts";
import { keepNewest } from "../keep-newest.ts";
import { insertInto, type Table, table } from "../table.ts";

export const linkFields = {
  /** SHA-256 of the secret, 32 bytes. */
  hash: plain<Uint8Array>(),
  partnerId: uuid,
  sessionId: uuid,
  createdAt: plain<Date>(),
  expiresAt: plain<Date>(),
};
export type Link = ObjectOf<typeof linkFields>;

/** The session that a row is about. An insert from it waits for a running erasure, and then finds none. */
export const fromSession = `FROM sessions FORCE INDEX (PRIMARY)
  WHERE partner_id = :partnerId AND id = :sessionId FOR UPDATE`;
/** The rows of a session. */
export const whereSession = "WHERE partner_id = :partnerId AND session_id = :sessionId";
const whereHash = "WHERE partner_id = :partnerId AND hash = :hash";

/** The condition of a link or a browser session `t`, unless its session is erased. */
export const createFromClause = (name: string, join = "") => `FROM ${name} AS t
    STRAIGHT_JOIN sessions AS s FORCE INDEX (PRIMARY) ON s.id = t.session_id AND s.partner_id = t.partner_id ${join}
    WHERE t.partner_id = :partnerId AND t.hash = :hash`;

/** The statements of links and browser sessions, except the one that finds a browser session. */
export const createLinkStatements = <L extends Link>(
  kind: "hosted" | "report",
  links: Table<L>,
  browserSessions: Pick<Table<unknown>, "columns" | "markers">,
) => ({
  insertLink: sql`INSERT INTO ${kind}_links (${links.columns}) SELECT ${links.markers} ${fromSession}`,
  findLink: links.selectFrom("t")`${createFromClause(`${kind}_links`)}`,
  listLinks: sql`SELECT hash FROM ${kind}_links ${whereSession} ORDER BY created_at DESC`,
  deleteLink: sql`DELETE FROM ${kind}_links ${whereHash}`,
  deleteLinks: sql`DELETE FROM ${kind}_links ${whereSession}`,
  lockLink: sql`SELECT hash FROM ${kind}_links WHERE partner_id = :partnerId AND hash = :linkHash FOR UPDATE`,
  lockOffer: sql`SELECT id FROM sessions FORCE INDEX (PRIMARY)
    WHERE partner_id = :partnerId AND id = :sessionId AND person_access = 'after_completion' FOR UPDATE`,
  insertBrowserSession: insertInto(`${kind}_browser_sessions`, browserSessions),
  listBrowserSessions: sql`SELECT hash FROM ${kind}_browser_sessions ${whereSession} ORDER BY created_at DESC`,
  deleteBrowserSession: sql`DELETE FROM ${kind}_browser_sessions ${whereHash}`,
  deleteBrowserSessions: sql`DELETE FROM ${kind}_browser_sessions ${whereSession}`,
});

type LinkStatements<L extends Link, B extends Link> = ReturnType<typeof createLinkStatements<L>> & {
  readonly findBrowserSession: Statement<B>;
};

/** The part of a store that has the links of a kind. */
export function createLinkStore<L extends Link, B extends Link>(db: Database, kindStatements: LinkStatements<L, B>) {
  return {
    /** Adds a link of a session and removes its oldest ones above `most`. Adds nothing if the session does not exist. */
    async addLink(link: L, most: number, signal: AbortSignal): Promise<void> {
      await db.insertIfAbsent(kindStatements.insertLink, link, signal);
      const { listLinks: list, deleteLink: remove } = kindStatements;
      await db.runRepeatably(signal, (connection) => keepNewest(connection, { list, remove }, link, most));
    },

    findLink: (secret: SecretKey, signal: AbortSignal) => db.findOne(kindStatements.findLink, secret, signal),

    /**
     * Adds a browser session and removes the oldest browser sessions of its session above `most`.
     * @returns false, without adding it, if the link does not exist; without a link, if the session does not offer its report
     */
    addBrowserSession(
      browserSession: Omit<B, "name" | "day" | "timeZone"> & { readonly linkHash: Uint8Array | null },
      most: number,
      signal: AbortSignal,
    ): Promise<boolean> {
      return db.runTransaction(signal, async (connection) => {
        // While the link or session is locked the session cannot be erased, so that no browser session outlives its session.
        const lock = browserSession.linkHash === null ? kindStatements.lockOffer : kindStatements.lockLink;
        if ((await connection.findAll(lock, browserSession)).length === 0) return false;
        await connection.execute(kindStatements.insertBrowserSession, browserSession);
        const { listBrowserSessions: list, deleteBrowserSession: remove } = kindStatements;
        await keepNewest(connection, { list, remove }, browserSession, most);
        return true;
      });
    },

    findBrowserSession: (secret: SecretKey, signal: AbortSignal) =>
      db.findOne(kindStatements.findBrowserSession, secret, signal),
  };
}

const hostedLinks = table(linkFields);

export const statements = {
  ...createLinkStatements("hosted", hostedLinks, hostedLinks),
  lockSession: sql`SELECT id ${fromSession}`,
  findBrowserSession: hostedLinks.selectFrom("t")`${createFromClause("hosted_browser_sessions")}`,
};

/** The store of links to hosted sessions. */
export function createHostedStore(db: Database) {
  return {
    ...createLinkStore<Link, Link>(db, statements),

    /**
     * Adds a link of a hosted session, and removes its other links and the browser sessions that they opened, all or nothing.
     * False: the session does not exist, and nothing was done.
     */
    replaceLinks(link: Link, signal: AbortSignal): Promise<boolean> {
      return db.runTransaction(signal, async (connection) => {
        // Concurrent calls that add or replace links of the session, or erase it, wait here.
        if ((await connection.findAll(statements.lockSession, link)).length === 0) return false;
        // Links before browser sessions: without a link no further browser session can be opened.
        await connection.execute(statements.deleteLinks, link);
        await connection.execute(statements.deleteBrowserSessions, link);
        await connection.execute(statements.insertLink, link);
        return true;
      });
    },
  };
}

export type HostedStore = ReturnType<typeof createHostedStore>;
