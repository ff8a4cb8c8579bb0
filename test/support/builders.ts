// Things to store: whole and sound, each one different from the one before, and changed where a test says so.
import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { StoredAssessment } from "../../src/domain/assessments/published-assessment.ts";
import type { Anchor, AuditRange } from "../../src/domain/audit/trail.ts";
import {
  type AuditEntry,
  type AuditRecord,
  computeChainStart,
  computeRecordHash,
} from "../../src/domain/audit/trail.ts";
import type { JoinCode } from "../../src/domain/groups/join-code.ts";
import type { AnswerArrivals, NewSession, Ratings, Recording, SessionKey } from "../../src/domain/sessions/session.ts";
import type { Endpoint } from "../../src/domain/webhooks/endpoint.ts";
import type { SealedSecret } from "../../src/domain/webhooks/sealed-secrets.ts";
import type { CallEvent } from "../../src/kernel/telemetry.ts";
import type { NewGroup } from "../../src/store/groups/group-statements.ts";
import type { Link } from "../../src/store/hosted/hosted-store.ts";
import type { AccessToken, Client, ClientSecret } from "../../src/store/identity/identity-store.ts";
import type { ReportBrowserSession, ReportLink } from "../../src/store/reports/report-access-store.ts";
import type { SessionPolicy } from "../../src/store/retention/session-policy-store.ts";
import type { Erasure } from "../../src/store/sessions/session-erasure.ts";
import { soundDefinition } from "./values-bridge/definition.ts";

/** A new id; later ones sort later. */
export function someId(): string {
  return uuidv7();
}

/** A moment, `ms` milliseconds into a day of the tests. */
export function at(ms: number): Date {
  return new Date(Date.UTC(2026, 10, 20) + ms);
}

export function someSession(changes: Partial<NewSession> = {}): NewSession {
  return {
    id: someId(),
    partnerId: someId(),
    externalId: `person ${someId()}`,
    product: "values-bridge",
    assessmentId: 1,
    mode: "headless",
    redirectUrl: null,
    locale: null,
    personAccess: "none",
    createdAt: at(0),
    expiresAt: null,
    groupId: null,
    continues: null,
    ...someRecording([]),
    idempotency: null,
    ...changes,
  };
}

/** An open group without sessions. */
export function someGroup(changes: Partial<NewGroup> = {}): NewGroup {
  return {
    id: someId(),
    partnerId: someId(),
    product: "values-bridge",
    assessmentId: 1,
    parentId: null,
    label: "Team",
    createdAt: at(0),
    closesAt: null,
    idempotency: null,
    ...changes,
  };
}

export function someJoinCode(changes: Partial<JoinCode> = {}): JoinCode {
  return {
    hash: Buffer.alloc(32, 1),
    redirectUrl: "https://partner.example/done",
    personAccess: "none",
    expiresAt: at(1000),
    maxSessions: 3,
    joinedSessions: 0,
    ...changes,
  };
}

/** Answers as a call leaves them, about whose arrival nothing is known. */
export function someRecording(answers: Ratings, changes: Partial<Recording> = {}): Recording {
  return { answers, arrivals: null, shownLanguage: null, ...changes };
}

/** Of answers that all came with one call. */
export function someArrivals(firstAnswerAt: Date): AnswerArrivals {
  return { firstAnswerAt, lastAnswerAt: firstAnswerAt, answerCalls: 1, firstCallAnswers: 1 };
}

/** Results as they are stored: bytes that only the product reads. */
export function someResults(archetypeId = 1): Buffer {
  return Buffer.from(`results of archetype ${archetypeId}`);
}

export function someLink({ partnerId, id }: SessionKey, changes: Partial<Link> = {}): Link {
  return { hash: randomBytes(32), partnerId, sessionId: id, createdAt: at(0), expiresAt: at(1000), ...changes };
}

export function someReportLink(session: SessionKey, changes: Partial<ReportLink> = {}): ReportLink {
  return { ...someLink(session), locale: null, name: null, day: null, timeZone: null, card: null, ...changes };
}

export function someReportBrowserSession(
  session: SessionKey,
  linkHash: Uint8Array | null,
  changes: Partial<ReportLink> = {},
): ReportBrowserSession {
  return { ...someReportLink(session, changes), linkHash };
}

export function someErasure(partnerId: string): Erasure & { readonly deletedAt: Date } {
  return { partnerId, erasedAt: at(0), deletedAt: at(0) };
}

export function someAssessment(changes: Partial<StoredAssessment> = {}): StoredAssessment {
  return { id: 1, product: "small-example", version: 1, definition: soundDefinition(), publishedAt: at(0), ...changes };
}

export function someClient(changes: Partial<Client> = {}): Client {
  return {
    id: someId(),
    partnerId: someId(),
    name: "Backend",
    scopes: ["sessions:write"],
    disabledAt: null,
    createdAt: at(0),
    ...changes,
  };
}

export function someSecret(clientId: string, createdAt = at(0)): ClientSecret {
  return { hash: randomBytes(32), clientId, createdAt };
}

export function someToken(clientId: string, changes: Partial<AccessToken> = {}): AccessToken {
  return { hash: randomBytes(32), clientId, scopes: ["sessions:read"], expiresAt: at(3_600_000), ...changes };
}

/** A webhook endpoint. */
export function someEndpoint(partnerId: string): Endpoint {
  return {
    id: someId(),
    partnerId,
    url: "https://partner.example/hooks",
    description: null,
    types: ["session.created"],
    includeExternalId: false,
    includeNames: false,
    revision: 0,
    disabledReason: null,
    createdAt: at(0),
    sequence: 0,
    lastAnswered: "unknown",
    failures: 0,
    failingSince: null,
    replay: null,
    pausedUntil: null,
  };
}

export function someSealedSecret(endpointId: string): SealedSecret {
  const secret = { keyId: randomBytes(4), sealed: randomBytes(60) };
  return { id: someId(), endpointId, ...secret, createdAt: at(0) };
}

/** A chain of so many records, a millisecond each. */
export function someChain(length: number, about: Partial<AuditEntry> = {}): AuditRecord[] {
  const writer = uuidv7({ msecs: at(0).getTime() });
  const entry = { partnerId: null, clientId: null, action: "results.read", sessionId: null, targetId: null };
  let before = computeChainStart(writer);
  return Array.from({ length }, (_, index) => {
    const place = { writer, sequence: index + 1, at: at(index) };
    const record = { ...entry, requestId: "request", outcome: "ok", ...about, ...place };
    before = computeRecordHash(before, record);
    return { ...record, hash: before };
  });
}

/** An anchor that holds nothing. */
export function someAnchor(sequence: number): Anchor {
  const content = JSON.stringify({ heads: [], ended: [], first: 1 });
  return { sequence, at: at(sequence), content, hash: randomBytes(32), signature: null };
}

/** A policy of headless sessions that deletes nothing. */
export function somePolicy(partnerId: string, changes: Partial<SessionPolicy> = {}): SessionPolicy {
  return {
    partnerId,
    mode: "headless",
    expiresAfterDays: null,
    deleteCompletedAfterDays: null,
    deleteOpenAfterDays: null,
    deleteAnswersAfterDays: null,
    deleteResultsAfterDays: null,
    ...changes,
  };
}

/** A call that succeeded in a millisecond. */
export function someCallEvent(changes: Partial<CallEvent> = {}): CallEvent {
  return {
    rpc: "SessionService/GetSession",
    transport: "grpc",
    requestId: "request",
    traceparent: undefined,
    span: undefined,
    clientId: undefined,
    partnerId: undefined,
    outcome: "ok",
    violation: undefined,
    seconds: 0.001,
    cause: undefined,
    ...changes,
  };
}

/** All of time. */
export function someAuditRange(): AuditRange {
  const writer = "ffffffff-ffff-ffff-ffff-ffffffffffff";
  return { from: new Date(0), before: { at: new Date(Date.UTC(9999, 0)), writer, sequence: Number.MAX_SAFE_INTEGER } };
}
