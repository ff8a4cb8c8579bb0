// Joining a group by its code: the page of a code, and the session that a browser gets there.
import { wordingFor } from "../../domain/assessments/published-assessment.ts";
import { type JoinCode, parseJoinCode } from "../../domain/groups/join-code.ts";
import { hashSecret } from "../../domain/identity/secrets.ts";
import type { JoinGroupRequest, OpenJoinCodeRequest } from "../../gen/assessment/v1/hosted_service_pb.ts";
import { notFound, Refusal, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import { localeViolations } from "../../kernel/formats.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import { toNetwork } from "../../kernel/limits/caller.ts";
import { type BrowserAuthenticationDeps, linkExpiredError } from "../../pipeline/auth/browser-session.ts";
import type { PartnerCall, PipelineCall } from "../../pipeline/call.ts";
import type { StoredGroup } from "../../store/groups/group-statements.ts";
import { type TestClockDeps, withSessionClock } from "../sandbox/test-clock.ts";
import { type CreateSessionDeps, startSession } from "../sessions/create-session.ts";
import { addSessionLink } from "./session-links.ts";

/** What joining takes from the process. */
export type JoiningDeps = CreateSessionDeps & BrowserAuthenticationDeps & TestClockDeps;

/** What the page of a code shows. Throws `not_found`, marked as expired if this browser cannot join any more, and `rate_limited`. */
export async function openJoinCode(
  deps: JoiningDeps,
  { code, browserToken, languages }: OpenJoinCodeRequest,
  call: PipelineCall,
) {
  const { group, joinCode, partnerCall } = await findJoinCode(deps, code, call);
  const { partnerId, signal } = partnerCall;
  const key = browserToken === undefined ? undefined : idempotencyKey(joinCode, browserToken);
  const hasJoined = key !== undefined && (await hasOpenSession(deps, key, partnerCall, call));
  const { clock } = await withSessionClock(deps, partnerCall);
  if (!hasJoined && !admits(group, joinCode, new Date(clock())))
    throw await linkExpiredError(deps, { partnerId }, call);
  const assessment = await deps.catalogue.byId(group.assessmentId);
  return {
    ...wordingFor(assessment, languages),
    languages: assessment.wordings.map(({ language }) => language),
    branding: await deps.brandings.findBranding(partnerId, signal),
    testData: isTestTwin(partnerId),
    hasJoined,
  };
}

/**
 * The session in the group of a code that this browser gets, or got before. Throws `not_found`, marked as expired if it cannot
 * join any more, and `rate_limited`, `conflict`, `hosted_off`.
 * @returns the token of a new link to it
 */
export async function joinGroup(deps: JoiningDeps, request: JoinGroupRequest, call: PipelineCall): Promise<string> {
  const { group, joinCode, partnerCall } = await findJoinCode(deps, request.code, call);
  const key = idempotencyKey(joinCode, request.browserToken);
  await hasOpenSession(deps, key, partnerCall, call);
  throwIfInvalid(localeViolations(request.locale));
  const { hash: joinCodeHash, redirectUrl, personAccess } = joinCode;
  const draft = {
    assessment: await deps.catalogue.byId(group.assessmentId),
    mode: "hosted",
    redirectUrl,
    locale: request.locale ?? null,
    personAccess,
    groupId: group.id,
    idempotency: { key, requestHash: joinCodeHash },
    joinCodeHash,
  } as const;
  const clockedDeps = await withSessionClock(deps, partnerCall);
  const { session } = await startSession(clockedDeps, draft, partnerCall).catch(async (error) => {
    const cannotJoin = error instanceof Refusal && ["group_closed", "limit_reached"].includes(error.code);
    throw cannotJoin ? await linkExpiredError(deps, partnerCall, call) : error;
  });
  return (await addSessionLink(clockedDeps, session, undefined, call)).token;
}

/** The group of a code. Codes that no group has count against the address, others against it and the group. */
async function findJoinCode(deps: JoiningDeps, text: string, call: PipelineCall) {
  const { address } = call.origin;
  const code = parseJoinCode(text);
  const group = code === undefined ? undefined : await deps.groups.findGroupByJoinCode(hashSecret(code), call.signal);
  if (!group?.joinCode) {
    deps.limits.unauthenticatedCallers.countMadeUp(address);
    throw notFound();
  }
  deps.limits.hostedSessions.consume(`${group.id} ${toNetwork(address)}`);
  const partnerCall: PartnerCall = { partnerId: group.partnerId, signal: call.signal, at: call.at };
  return { group, joinCode: group.joinCode, partnerCall };
}

/**
 * Whether a browser has joined, and not finished: whoever has it after that may be somebody else, and gets no way in. Throws
 * `not_found`, marked as expired, if it has finished.
 */
async function hasOpenSession(deps: JoiningDeps, key: string, partnerCall: PartnerCall, call: PipelineCall) {
  const session = await deps.sessions.findSessionByKey(partnerCall.partnerId, key, call.signal);
  if (session?.completedAt) throw await linkExpiredError(deps, partnerCall, call);
  return session !== undefined;
}

function admits({ closedAt, closesAt }: StoredGroup, joinCode: JoinCode, now: Date): boolean {
  const isOpen = closedAt === null && (closesAt === null || closesAt > now);
  return isOpen && joinCode.expiresAt > now && joinCode.joinedSessions < joinCode.maxSessions;
}

/** Of the one session that a browser gets by a code. */
function idempotencyKey({ hash }: JoinCode, browserToken: string): string {
  return `join.${hashSecret(`${Buffer.from(hash).toString("hex")} ${browserToken}`).toString("base64url")}`;
}
