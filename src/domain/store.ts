// The Store port: what the domain asks of the database. Every write happens wholly or not at all.
// A call ends with `deadline_exceeded` when its signal aborts and with `unavailable` when the database is away; after
// either the outcome of a write is unknown.
import type { Results } from "../values-bridge/scoring/results.ts";
import type { StoredAssessment } from "./assessments/published-assessment.ts";
import type { Scope } from "./identity/scopes.ts";
import type { AnswerSheet } from "./sessions/answers.ts";

export type SessionMode = "headless" | "hosted";

/** A session to insert. */
export interface NewSession {
  readonly id: string;
  readonly partnerId: string;
  readonly externalId: string;
  readonly assessmentId: number;
  readonly mode: SessionMode;
  readonly redirectUrl: string | null;
  readonly locale: string | null;
  readonly createdAt: Date;
  readonly idempotency: { readonly key: string; readonly requestHash: Uint8Array } | null;
}

/** A session without its results. */
export interface StoredSession {
  readonly id: string;
  readonly partnerId: string;
  readonly externalId: string;
  readonly assessmentId: number;
  readonly mode: SessionMode;
  readonly redirectUrl: string | null;
  readonly locale: string | null;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
  /** Grows by one with every write; a write names the revision it was computed from. */
  readonly revision: number;
  readonly answers: AnswerSheet;
}

/** The outcome of a completed session. */
export interface StoredOutcome {
  readonly sessionId: string;
  readonly partnerId: string;
  readonly assessmentId: number;
  readonly completedAt: Date;
  /** Null until scored. */
  readonly results: Results | null;
}

export interface SessionStore {
  /**
   * Inserts the session, or nothing where the partner's idempotency key is taken: by another session, or by this one if
   * an earlier try was thought lost and did happen.
   */
  insertSession(session: NewSession, signal: AbortSignal): Promise<"inserted" | "key_taken">;
  findSession(id: string, signal: AbortSignal): Promise<StoredSession | undefined>;
  findSessionByKey(
    partnerId: string,
    key: string,
    signal: AbortSignal,
  ): Promise<{ session: StoredSession; requestHash: Uint8Array } | undefined>;
  /** Stores the answers of an open session if it still has the revision. False: it has not. */
  saveAnswers(id: string, revision: number, answers: AnswerSheet, signal: AbortSignal): Promise<boolean>;
  /** Stores answers, completion and results together if the open session still has the revision. False: it has not. */
  saveCompletion(
    id: string,
    revision: number,
    completion: { answers: AnswerSheet; completedAt: Date; results: Results | null },
    signal: AbortSignal,
  ): Promise<boolean>;
  /** The outcome of a session, undefined while it is open. */
  findOutcome(id: string, signal: AbortSignal): Promise<StoredOutcome | undefined>;
  /** The completed session of a person in a product with the greatest completion time, then the greatest id. */
  findLatestOutcome(
    product: string,
    partnerId: string,
    externalId: string,
    signal: AbortSignal,
  ): Promise<StoredOutcome | undefined>;
  /** Ids of completed sessions without results, greater than `after`, ascending, at most `limit`. */
  listUnscored(after: string, limit: number, signal: AbortSignal): Promise<string[]>;
  /** Gives an unscored completed session its results. */
  saveResults(id: string, results: Results, signal: AbortSignal): Promise<void>;
  /** Adds a link of a hosted session and removes the oldest ones above `most`. */
  addHostedLink(link: HostedLink, most: number, signal: AbortSignal): Promise<void>;
  /**
   * Removes at most `limit` sessions of a person with their links and visits and, if there were any, adds the record of it.
   * Gives the number removed.
   */
  eraseSessions(externalId: string, limit: number, erasure: Erasure, signal: AbortSignal): Promise<number>;
}

export interface HostedLink {
  /** SHA-256 of the link's token. */
  readonly hash: Uint8Array;
  readonly sessionId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A browser's access to one hosted session. */
export interface HostedVisit {
  /** SHA-256 of the visit's token. */
  readonly hash: Uint8Array;
  readonly sessionId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface HostedStore {
  findLink(hash: Uint8Array, signal: AbortSignal): Promise<HostedLink | undefined>;
  /**
   * Adds a visit of a link and removes the oldest visits of the session above `most`.
   * False: the link is no longer there, and nothing was added.
   */
  addVisit(visit: HostedVisit, linkHash: Uint8Array, most: number, signal: AbortSignal): Promise<boolean>;
  findVisit(hash: Uint8Array, signal: AbortSignal): Promise<HostedVisit | undefined>;
}

/** What is kept of an erasure: nothing that leads to the person. */
export interface Erasure {
  readonly id: string;
  readonly partnerId: string;
  readonly clientId: string;
  readonly erasedAt: Date;
}

export interface AssessmentStore {
  /** The id of the greatest version of a product. */
  findLatestAssessmentId(product: string, signal: AbortSignal): Promise<number | undefined>;
  findAssessmentId(product: string, version: number, signal: AbortSignal): Promise<number | undefined>;
  findAssessment(id: number, signal: AbortSignal): Promise<StoredAssessment | undefined>;
  /** All versions of a product, the newest first. */
  listAssessments(product: string, signal: AbortSignal): Promise<StoredAssessment[]>;
  /** Inserts a version, or nothing where its id or version number is taken. */
  insertAssessment(assessment: StoredAssessment, signal: AbortSignal): Promise<"inserted" | "taken">;
  /** The greatest id in use, 0 without any. */
  findGreatestAssessmentId(signal: AbortSignal): Promise<number>;
}

export interface Partner {
  readonly id: string;
  readonly name: string;
  /** Whether its clients may hold internal scopes. */
  readonly internal: boolean;
  readonly createdAt: Date;
}

export interface Client {
  readonly id: string;
  readonly partnerId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
}

export interface ClientSecret {
  readonly hash: Uint8Array;
  readonly clientId: string;
  readonly createdAt: Date;
}

export interface AccessToken {
  readonly hash: Uint8Array;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date;
}

export interface IdentityStore {
  insertPartner(partner: Partner, signal: AbortSignal): Promise<void>;
  findPartner(id: string, signal: AbortSignal): Promise<Partner | undefined>;
  /** Partners with an id greater than `after`, ascending, at most `limit`. */
  listPartners(after: string, limit: number, signal: AbortSignal): Promise<Partner[]>;
  insertClient(client: Client, secret: ClientSecret, signal: AbortSignal): Promise<void>;
  findClient(id: string, signal: AbortSignal): Promise<Client | undefined>;
  disableClient(id: string, at: Date, signal: AbortSignal): Promise<void>;
  /** Adds a secret and removes the oldest ones above `most`. */
  addClientSecret(secret: ClientSecret, most: number, signal: AbortSignal): Promise<void>;
  listClientSecrets(clientId: string, signal: AbortSignal): Promise<ClientSecret[]>;
  insertToken(token: AccessToken, signal: AbortSignal): Promise<void>;
  /** The token with its client. */
  findToken(hash: Uint8Array, signal: AbortSignal): Promise<{ token: AccessToken; client: Client } | undefined>;
  /** Removes a token of a client, if it is there. */
  deleteToken(hash: Uint8Array, clientId: string, signal: AbortSignal): Promise<void>;
}

/** How the hosted pages of a partner look; null where nothing was set. */
export interface Branding {
  readonly displayName: string | null;
  readonly logoUrl: string | null;
  /** `#rrggbb` in lower case. */
  readonly accentColor: string | null;
}

export interface BrandingStore {
  findBranding(partnerId: string, signal: AbortSignal): Promise<Branding | undefined>;
  /** Puts the branding in the place of an earlier one. */
  saveBranding(partnerId: string, branding: Branding, signal: AbortSignal): Promise<void>;
}

/** A key that completion tokens are signed with. */
export interface SigningKey {
  /** Counted from 1. */
  readonly generation: number;
  /** An Ed25519 private key as PKCS#8 DER. */
  readonly privateKey: Uint8Array;
  /** The key signs from then on, until the next generation does. */
  readonly signsFrom: Date;
}

export interface SigningKeyStore {
  /** All keys, the oldest first. */
  listSigningKeys(signal: AbortSignal): Promise<SigningKey[]>;
  /** Inserts a key, or nothing where its generation is taken. */
  insertSigningKey(key: SigningKey, signal: AbortSignal): Promise<"inserted" | "taken">;
  /** Removes the keys of generations below the given one. */
  deleteSigningKeys(below: number, signal: AbortSignal): Promise<void>;
}

/** What keeps the database small. */
export interface MaintenanceStore {
  /**
   * Removes at most `limit` tokens, and as many links and visits, that expired before the time; tells whether there may
   * be more.
   */
  deleteExpired(before: Date, limit: number, signal: AbortSignal): Promise<boolean>;
}
