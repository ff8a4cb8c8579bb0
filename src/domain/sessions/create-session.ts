// Starting a session, once for each idempotency key.
import { sessionRequestFaults } from "../../rules/session-request.ts";
import type { AssessmentCatalogue } from "../assessments/catalogue.ts";
import type { PublishedAssessment } from "../assessments/published-assessment.ts";
import { compareAndSwap } from "../compare-and-swap.ts";
import type { Clock, Deadline, MonotonicClock, RandomBytes } from "../environment.ts";
import { DomainError, refuseIfAny } from "../errors.ts";
import { anonymousSubject, newId, type Subject, subjectOf } from "../identifiers.ts";
import { hashSecret, newSecret } from "../identity/secrets.ts";
import type { HostedStore } from "../ports/hosted.ts";
import type { SessionMode, SessionStore } from "../ports/sessions.ts";
import { type CreateSessionCommand, commandHash } from "./create-session-command.ts";

const linkLifetimeMs = 7 * 24 * 60 * 60 * 1000;
const maxLinksPerSession = 10;

export interface CreateSessionDeps {
  readonly sessions: SessionStore;
  readonly hosted: HostedStore;
  readonly catalogue: AssessmentCatalogue;
  readonly clock: Clock;
  readonly monotonic: MonotonicClock;
  readonly random: RandomBytes;
}

/** A way for one person into one hosted session. */
export interface HostedAccess {
  /** 256 random bits; stored as a hash only. */
  readonly linkToken: string;
  readonly expiresAt: Date;
}

export interface CreatedSession {
  readonly sessionId: string;
  readonly mode: SessionMode;
  readonly subject: Subject;
  /** The version that the session keeps for good. */
  readonly assessment: PublishedAssessment;
  /** Null for a headless session. */
  readonly hosted: HostedAccess | null;
  /** Whether an earlier call with the same key made the session. */
  readonly replayed: boolean;
}

/**
 * Starts a session for a person of the partner, or answers the earlier one of the same idempotency key.
 * A replay of a hosted session gets a further link.
 * Throws `not_found` (product), `invalid_request`, `idempotency_key_reused`.
 */
export async function createSession(
  deps: CreateSessionDeps,
  partnerId: string,
  command: CreateSessionCommand,
  deadline: Deadline,
): Promise<CreatedSession> {
  const assessment = await deps.catalogue.published(command.product);
  refuseIfAny(sessionRequestFaults(command));
  const { clock, random } = deps;
  const named = command.externalId;
  const subject = named === undefined ? anonymousSubject(random) : subjectOf(partnerId, named);
  const key = command.idempotencyKey;
  const idempotency = key === undefined ? null : { key, requestHash: commandHash(command) };
  const session = {
    id: newId(clock, random),
    partnerId,
    externalId: subject.externalId,
    assessmentId: assessment.id,
    mode: command.mode,
    redirectUrl: command.mode === "hosted" ? (command.redirectUrl ?? null) : null,
    locale: command.locale ?? null,
    personAccess: command.personAccess ?? "none",
    createdAt: new Date(clock()),
    idempotency,
  };
  const made = await compareAndSwap(deps, deadline, async () => {
    const inserted = await deps.sessions.insertSession(session, deadline.signal);
    if (inserted === "inserted" || idempotency === null) {
      return { sessionId: session.id, mode: session.mode, subject, assessment, replayed: false };
    }
    // Undefined if the person was erased in between: the key is free again.
    const found = await findReplay(deps, partnerId, idempotency, deadline);
    // Taken by this very session where an earlier try of the insert did happen.
    return found && { ...found, replayed: found.sessionId !== session.id };
  });
  return { ...made, hosted: made.mode === "hosted" ? await addLink(deps, made.sessionId, deadline) : null };
}

async function findReplay(
  deps: CreateSessionDeps,
  partnerId: string,
  { key, requestHash }: { key: string; requestHash: Uint8Array },
  deadline: Deadline,
): Promise<Omit<CreatedSession, "hosted" | "replayed"> | undefined> {
  const found = await deps.sessions.findSessionByKey(partnerId, key, deadline.signal);
  if (found === undefined) return undefined;
  if (!Buffer.from(found.requestHash).equals(requestHash)) {
    throw new DomainError("idempotency_key_reused", "The idempotency key was used for another request.");
  }
  const { session } = found;
  return {
    sessionId: session.id,
    mode: session.mode,
    subject: subjectOf(partnerId, session.externalId),
    assessment: await deps.catalogue.byId(session.assessmentId),
  };
}

async function addLink(deps: CreateSessionDeps, sessionId: string, deadline: Deadline): Promise<HostedAccess> {
  const linkToken = newSecret("hostedLink", deps.random);
  const createdAt = new Date(deps.clock());
  const expiresAt = new Date(createdAt.getTime() + linkLifetimeMs);
  const link = { hash: hashSecret(linkToken), sessionId, createdAt, expiresAt };
  await deps.hosted.addLink(link, maxLinksPerSession, deadline.signal);
  return { linkToken, expiresAt };
}
