// Creates a session, once for each idempotency key.

import { timestampDate, timestampMs } from "@bufbuild/protobuf/wkt";
import {
  type AssessmentForm,
  isOffered,
  type PublishedAssessment,
  toFormId,
} from "../../domain/assessments/published-assessment.ts";
import { createOnce, hashRequest } from "../../domain/concurrent-writes.ts";
import { createAnonymousSubject, createId, toSubject } from "../../domain/identifiers.ts";
import { copyRatings } from "../../domain/sessions/answers.ts";
import { findEndViolations, findLinkExpiryViolations } from "../../domain/sessions/expiry.ts";
import { maxGroupSessions, type NewSession, type Recording, type SessionMode } from "../../domain/sessions/session.ts";
import { AssessmentForm as FormMessage } from "../../gen/assessment/v1/assessment_pb.ts";
import type { CreateSessionRequest } from "../../gen/assessment/v1/session_service_pb.ts";
import { dayMs } from "../../kernel/environment.ts";
import { details } from "../../kernel/errors/details.ts";
import { invalidFieldError, invalidRequestError, Refusal, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import type { PartnerCall, SessionCall } from "../../pipeline/call.ts";
import type { StoredGroup } from "../../store/groups/group-statements.ts";
import { toAssessmentForm } from "../assessments/assessment-service.ts";
import type { Dependencies } from "../dependencies.ts";
import { requireGroup } from "../groups/groups.ts";
import { addSessionLink, type SessionLinkDeps } from "../hosted/session-links.ts";
import { createQuestionFilter, findContinuation, unknownSession } from "./continuation.ts";
import { findSessionRequestViolations, omitDefaults, readRequestedFields } from "./session-request.ts";
import type { SessionWithAssessment } from "./sessions.ts";

/**
 * Creates a session for a person of the partner, or returns the earlier one of the same idempotency key.
 * A replay of a hosted session gets a further link.
 * Throws `not_found` (product), `invalid_request`, `idempotency_key_reused`, `group_closed`, `limit_reached` and, for a
 * hosted session, `hosted_off`.
 */
export async function createSession(deps: SessionLinkDeps, request: CreateSessionRequest, call: SessionCall) {
  const requestFields = readRequestedFields(request);
  const { mode, redirectUrl, locale } = requestFields;
  await deps.catalogue.getPublished(request.product);
  throwIfInvalid(findSessionRequestViolations(request));
  const group = await findJoinedGroup(deps, request, call);
  const { shortSession, violations } = await findContinuation(deps, request, group, call);
  const assessment = await chooseAssessment(deps, request, group, shortSession);
  const { subject, linkExpiresAt, idempotencyKey: key } = request;
  const requestedLinkEnd = linkExpiresAt && timestampDate(linkExpiresAt);
  const { session, isReplay } = await startSession(
    deps,
    {
      ...requestFields,
      assessment,
      externalId: subject?.externalId ?? shortSession?.session.externalId,
      redirectUrl: mode === "hosted" ? redirectUrl : null,
      linkExpiresAt: requestedLinkEnd,
      groupId: group?.id ?? null,
      shortSession,
      idempotency: key === undefined ? null : { key, requestHash: computeRequestHash(request, assessment.form) },
    },
    call,
    violations,
  );
  const { id: sessionId, partnerId, externalId } = session;
  const usedAssessment = await deps.catalogue.getById(session.assessmentId);
  // A repeated request may come after the time that it asks for, and gets a link that works.
  const linkEnd = requestedLinkEnd && requestedLinkEnd.getTime() > call.now() ? requestedLinkEnd : undefined;
  return {
    sessionId,
    mode: session.mode,
    subject: toSubject(partnerId, externalId),
    form: usedAssessment.form,
    replayed: isReplay,
    unused: [
      ...(session.mode === "hosted" || redirectUrl === null ? [] : ["/redirectUrl"]),
      ...(locale === null || isOffered(usedAssessment, locale) ? [] : ["/locale"]),
    ],
    variant:
      session.mode === "headless"
        ? { case: "headless" as const, value: await toHeadless(deps, session.continues, usedAssessment, locale) }
        : { case: "hosted" as const, value: await addSessionLink(deps, session, linkEnd, call) },
  };
}

/** The questions of a headless session. */
async function toHeadless(
  deps: Dependencies,
  continues: string | null,
  assessment: PublishedAssessment,
  locale: string | null,
) {
  const message = deps.catalogue.toMessage(assessment, [locale]);
  // All other sessions get one message, which is encoded once.
  if (continues === null) return message;
  const isAsked = await createQuestionFilter(deps, continues, assessment);
  const questions = message.assessment.questions.filter(({ id }) => isAsked(id));
  return { ...message, assessment: { ...message.assessment, questions } };
}

/** A session to be created. */
interface SessionDraft
  extends Pick<NewSession, "mode" | "redirectUrl" | "locale" | "personAccess" | "idempotency" | "joinCodeHash"> {
  readonly assessment: PublishedAssessment;
  /** Undefined: an anonymous person's. */
  readonly externalId?: string | undefined;
  /** Null or undefined: as the partner's policy says. */
  readonly expiresAt?: Date | null;
  /** When a request asks that its link expires. */
  readonly linkExpiresAt?: Date | undefined;
  readonly groupId?: string | null;
  /** The session that it continues. */
  readonly shortSession?: SessionWithAssessment | undefined;
}

/** A session, new or found by its key. */
type CreatedSession = Pick<
  NewSession,
  "id" | "partnerId" | "externalId" | "assessmentId" | "mode" | "expiresAt" | "continues"
>;

const groupFullDetail = `At most ${maxGroupSessions} sessions join a group.`;
const noAnswers: Recording = { answers: [], arrivals: null, shownLanguage: null };

/**
 * Stores a session, or finds the earlier one of its idempotency key.
 * Throws `invalid_request`, `idempotency_key_reused`, `group_closed`, `limit_reached`, `conflict` and, for a hosted session,
 * `hosted_off`.
 * @param violations of the request; those of its times are added
 */
export async function startSession(
  deps: SessionLinkDeps,
  { assessment, shortSession, groupId = null, linkExpiresAt, ...draft }: SessionDraft,
  call: SessionCall,
  violations: readonly Violation[] = [],
): Promise<{ readonly session: CreatedSession; readonly isReplay: boolean }> {
  const { random, sessions } = deps;
  const { partnerId, signal } = call;
  const { mode, idempotency } = draft;
  if (mode === "hosted") deps.pagesUrl();
  const expiresAt = draft.expiresAt ?? (await computeDefaultExpiry(deps, mode, call));
  const createdAt = new Date(call.now());
  const now = createdAt.getTime();
  const newSession = {
    ...draft,
    id: createId(createdAt, random),
    partnerId,
    externalId: draft.externalId ?? createAnonymousSubject(random).externalId,
    product: assessment.product,
    assessmentId: assessment.id,
    createdAt,
    expiresAt,
    groupId,
    continues: shortSession?.session.id ?? null,
    ...(shortSession === undefined ? noAnswers : copyRatings(shortSession, assessment, now)),
  };
  const session = await createOnce<CreatedSession>(deps, call, {
    idempotency,
    violations: [
      ...findEndViolations("expiresAt", expiresAt, now),
      ...findLinkExpiryViolations(linkExpiresAt, { mode, expiresAt: draft.expiresAt ?? null }, now),
      ...violations,
    ],
    findByKey: (key) => sessions.findSessionByKey(partnerId, key, signal),
    async insert() {
      const outcome = await sessions.insertSession(newSession, signal);
      if (outcome === "continued_gone") throw invalidRequestError([unknownSession]);
      if (outcome === "group_closed") throw new Refusal("group_closed", details.group_closed);
      if (outcome === "group_full") throw new Refusal("limit_reached", groupFullDetail);
      return outcome === "inserted" ? newSession : outcome;
    },
  });
  // An earlier attempt of this insert may have succeeded, so that this very session has the key.
  return { session, isReplay: session.id !== newSession.id };
}

/** The group that the session joins, open or not; null: none. */
async function findJoinedGroup(
  deps: SessionLinkDeps,
  { product, groupId, subject, continues }: CreateSessionRequest,
  call: PartnerCall,
): Promise<StoredGroup | null> {
  if (groupId === undefined) return null;
  if (subject?.externalId === undefined && continues === undefined) {
    // Anonymous sessions do not show how many people there are.
    const detail = "A member of a group needs an external id: a group counts people.";
    throw invalidFieldError(["subject", "externalId"], "required", detail);
  }
  return requireGroup(deps, "groupId", { product, groupId }, call);
}

/** The version of the group, or of the session that is continued, or else the published one; in the requested form. */
async function chooseAssessment(
  { catalogue }: Dependencies,
  { product, form, continues }: CreateSessionRequest,
  group: StoredGroup | null,
  shortSession: SessionWithAssessment | undefined,
): Promise<PublishedAssessment> {
  const id = group?.assessmentId ?? (shortSession && toFormId(shortSession.session.assessmentId, "long"));
  const version = await (id === undefined ? catalogue.getPublished(product) : catalogue.getById(id));
  if (form === FormMessage.UNSPECIFIED) return version;
  const assessment = await catalogue.getForm(version, toAssessmentForm(form));
  if (group === null || assessment === version || continues !== undefined) return assessment;
  const detail = `All sessions of this group have the ${version.form} form: leave \`form\` out.`;
  throw invalidFieldError(["form"], "unknown_value", detail);
}

/** By the partner's policy; headless sessions have none. */
async function computeDefaultExpiry(
  { sessionPolicies }: Dependencies,
  mode: SessionMode,
  { partnerId, signal, now }: SessionCall,
): Promise<Date | null> {
  if (mode === "headless") return null;
  const days = (await sessionPolicies.findPolicy(partnerId, mode, signal))?.expiresAfterDays ?? null;
  return days === null ? null : new Date(now() + days * dayMs);
}

/** SHA-256 of the request: a stated default changes nothing. Metadata is left out: not even its hash is stored. */
export function computeRequestHash(request: CreateSessionRequest, form: AssessmentForm): Uint8Array {
  const { product, subject, linkExpiresAt, groupId, continues } = request;
  return hashRequest({
    product,
    form,
    externalId: subject?.externalId,
    groupId: groupId?.toLowerCase(),
    continues: continues?.toLowerCase(),
    linkExpiresAt: linkExpiresAt && timestampMs(linkExpiresAt),
    ...omitDefaults(readRequestedFields(request)),
  });
}
