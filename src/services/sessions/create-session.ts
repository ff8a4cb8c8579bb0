// Creates a session, once for each idempotency key.

import { hash } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { timestampDate, timestampMs } from "@bufbuild/protobuf/wkt";
import {
  type AssessmentForm,
  inForm,
  isOffered,
  type PublishedAssessment,
  toForm,
} from "../../domain/assessments/published-assessment.ts";
import { createOnce } from "../../domain/concurrent-writes.ts";
import { anonymousSubject, newId, toSubject } from "../../domain/identifiers.ts";
import { copyRatings } from "../../domain/sessions/answers.ts";
import { endViolations, linkExpiryViolations } from "../../domain/sessions/expiry.ts";
import { maxGroupSessions, type NewSession, type Recording, type SessionMode } from "../../domain/sessions/session.ts";
import { AssessmentForm as FormMessage } from "../../gen/assessment/v1/assessment_pb.ts";
import {
  type CreateSessionRequest,
  type CreateSessionResponse,
  CreateSessionResponseSchema,
  SessionMode as ModeMessage,
} from "../../gen/assessment/v1/session_service_pb.ts";
import { type Deadline, dayMs } from "../../kernel/environment.ts";
import { details } from "../../kernel/errors/details.ts";
import { invalidRequest, Refusal, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import type { PartnerCall } from "../../pipeline/call.ts";
import type { StoredGroup } from "../../store/groups/group-statements.ts";
import { toAssessmentForm } from "../assessments/assessment-service.ts";
import type { Needs } from "../dependencies.ts";
import { requireGroup } from "../groups/groups.ts";
import { addSessionLink, type SessionLinkDeps } from "../hosted/session-links.ts";
import { askedQuestions, findContinuation, unknownSession } from "./continuation.ts";
import { readRequestedFields, sessionRequestViolations } from "./session-request.ts";
import type { FoundSession } from "./sessions.ts";

export type CreateSessionDeps = SessionLinkDeps &
  Needs<"sessions" | "groups" | "sessionPolicies" | "catalogue" | "messages" | "monotonic">;

/** What the response contains of a session, new or found by its key. */
type CreatedSession = Pick<NewSession, "id" | "partnerId" | "externalId" | "assessmentId" | "mode" | "expiresAt"> &
  Pick<NewSession, "continues">;

const groupFull = `At most ${maxGroupSessions} sessions join a group.`;
const noAnswers: Recording = { answers: [], arrivals: null, shownLanguage: null };

/**
 * Creates a session for a person of the partner, or returns the earlier one of the same idempotency key.
 * A replay of a hosted session gets a further link.
 * Throws `not_found` (product), `invalid_request`, `idempotency_key_reused`, `group_closed`, `limit_reached` and, for a
 * hosted session, `hosted_off`.
 * @param personHash where a person asks for it on the pages, in place of the request's hash: in a group, of its join code
 */
export async function createSession(
  deps: CreateSessionDeps,
  request: CreateSessionRequest,
  call: PartnerCall,
  personHash?: Uint8Array,
) {
  const { partnerId } = call;
  const requestFields = readRequestedFields(request);
  const { mode } = requestFields;
  if (mode === "hosted") deps.pagesUrl();
  await deps.catalogue.findPublished(request.product);
  throwIfInvalid(sessionRequestViolations(request));
  const group = await findJoinedGroup(deps, request, call, personHash !== undefined);
  const { continued, ...continuation } = await findContinuation(deps, request, group, call);
  const assessment = await chooseAssessment(deps, request, group, continued);
  const { clock, random } = deps;
  const externalId =
    request.subject?.externalId ?? continued?.session.externalId ?? anonymousSubject(random).externalId;
  const { idempotencyKey: key } = request;
  const meaning = personHash ?? requestHash(request, assessment.form);
  const idempotency = key === undefined ? null : { key, requestHash: meaning };
  const expiresAt = requestFields.expiresAt ?? (await defaultExpiry(deps, mode, call));
  const createdAt = new Date(clock());
  const violations = [
    ...endViolations("expiresAt", expiresAt, createdAt.getTime()),
    ...linkExpiryViolations({ ...requestFields, linkExpiresAt: toLinkExpiry(request) }, createdAt.getTime()),
    ...continuation.violations,
  ];
  const session = {
    id: newId(createdAt, random),
    partnerId,
    externalId,
    product: assessment.product,
    assessmentId: assessment.id,
    ...requestFields,
    redirectUrl: mode === "hosted" ? requestFields.redirectUrl : null,
    expiresAt,
    createdAt,
    groupId: group?.id ?? null,
    continues: continued?.session.id ?? null,
    ...(continued === undefined ? noAnswers : copyRatings(continued, assessment, createdAt.getTime())),
    idempotency,
    ...(group !== null && personHash && { joinCodeHash: personHash }),
  };
  const createdSession = await createOnce<CreatedSession>(deps, call, {
    idempotency,
    violations,
    findByKey: (usedKey) => deps.sessions.findSessionByKey(partnerId, usedKey, call.signal),
    async insert() {
      const outcome = await deps.sessions.insertSession(session, call.signal);
      if (outcome === "continued_gone") throw invalidRequest([unknownSession]);
      if (outcome === "group_closed") throw new Refusal("group_closed", details.group_closed);
      if (outcome === "group_full") throw new Refusal("limit_reached", groupFull);
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
    let value = deps.messages(assessment, [request.locale]);
    // All other sessions get one message, which is encoded once.
    if (continues !== null) {
      const isAsked = await askedQuestions(deps, continues, assessment);
      const questions = value.assessment.questions.filter(({ id }) => isAsked(id));
      value = { ...value, assessment: { ...value.assessment, questions } };
    }
    return { ...response, unused: unusedMembers, variant: { case: "headless", value } };
  }
  const linkExpiresAt = toLinkExpiry(request);
  // A repeated request may come after the time that it asks for, and gets a link that works.
  const isOver = linkExpiresAt !== undefined && linkExpiresAt.getTime() <= deps.clock();
  const times = { expiresAt, linkExpiresAt: isOver ? undefined : linkExpiresAt };
  const link = await addSessionLink(deps, { partnerId, id: sessionId }, times, deadline);
  return { ...response, unused: unusedMembers, variant: { case: "hosted", value: link } };
}

/** The token of the link in the response of a hosted session. */
export function readLinkToken({ variant }: CreateSessionResponse): string {
  if (variant.case !== "hosted") throw new Error("a session without pages has no link");
  return variant.value.hostedUrl.split("/").at(-1) ?? "";
}

function toLinkExpiry({ linkExpiresAt }: CreateSessionRequest): Date | undefined {
  return linkExpiresAt && timestampDate(linkExpiresAt);
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

/** The version of the group, or of the session that is continued, or else the published one; in the requestFields form. */
async function chooseAssessment(
  { catalogue }: CreateSessionDeps,
  { product, form, continues }: CreateSessionRequest,
  group: StoredGroup | null,
  continued: FoundSession | undefined,
): Promise<PublishedAssessment> {
  const assessmentId = group?.assessmentId ?? (continued && inForm(continued.session.assessmentId, "long"));
  const version = await (assessmentId === undefined ? catalogue.findPublished(product) : catalogue.byId(assessmentId));
  if (form === FormMessage.UNSPECIFIED) return version;
  const assessment = await catalogue.inForm(version, toAssessmentForm(form));
  if (group === null || assessment === version || continues !== undefined) return assessment;
  const detail = `All sessions of this group have the ${version.form} form: leave \`form\` out.`;
  throw invalidRequest([{ path: ["form"], code: "unknown_value", detail }]);
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
  const { product, subject, linkExpiresAt, groupId, continues } = request;
  const ids = [groupId, continues].map((id) => id?.toLowerCase());
  const linkTime = linkExpiresAt && timestampMs(linkExpiresAt);
  const values = [product, subject?.externalId, form, ...ids, linkTime, ...Object.values(readRequestedFields(request))];
  return hash("sha256", JSON.stringify(values), "buffer");
}
