// Starting a session, once for each idempotency key.

import { createHash } from "node:crypto";
import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import { compareAndSwap } from "../../domain/concurrent-writes.ts";
import { anonymousSubject, newId, parseUuid, type Subject, subjectOf } from "../../domain/identifiers.ts";
import { expiryViolations, linkExpiryViolations } from "../../domain/sessions/expiry.ts";
import { maxGroupSessions, type SessionMode } from "../../domain/sessions/session.ts";
import { type TrustedClock, type TrustedTime, timeIfTrusted } from "../../domain/trusted-clock.ts";
import type { Deadline, MonotonicClock } from "../../kernel/environment.ts";
import { details } from "../../kernel/errors/details.ts";
import { invalidRequest, Refusal, refuseIfAny } from "../../kernel/errors/refusal.ts";
import { dayMs } from "../../kernel/timers.ts";
import type { GroupStore, StoredGroup } from "../../store/groups/group-store.ts";
import type { SessionPolicyStore } from "../../store/retention/session-policy-store.ts";
import type { IdempotencyKeyStore } from "../../store/sessions/idempotency-store.ts";
import type { SessionStore } from "../../store/sessions/session-store.ts";
import type { AssessmentCatalogue } from "../assessments/catalogue.ts";
import { addSessionLink, type HostedAccess, type SessionLinkDeps } from "../hosted/session-links.ts";
import { type SessionRequest, sessionRequestViolations } from "./session-request.ts";

export interface CreateSessionDeps extends SessionLinkDeps {
  readonly sessions: SessionStore;
  readonly idempotencyKeys: Pick<IdempotencyKeyStore, "freeKey">;
  readonly trustedClock: TrustedClock;
  /** How long an idempotency key is kept. */
  readonly keyDays: number;
  readonly groups: Pick<GroupStore, "findGroup">;
  readonly sessionPolicies: Pick<SessionPolicyStore, "findPolicy">;
  readonly catalogue: AssessmentCatalogue;
  readonly monotonic: MonotonicClock;
}

export interface CreatedSession {
  readonly sessionId: string;
  readonly mode: SessionMode;
  readonly subject: Subject;
  /** The version that the session keeps for good. */
  readonly assessment: PublishedAssessment;
  /** When it expires unless it is completed; null: never. */
  readonly expiresAt: Date | null;
  /** Null for a headless session. */
  readonly hosted: HostedAccess | null;
  /** Whether an earlier call with the same key made the session. */
  readonly replayed: boolean;
}

/**
 * Starts a session for a person of the partner, or answers the earlier one of the same idempotency key.
 * A replay of a hosted session gets a further link.
 * Throws `not_found` (product), `invalid_request`, `idempotency_key_reused`, `group_closed` and `limit_reached`.
 */
export async function createSession(
  deps: CreateSessionDeps,
  partnerId: string,
  command: CreateSessionCommand,
  deadline: Deadline,
): Promise<CreatedSession> {
  const published = await deps.catalogue.published(command.product);
  refuseIfAny(sessionRequestViolations(command));
  const group = await groupOf(deps, partnerId, command, deadline);
  const assessment = group === null ? published : await deps.catalogue.byId(group.assessmentId);
  const { clock, random, trustedClock } = deps;
  const trusted = () => timeIfTrusted(trustedClock);
  const named = command.externalId;
  const subject = named === undefined ? anonymousSubject(random) : subjectOf(partnerId, named);
  const key = command.idempotencyKey;
  const { keyDays: keptDays } = deps;
  const idempotency = key === undefined ? null : { key, requestHash: commandHash(command), keptDays };
  const expiresAt = command.expiresAt ?? (await defaultExpiry(deps, partnerId, command.mode, deadline));
  const createdAt = new Date(clock());
  const violations = [
    ...expiryViolations(expiresAt, createdAt.getTime()),
    ...linkExpiryViolations(command, createdAt.getTime()),
  ];
  if (violations.length > 0) {
    // A repeated request is answered as before, though its time has come meanwhile.
    const found = idempotency && (await findReplay(deps, partnerId, idempotency, await trusted(), deadline));
    if (!found) throw invalidRequest(violations);
    return withLink(deps, partnerId, command, { ...found, replayed: true }, deadline);
  }
  const session = {
    id: newId(createdAt, random),
    partnerId,
    externalId: subject.externalId,
    assessmentId: assessment.id,
    mode: command.mode,
    redirectUrl: command.mode === "hosted" ? (command.redirectUrl ?? null) : null,
    locale: command.locale ?? null,
    personAccess: command.personAccess ?? "none",
    createdAt,
    expiresAt,
    groupId: group?.id ?? null,
    idempotency,
  };
  const made = await compareAndSwap(deps, deadline, async () => {
    const inserted = await deps.sessions.insertSession(session, deadline.signal);
    if (inserted === "group_closed" || inserted === "group_full") throw refusedBy(inserted);
    if (inserted === "inserted" || idempotency === null) {
      return { sessionId: session.id, mode: session.mode, subject, assessment, expiresAt, replayed: false };
    }
    // Undefined if the person was erased in between, or the time of the key is over: it is free again.
    const now = await trusted();
    const found = await findReplay(deps, partnerId, idempotency, now, deadline);
    if (found === undefined) await deps.idempotencyKeys.freeKey(partnerId, idempotency.key, now, deadline.signal);
    // Taken by this very session where an earlier try of the insert did happen.
    return found && { ...found, replayed: found.sessionId !== session.id };
  });
  return withLink(deps, partnerId, command, made, deadline);
}

/** The group that the session joins, open or not; null: none. */
async function groupOf(
  { groups }: CreateSessionDeps,
  partnerId: string,
  { product, groupId, externalId }: CreateSessionCommand,
  { signal }: Deadline,
): Promise<StoredGroup | null> {
  if (groupId === undefined) return null;
  if (externalId === undefined) {
    // Nobody could say how many people have anonymous sessions.
    const detail = "A member of a group needs an external id: a group counts people.";
    throw invalidRequest([{ path: ["subject", "externalId"], code: "required", detail }]);
  }
  const id = parseUuid(groupId);
  const group = id === undefined ? undefined : await groups.findGroup({ partnerId, id }, signal);
  if (group?.product === product) return group;
  const detail = "There is no such group of this product. Create it first.";
  throw invalidRequest([{ path: ["groupId"], code: "unknown_group", detail }]);
}

function refusedBy(reason: "group_closed" | "group_full"): Refusal {
  return reason === "group_closed"
    ? new Refusal("group_closed", details.group_closed)
    : new Refusal("limit_reached", `At most ${maxGroupSessions} sessions join a group.`);
}

/** By the partner's policy, which headless sessions have none of. */
async function defaultExpiry(
  { sessionPolicies, clock }: CreateSessionDeps,
  partnerId: string,
  mode: SessionMode,
  { signal }: Deadline,
): Promise<Date | null> {
  if (mode === "headless") return null;
  const days = (await sessionPolicies.findPolicy(partnerId, mode, signal))?.expiresAfterDays ?? null;
  return days === null ? null : new Date(clock() + days * dayMs);
}

type MadeSession = Omit<CreatedSession, "hosted">;

async function withLink(
  deps: CreateSessionDeps,
  partnerId: string,
  { linkExpiresAt }: CreateSessionCommand,
  made: MadeSession,
  deadline: Deadline,
): Promise<CreatedSession> {
  if (made.mode !== "hosted") return { ...made, hosted: null };
  const { sessionId: id, expiresAt } = made;
  return { ...made, hosted: await addSessionLink(deps, { partnerId, id }, { expiresAt, linkExpiresAt }, deadline) };
}

async function findReplay(
  deps: CreateSessionDeps,
  partnerId: string,
  { key, requestHash }: { key: string; requestHash: Uint8Array },
  now: TrustedTime | null,
  deadline: Deadline,
): Promise<Omit<CreatedSession, "hosted" | "replayed"> | undefined> {
  const found = await deps.sessions.findSessionByKey(partnerId, key, now, deadline.signal);
  if (found === undefined) return undefined;
  if (!Buffer.from(found.requestHash).equals(requestHash)) {
    throw new Refusal("idempotency_key_reused", details.idempotency_key_reused);
  }
  const { session } = found;
  return {
    sessionId: session.id,
    mode: session.mode,
    subject: subjectOf(partnerId, session.externalId),
    assessment: await deps.catalogue.byId(session.assessmentId),
    expiresAt: session.expiresAt,
  };
}

export interface CreateSessionCommand extends SessionRequest {
  readonly product: string;
  /** When the session expires unless it is completed; undefined: never. */
  readonly expiresAt?: Date | undefined;
  /** The group that it joins; undefined: none. */
  readonly groupId?: string | undefined;
  /** When the link of a hosted session expires; undefined: after seven days. */
  readonly linkExpiresAt?: Date | undefined;
}

/**
 * SHA-256 of what the command asks for. Metadata is left out: of it not even a hash is kept.
 */
export function commandHash(command: CreateSessionCommand): Uint8Array {
  const { product, externalId, mode, redirectUrl, locale, personAccess = "none" } = command;
  const meaning = [product, externalId ?? null, mode, redirectUrl ?? null, locale ?? null];
  // Without it a command means what it meant before there was access: its key may be older than this release.
  if (personAccess !== "none") meaning.push(personAccess);
  if (command.expiresAt !== undefined) meaning.push(`until ${command.expiresAt.getTime()}`);
  if (command.linkExpiresAt !== undefined) meaning.push(`link until ${command.linkExpiresAt.getTime()}`);
  if (command.groupId !== undefined) meaning.push(`in ${command.groupId.toLowerCase()}`);
  return createHash("sha256").update(JSON.stringify(meaning)).digest();
}
