// Joining a group by its code: the page of a code, and the session that a browser gets there.
import { chooseWording } from "../../domain/assessments/published-assessment.ts";
import { type JoinCode, parseJoinCode } from "../../domain/groups/join-code.ts";
import { hashSecret } from "../../domain/identity/secrets.ts";
import type { HostedService } from "../../gen/assessment/v1/hosted_service_pb.ts";
import { toNetwork } from "../../kernel/calls/core.ts";
import { notFoundError, Refusal, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import { findLocaleViolations } from "../../kernel/formats.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import { linkExpiredError } from "../../pipeline/auth/browser-session.ts";
import type { PartnerCall, PipelineCall, ServiceImpl } from "../../pipeline/call.ts";
import type { StoredGroup } from "../../store/groups/group-statements.ts";
import type { Dependencies } from "../dependencies.ts";
import { findSessionTime } from "../sandbox/test-clock.ts";
import { startSession } from "../sessions/create-session.ts";
import { addSessionLink } from "./session-links.ts";

export function createJoiningRpcs(deps: Dependencies) {
  const { catalogue, brandings } = deps;
  return {
    /** What the page of a code shows. Throws `not_found` with `link: expired` if this browser can no longer join. */
    async openJoinCode({ code, browserToken, languages }, call) {
      const { group, joinCode, partnerCall } = await findJoinCode(deps, code, call);
      const { partnerId, signal } = partnerCall;
      const key = browserToken === undefined ? undefined : toIdempotencyKey(joinCode, browserToken);
      const ownSession = key === undefined ? undefined : await findOpenSession(deps, key, partnerCall, call);
      const hasJoined = ownSession !== undefined;
      if (!hasJoined && !isOpenToJoin(group, joinCode, new Date(partnerCall.now()))) {
        throw await linkExpiredError(deps, { partnerId }, call);
      }
      const assessment = await catalogue.getById(group.assessmentId);
      return {
        ...chooseWording(assessment, languages),
        languages: assessment.wordings.map(({ language }) => language),
        branding: await brandings.findBranding(partnerId, signal),
        testData: isTestTwin(partnerId),
        hasJoined,
      };
    },

    /** Creates a session for this browser, or finds its earlier one. @returns a new link to it. Throws as `openJoinCode` does. */
    async joinGroup({ code, browserToken, locale }, call) {
      const { group, joinCode, partnerCall } = await findJoinCode(deps, code, call);
      const key = toIdempotencyKey(joinCode, browserToken);
      await findOpenSession(deps, key, partnerCall, call);
      throwIfInvalid(findLocaleViolations(locale));
      const { hash: joinCodeHash, redirectUrl, personAccess } = joinCode;
      const draft = {
        assessment: await catalogue.getById(group.assessmentId),
        mode: "hosted",
        redirectUrl,
        locale: locale ?? null,
        personAccess,
        groupId: group.id,
        idempotency: { key, requestHash: joinCodeHash },
        joinCodeHash,
      } as const;
      const { session } = await startSession(deps, draft, partnerCall).catch(async (error) => {
        const cannotJoin = error instanceof Refusal && ["group_closed", "limit_reached"].includes(error.code);
        throw cannotJoin ? await linkExpiredError(deps, partnerCall, call) : error;
      });
      const { token } = await addSessionLink(deps, session, undefined, partnerCall);
      return { linkToken: token };
    },
  } satisfies Partial<ServiceImpl<typeof HostedService>>;
}

/** The group of a code. Codes count against the address, known ones in their group. Throws `not_found`, `rate_limited`. */
async function findJoinCode(deps: Dependencies, text: string, call: PipelineCall) {
  const { address } = call.origin;
  const code = parseJoinCode(text);
  const group = code === undefined ? undefined : await deps.groups.findGroupByJoinCode(hashSecret(code), call.signal);
  if (!group?.joinCode) {
    deps.limits.unauthenticatedCallers.countMadeUp(address);
    throw notFoundError();
  }
  deps.limits.hostedSessions.consume(`${group.id} ${toNetwork(address)}`);
  const { partnerId } = group;
  const { signal, at } = call;
  const time = await findSessionTime(deps, partnerId, signal);
  return { group, joinCode: group.joinCode, partnerCall: { partnerId, signal, at, ...time } };
}

/** The session of a browser that has joined. Throws `not_found` after completion: somebody else may use the browser now. */
async function findOpenSession(deps: Dependencies, key: string, partnerCall: PartnerCall, call: PipelineCall) {
  const session = await deps.sessions.findSessionByKey(partnerCall.partnerId, key, call.signal);
  if (session?.completedAt) throw await linkExpiredError(deps, partnerCall, call);
  return session;
}

function isOpenToJoin({ closedAt, closesAt }: StoredGroup, joinCode: JoinCode, now: Date): boolean {
  const isOpen = closedAt === null && (closesAt === null || closesAt > now);
  return isOpen && joinCode.expiresAt > now && joinCode.joinedSessions < joinCode.maxSessions;
}

/** The idempotency key of the one session that a browser gets with a code. */
function toIdempotencyKey({ hash }: JoinCode, browserToken: string): string {
  return `join.${hashSecret(`${Buffer.from(hash).toString("hex")} ${browserToken}`).toString("base64url")}`;
}
