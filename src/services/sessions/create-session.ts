// Creates a session, once for each idempotency key.

import { createHash } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { timestampDate, timestampMs } from "@bufbuild/protobuf/wkt";
import { type AssessmentForm, inForm, isOffered, toForm } from "../../domain/assessments/published-assessment.ts";
import { createOnce } from "../../domain/concurrent-writes.ts";
import { anonymousSubject, newId, toSubject } from "../../domain/identifiers.ts";
import { takeOver } from "../../domain/sessions/answers.ts";
import { endViolations, linkExpiryViolations } from "../../domain/sessions/expiry.ts";
import { maxGroupSessions, type NewSession, type Recording, type SessionMode } from "../../domain/sessions/session.ts";
import { AssessmentForm as FormMessage } from "../../gen/assessment/v1/assessment_pb.ts";
import {
  type CreateSessionRequest,
  type CreateSessionResponse,
  CreateSessionResponseSchema,
  SessionMode as ModeMessage,
  PersonAccess,
} from "../../gen/assessment/v1/session_service_pb.ts";
import { type Deadline, dayMs } from "../../kernel/environment.ts";
import { details } from "../../kernel/errors/details.ts";
import { invalidRequest, Refusal, refuseIfAny } from "../../kernel/errors/refusal.ts";
import type { PartnerCall } from "../../pipeline/call.ts";
import type { StoredGroup } from "../../store/groups/group-statements.ts";
import { toAssessmentForm } from "../assessments/assessment-service.ts";
import type { Needs } from "../dependencies.ts";
import { requireGroup } from "../groups/groups.ts";
import { addSessionLink, type SessionLinkDeps } from "../hosted/session-links.ts";
import { askedQuestions, findContinuation, unknownSession } from "./continuation.ts";
import { sessionRequestViolations } from "./session-request.ts";

export type CreateSessionDeps = SessionLinkDeps &
  Needs<"sessions" | "groups" | "sessionPolicies" | "catalogue" | "messages" | "monotonic">;

/** What the response contains of a session, new or found by its key. */
type CreatedSession = Pick<NewSession, "id" | "partnerId" | "externalId" | "assessmentId" | "mode" | "expiresAt"> &
  Pick<NewSession, "continues">;

const noAnswers: Recording = { answers: [], arrivals: null, shownLanguage: null };

/**
 * Creates a session for a person of the partner, or returns the earlier one of the same idempotency key.
 * A replay of a hosted session gets a further link.
 * Throws `not_found` (product), `invalid_request`, `idempotency_key_reused`, `group_closed`, `limit_reached` and, for a
 * hosted session, `hosted_off`.
 * @param joinCodeHash of the code by which an anonymous person joins the group; undefined: the partner adds the session
 */
export async function createSession(
  deps: CreateSessionDeps,
  request: CreateSessionRequest,
  call: PartnerCall,
  joinCodeHash?: Uint8Array,
) {
  const { partnerId } = call;
  const mode = toMode(request);
  if (mode === "hosted") deps.pagesUrl();
  const publishedAssessment = await deps.catalogue.findPublished(request.product);
  refuseIfAny(sessionRequestViolations(request));
  const group = await findJoinedGroup(deps, request, call, joinCodeHash !== undefined);
  const { continued, ...continuation } = await findContinuation(deps, request, group, call);
  const versionId = group?.assessmentId ?? (continued && inForm(continued.session.assessmentId, "long"));
  const version = versionId === undefined ? publishedAssessment : await deps.catalogue.byId(versionId);
  const form = request.form === FormMessage.UNSPECIFIED ? version.form : toAssessmentForm(request.form);
  if (group !== null && form !== version.form && request.continues === undefined) throw otherForm(version.form);
  const assessment = await deps.catalogue.inForm(version, form);
  const { clock, random } = deps;
  const externalId =
    request.subject?.externalId ?? continued?.session.externalId ?? anonymousSubject(random).externalId;
  const { idempotencyKey: key } = request;
  const idempotency = key === undefined ? null : { key, requestHash: joinCodeHash ?? requestHash(request, form) };
  const requestTimes = readTimes(request);
  const expiresAt = requestTimes.expiresAt ?? (await defaultExpiry(deps, mode, call));
  const createdAt = new Date(clock());
  const violations = [
    ...endViolations("expiresAt", expiresAt, createdAt.getTime()),
    ...linkExpiryViolations({ mode, ...requestTimes }, createdAt.getTime()),
    ...continuation.violations,
  ];
  const session = {
    id: newId(createdAt, random),
    partnerId,
    externalId,
    product: assessment.product,
    assessmentId: assessment.id,
    mode,
    redirectUrl: mode === "hosted" ? (request.redirectUrl ?? null) : null,
    locale: request.locale ?? null,
    personAccess: toPersonAccess(request),
    createdAt,
    expiresAt,
    groupId: group?.id ?? null,
    continues: continued?.session.id ?? null,
    ...(continued === undefined ? noAnswers : takeOver(continued, assessment, createdAt.getTime())),
    idempotency,
    ...(joinCodeHash && { joinCodeHash }),
  };
  const createdSession = await createOnce<CreatedSession>(deps, call, {
    idempotency,
    violations,
    findByKey: (usedKey) => deps.sessions.findSessionByKey(partnerId, usedKey, call.signal),
    async insert() {
      const outcome = await deps.sessions.insertSession(session, call.signal);
      if (outcome === "continued_gone") throw invalidRequest([unknownSession]);
      if (outcome === "group_closed" || outcome === "group_full") throw refusedBy(outcome);
      return outcome === "inserted" ? session : outcome;
    },
  });
  // An earlier attempt of this insert may have succeeded, so that this very session has the key.
  return respond(deps, request, createdSession, createdSession.id !== session.id, call);
}

/** A hosted session gets a link with each response. */
async function respond(
  deps: CreateSessionDeps,
  request: CreateSessionRequest,
  { id: sessionId, partnerId, externalId, assessmentId, mode, expiresAt, continues }: CreatedSession,
  isReplay: boolean,
  deadline: Deadline,
): Promise<CreateSessionResponse> {
  const response = create(CreateSessionResponseSchema, {
    sessionId,
    mode: mode === "hosted" ? ModeMessage.HOSTED : ModeMessage.HEADLESS,
    subject: toSubject(partnerId, externalId),
    form: toForm(assessmentId) === "short" ? FormMessage.SHORT : FormMessage.LONG,
    replayed: isReplay,
  });
  const assessment = await deps.catalogue.byId(assessmentId);
  const unusedMembers = [
    ...(mode === "hosted" || request.redirectUrl === undefined ? [] : ["/redirectUrl"]),
    ...(request.locale === undefined || isOffered(assessment, request.locale) ? [] : ["/locale"]),
  ];
  if (mode === "headless") {
    const headless = deps.messages(assessment, [request.locale]);
    const isAsked = await askedQuestions(deps, continues, assessment);
    const questions = headless.assessment.questions.filter(({ id }) => isAsked(id));
    // Every long or short session gets the same message, which is encoded once.
    const value = continues === null ? headless : { ...headless, assessment: { ...headless.assessment, questions } };
    return { ...response, unused: unusedMembers, variant: { case: "headless", value } };
  }
  const { linkExpiresAt } = readTimes(request);
  // A repeated request may come after the time that it asks for, and gets a link that works.
  const isOver = linkExpiresAt !== undefined && linkExpiresAt.getTime() <= deps.clock();
  const times = { expiresAt, linkExpiresAt: isOver ? undefined : linkExpiresAt };
  const link = await addSessionLink(deps, { partnerId, id: sessionId }, times, deadline);
  return { ...response, unused: unusedMembers, variant: { case: "hosted", value: link } };
}

function toMode({ mode }: CreateSessionRequest): SessionMode {
  return mode === ModeMessage.HOSTED ? "hosted" : "headless";
}

/** Whether the last page offers the person their report. */
export function toPersonAccess({ personAccess }: Pick<CreateSessionRequest, "personAccess">) {
  return personAccess === PersonAccess.AFTER_COMPLETION ? ("after_completion" as const) : ("none" as const);
}

function readTimes({ expiresAt, linkExpiresAt }: CreateSessionRequest) {
  return {
    expiresAt: expiresAt && timestampDate(expiresAt),
    linkExpiresAt: linkExpiresAt && timestampDate(linkExpiresAt),
  };
}

/** The group that the session joins, open or not; null: none. */
async function findJoinedGroup(
  deps: CreateSessionDeps,
  { product, groupId, subject, continues }: CreateSessionRequest,
  call: PartnerCall,
  isByCode: boolean,
): Promise<StoredGroup | null> {
  if (groupId === undefined) return null;
  if (subject?.externalId === undefined && continues === undefined && !isByCode) {
    // Anonymous sessions do not show how many people there are.
    const detail = "A member of a group needs an external id: a group counts people.";
    throw invalidRequest([{ path: ["subject", "externalId"], code: "required", detail }]);
  }
  return requireGroup(deps, "groupId", { product, groupId }, call);
}

function otherForm(form: AssessmentForm): Refusal {
  const detail = `All sessions of this group have the ${form} form: leave \`form\` out.`;
  return invalidRequest([{ path: ["form"], code: "unknown_value", detail }]);
}

function refusedBy(reason: "group_closed" | "group_full"): Refusal {
  return reason === "group_closed"
    ? new Refusal("group_closed", details.group_closed)
    : new Refusal("limit_reached", `At most ${maxGroupSessions} sessions join a group.`);
}

/** By the partner's policy; headless sessions have none. */
async function defaultExpiry(
  { sessionPolicies, clock }: CreateSessionDeps,
  mode: SessionMode,
  { partnerId, signal }: PartnerCall,
): Promise<Date | null> {
  if (mode === "headless") return null;
  const days = (await sessionPolicies.findPolicy(partnerId, mode, signal))?.expiresAfterDays ?? null;
  return days === null ? null : new Date(clock() + days * dayMs);
}

/**
 * SHA-256 of what the request asks for: a default is the same as its value. Metadata is left out: not even its hash is stored.
 */
export function requestHash(request: CreateSessionRequest, form: AssessmentForm): Uint8Array {
  const { product, subject, redirectUrl, locale, expiresAt, linkExpiresAt, groupId, continues } = request;
  const meaning = [product, subject?.externalId ?? null, toMode(request), redirectUrl ?? null, locale ?? null];
  const access = toPersonAccess(request);
  if (access !== "none") meaning.push(access);
  if (expiresAt !== undefined) meaning.push(`until ${timestampMs(expiresAt)}`);
  if (linkExpiresAt !== undefined) meaning.push(`link until ${timestampMs(linkExpiresAt)}`);
  if (groupId !== undefined) meaning.push(`in ${groupId.toLowerCase()}`);
  if (continues !== undefined) meaning.push(`after ${continues.toLowerCase()}`);
  if (form !== "long") meaning.push(`${form} form`);
  return createHash("sha256").update(JSON.stringify(meaning)).digest();
}
