// The hosted part of the Store port: links of hosted sessions, and the browser sessions that they open.
import type { SecretName } from "../identity/secrets.ts";

export interface HostedLink {
  /** SHA-256 of the link's token. */
  readonly hash: Uint8Array;
  /** Of the session. */
  readonly partnerId: string;
  readonly sessionId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A browser's access to one hosted session. */
export interface HostedBrowserSession {
  /** SHA-256 of the browser session's token. */
  readonly hash: Uint8Array;
  /** Of the session. */
  readonly partnerId: string;
  readonly sessionId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface HostedStore {
  /**
   * Adds a link of a hosted session and removes the oldest ones above `most`. Adds nothing for a session that is not
   * there.
   */
  addLink(link: HostedLink, most: number, signal: AbortSignal): Promise<void>;
  /**
   * Adds a link of a hosted session, and ends all others of it with every browser session that they opened, in one step.
   * False: the session is not there, and nothing was done.
   */
  replaceLinks(link: HostedLink, signal: AbortSignal): Promise<boolean>;
  findLink(secret: SecretName, signal: AbortSignal): Promise<HostedLink | undefined>;
  /**
   * Adds a browser session of a link and removes the oldest browser sessions of the session above `most`.
   * False: the link is no longer there, and nothing was added.
   */
  addBrowserSession(
    browserSession: HostedBrowserSession,
    linkHash: Uint8Array,
    most: number,
    signal: AbortSignal,
  ): Promise<boolean>;
  findBrowserSession(secret: SecretName, signal: AbortSignal): Promise<HostedBrowserSession | undefined>;
}
