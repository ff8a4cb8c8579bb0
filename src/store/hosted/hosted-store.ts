// Links to one session and the browser sessions that they opened, in MySQL: of hosted sessions, and what the store of reports
// shares with them. Each kind has two tables.

import type { Knex } from "knex";
import { inTransaction } from "../../database/connection.ts";
import {
  execute,
  fetchRows,
  fromRow,
  insertNew,
  readRows,
  type Statement,
  sql,
  write,
} from "../../database/statement.ts";
import type { SecretName } from "../../domain/identity/secrets.ts";

export interface Link extends SecretName {
  /** The session of that partner. */
  readonly sessionId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** What a browser session was opened by. */
export interface OpenedBy {
  /** Of the link; null: by the hosted pages. */
  readonly linkHash: Uint8Array | null;
}

/** The session of a row. An insert from it waits for a running erasure, and then finds none. */
export const ofSession = `FROM sessions FORCE INDEX (PRIMARY)
  WHERE partner_id = :partnerId AND id = :sessionId FOR UPDATE`;
export const besideSession = "partner_id = :partnerId AND session_id = :sessionId";
const byHash = "partner_id = :partnerId AND hash = :hash";

/** Finds a link or a browser session `t`, unless its session is erased. */
export const findOf = (table: string, more = "", join = "", condition = "") =>
  sql`SELECT t.hash, t.session_id, t.partner_id, t.created_at, t.expires_at${more} FROM ${table} AS t
    STRAIGHT_JOIN sessions AS s FORCE INDEX (PRIMARY) ON s.id = t.session_id AND s.partner_id = t.partner_id ${join}
    WHERE t.partner_id = :partnerId AND t.hash = :hash ${condition}`;

/** The statements that need only the columns that both kinds have. */
export const linkStatements = (kind: "hosted" | "report") => ({
  listLinks: sql`SELECT hash FROM ${kind}_links WHERE ${besideSession} ORDER BY created_at DESC`,
  deleteLink: sql`DELETE FROM ${kind}_links WHERE ${byHash}`,
  deleteLinks: sql`DELETE FROM ${kind}_links WHERE ${besideSession}`,
  lockLink: sql`SELECT hash FROM ${kind}_links WHERE partner_id = :partnerId AND hash = :linkHash FOR UPDATE`,
  lockOffer: sql`SELECT id FROM sessions FORCE INDEX (PRIMARY)
    WHERE partner_id = :partnerId AND id = :sessionId AND person_access = 'after_completion' FOR UPDATE`,
  listBrowserSessions: sql`SELECT hash FROM ${kind}_browser_sessions WHERE ${besideSession} ORDER BY created_at DESC`,
  deleteBrowserSession: sql`DELETE FROM ${kind}_browser_sessions WHERE ${byHash}`,
  deleteBrowserSessions: sql`DELETE FROM ${kind}_browser_sessions WHERE ${besideSession}`,
});

type LinkStatements = ReturnType<typeof linkStatements> &
  Readonly<Record<"insertLink" | "findLink" | "insertBrowserSession" | "findBrowserSession", Statement>>;

/** The part of a store that has the links of a kind. */
export function linkStore<L extends Link, B extends Link>(db: Knex, kindStatements: LinkStatements) {
  const find = async <T>(statement: Statement, secret: SecretName, signal: AbortSignal): Promise<T | undefined> => {
    const [row] = await fetchRows(db, statement, secret, signal);
    return row && fromRow<T>(row);
  };
  return {
    /** Adds a link of a session and removes its oldest ones above `most`. Adds nothing if the session does not exist. */
    async addLink(link: L, most: number, signal: AbortSignal): Promise<void> {
      await insertNew(db, kindStatements.insertLink, link, signal);
      const links = await fetchRows(db, kindStatements.listLinks, link, signal);
      const older = links.filter(({ hash }) => !hash.equals(link.hash));
      for (const { hash } of older.slice(most - 1))
        await write(db, kindStatements.deleteLink, { ...link, hash }, signal);
    },

    findLink: (secret: SecretName, signal: AbortSignal) => find<L>(kindStatements.findLink, secret, signal),

    /**
     * Adds a browser session and removes the oldest browser sessions of its session above `most`. False: the link does not
     * exist, or without one the session, or that does not offer its report; nothing was added.
     */
    addBrowserSession(
      browserSession: Omit<B, "name" | "day" | "timeZone"> & OpenedBy,
      most: number,
      signal: AbortSignal,
    ): Promise<boolean> {
      return inTransaction(db, signal, async (connection) => {
        // While that is locked its session cannot be erased, so that no browser session outlives its session.
        const lock = browserSession.linkHash === null ? kindStatements.lockOffer : kindStatements.lockLink;
        if ((await readRows(connection, lock, browserSession)).length === 0) return false;
        await execute(connection, kindStatements.insertBrowserSession, browserSession);
        const browserSessions = await readRows(connection, kindStatements.listBrowserSessions, browserSession);
        const older = browserSessions.filter(({ hash }) => !hash.equals(browserSession.hash));
        for (const { hash } of older.slice(most - 1))
          await execute(connection, kindStatements.deleteBrowserSession, { ...browserSession, hash });
        return true;
      });
    },

    findBrowserSession: (secret: SecretName, signal: AbortSignal) =>
      find<B>(kindStatements.findBrowserSession, secret, signal),
  };
}

export const statements = {
  ...linkStatements("hosted"),
  insertLink: sql`INSERT INTO hosted_links (hash, session_id, partner_id, created_at, expires_at)
    SELECT :hash, id, partner_id, :createdAt, :expiresAt ${ofSession}`,
  lockSession: sql`SELECT id ${ofSession}`,
  findLink: findOf("hosted_links"),
  insertBrowserSession: sql`INSERT INTO hosted_browser_sessions (created_at, expires_at, hash, partner_id, session_id)
    VALUES (:createdAt, :expiresAt, :hash, :partnerId, :sessionId)`,
  findBrowserSession: findOf("hosted_browser_sessions"),
};

/** The store of links to hosted sessions. */
export function createHostedStore(db: Knex) {
  return {
    ...linkStore<Link, Link>(db, statements),

    /**
     * Adds a link of a hosted session, and removes its other links and the browser sessions that they opened, all or nothing.
     * False: the session does not exist, and nothing was done.
     */
    replaceLinks(link: Link, signal: AbortSignal): Promise<boolean> {
      return inTransaction(db, signal, async (connection) => {
        // Concurrent calls that add or replace links of the session, or erase it, wait here.
        if ((await readRows(connection, statements.lockSession, link)).length === 0) return false;
        // Links before browser sessions: without a link no further browser session can be opened.
        await execute(connection, statements.deleteLinks, link);
        await execute(connection, statements.deleteBrowserSessions, link);
        await execute(connection, statements.insertLink, link);
        return true;
      });
    },
  };
}

export type HostedStore = ReturnType<typeof createHostedStore>;
