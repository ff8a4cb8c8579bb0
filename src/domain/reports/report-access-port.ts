// The report access part of the Store port: links to reports, the browser sessions that they open, and what was viewed.
import type { SecretName } from "../identity/secrets.ts";
import type { SessionName } from "../sessions/session-port.ts";

export interface ReportLink {
  /** SHA-256 of the link's token. */
  readonly hash: Uint8Array;
  /** Of the session. */
  readonly partnerId: string;
  readonly sessionId: string;
  /** BCP 47 tag that the partner asked for. */
  readonly locale: string | null;
  /** What the partner put on the report: a name, and a day as `YYYY-MM-DD`. */
  readonly name: string | null;
  readonly date: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A browser's access to one report. The name and the day on it are kept with the link alone. */
export interface ReportBrowserSession extends ReportLink {
  /** Of the link that opened it; null: the hosted pages did. */
  readonly linkHash: Uint8Array | null;
}

export type NewReportBrowserSession = Omit<ReportBrowserSession, "name" | "date">;

/** Somebody looked at a report: by which link, and in which minute. */
export interface ReportView {
  /** Of the session. */
  readonly partnerId: string;
  readonly sessionId: string;
  /** Null: from the hosted pages. */
  readonly linkHash: Uint8Array | null;
  readonly viewedAt: Date;
}

export interface ReportAccessStore {
  /**
   * Adds a link to a session's report and removes the oldest ones above `most`, with their browser sessions. Adds
   * nothing for a session that is not there.
   */
  addLink(link: ReportLink, most: number, signal: AbortSignal): Promise<void>;
  findLink(secret: SecretName, signal: AbortSignal): Promise<ReportLink | undefined>;
  /**
   * Removes all links and browser sessions of a session's report. The hosted pages of a completed session offer it no
   * more.
   */
  removeAccess(session: SessionName, signal: AbortSignal): Promise<void>;
  /**
   * Adds a browser session and removes the oldest browser sessions of the session above `most`.
   * False: its link is no longer there, or without one its session, or that offers no report; nothing was added.
   */
  addBrowserSession(browserSession: NewReportBrowserSession, most: number, signal: AbortSignal): Promise<boolean>;
  findBrowserSession(secret: SecretName, signal: AbortSignal): Promise<ReportBrowserSession | undefined>;
  /** Records a view; nothing for a session that is not there. The same view twice is one. */
  recordView(view: ReportView, signal: AbortSignal): Promise<void>;
}
