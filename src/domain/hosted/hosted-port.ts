// The hosted part of the Store port: links of hosted sessions, and the visits that they open.

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
export interface HostedVisit {
  /** SHA-256 of the visit's token. */
  readonly hash: Uint8Array;
  /** Of the session. */
  readonly partnerId: string;
  readonly sessionId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface HostedStore {
  /** Adds a link of a hosted session and removes the oldest ones above `most`. Adds nothing for a session that is not there. */
  addLink(link: HostedLink, most: number, signal: AbortSignal): Promise<void>;
  findLink(hash: Uint8Array, signal: AbortSignal): Promise<HostedLink | undefined>;
  /**
   * Adds a visit of a link and removes the oldest visits of the session above `most`.
   * False: the link is no longer there, and nothing was added.
   */
  addVisit(visit: HostedVisit, linkHash: Uint8Array, most: number, signal: AbortSignal): Promise<boolean>;
  findVisit(hash: Uint8Array, signal: AbortSignal): Promise<HostedVisit | undefined>;
}
