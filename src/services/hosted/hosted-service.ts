// HostedService: sessions as the person sees them. A link, or the code of a group, opens one session, to answer and to complete
// it, and gives no access to results: a report is opened with a token of its own.
import { chooseWording, toFormId } from "../../domain/assessments/published-assessment.ts";
import { type JoinCode, parseJoinCode } from "../../domain/groups/join-code.ts";
import type { Branding } from "../../domain/hosted/branding.ts";
import { createReturnUrl } from "../../domain/hosted/return-url.ts";
import { hashSecret } from "../../domain/identity/secrets.ts";
import { computeState } from "../../domain/sessions/session.ts";
import type { GetHostedSessionRequest, HostedService } from "../../gen/assessment/v1/hosted_service_pb.ts";
import { toNetwork } from "../../kernel/calls/core.ts";
import { dayMs } from "../../kernel/environment.ts";
import { notFoundError, Refusal, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import { findLocaleViolations } from "../../kernel/formats.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import { linkExpiredError, resolveLink } from "../../pipeline/auth/browser-session.ts";
import type { PartnerCall, PipelineCall, ServiceImpl, SessionCall } from "../../pipeline/call.ts";
import type { StoredGroup } from "../../store/groups/group-statements.ts";
import type { CallDependencies, Dependencies } from "../dependencies.ts";
import { isAllowedInPool } from "../norms/pool.ts";
import { findSessionTime } from "../sandbox/test-clock.ts";
import { createQuestionFilter, findContinuationViolations } from "../sessions/continuation.ts";
import { startSession } from "../sessions/create-session.ts";
import {
  completeSession,
  getSession,
  recordAnswers,
  type SessionRef,
  type SessionWithAssessment,
} from "../sessions/sessions.ts";
import { addSessionLink, openBrowserSession } from "./session-links.ts";

/** The content of the pages of a session, in the language that the person chose, or else reads. Throws `not_found`. */
export async function getHostedSession(
  deps: Dependencies,
  ref: SessionRef,
  { languages, chosenLanguage }: Pick<GetHostedSessionRequest, "languages" | "chosenLanguage">,
  call: SessionCall,
) {
  const { signal } = call;
  const { session, assessment } = await getSession(deps, ref, call);
  const branding = await deps.brandings.findBranding(session.partnerId, signal);
  const status = computeState(session, call.now());
  const wording = chooseWording(assessment, [chosenLanguage, session.locale, ...languages]);
  const isAsked = await createQuestionFilter(deps, session.continues, assessment);
  const sections = wording.sections.map((section) => ({
    ...section,
    statements: section.statements
      .filter(({ questionId }) => isAsked(questionId))
      .map((each) => ({ ...each, value: session.answers[each.position - 1] ?? null })),
  }));
  return {
    ...session,
    ...wording,
    sessionId: session.id,
    status,
    locale: chosenLanguage ?? session.locale,
    languages: assessment.wordings.map(({ language }) => language),
    branding,
    // Whether the answers may be included in norms of all partners.
    joinsNorms: await isAllowedInPool(deps, session, signal),
    testData: isTestTwin(session.partnerId),
    sections: status === "in_progress" ? sections : [],
    furtherStatements: await countFurtherStatements(deps, { session, assessment }, branding),
  };
}

/** The number of further statements that the last page offers, as far as that is known before the end; 0: none. */
async function countFurtherStatements(
  { catalogue }: Dependencies,
  { session, assessment }: SessionWithAssessment,
  { offerLongForm }: Branding,
): Promise<number> {
  if (!offerLongForm || session.groupId !== null) return 0;
  if (findContinuationViolations({ session, assessment }).some(({ code }) => code !== "not_completed")) return 0;
  const { questions } = await catalogue.getById(toFormId(assessment.id, "long"));
  return questions.length - assessment.questions.length;
}

/** A browser session lasts as long as its link, but at least this long: a person who starts in the last minute can finish. */
const minBrowserSessionMs = dayMs;

/** The time for which a report opened from the hosted pages stays open. The pages can open it again. */
const hostedBrowserSessionMs = dayMs;

/** The implementation of HostedService. */
export function createHostedService(deps: CallDependencies): ServiceImpl<typeof HostedService> {
  const links = { kind: "hostedLink", find: deps.hosted.findLink } as const;
  return {
    async exchangeLink({ linkToken }, call) {
      const link = await resolveLink(deps, links, linkToken, call);
      const expiresAt = new Date(Math.max(link.expiresAt.getTime(), deps.clock() + minBrowserSessionMs));
      const browserSession = { ...link, linkHash: link.hash, locale: null, expiresAt };
      return openBrowserSession(deps, "hostedBrowserSession", browserSession, call);
    },

    /** The content of the page of a code. Throws `not_found` with `link: expired` if this browser can no longer join. */
    async openJoinCode({ code, browserToken, languages }, call) {
      const { group, joinCode, partnerCall } = await findJoinCode(deps, code, call);
      const { partnerId, signal } = partnerCall;
      const key = browserToken === undefined ? undefined : toIdempotencyKey(joinCode, browserToken);
      const ownSession = key === undefined ? undefined : await requireNotCompleted(deps, key, partnerCall, call);
      const hasJoined = ownSession !== undefined;
      if (!hasJoined && !isOpenToJoin(group, joinCode, new Date(partnerCall.now()))) {
        throw await linkExpiredError(deps, { partnerId }, call);
      }
      const assessment = await deps.catalogue.getById(group.assessmentId);
      return {
        ...chooseWording(assessment, languages),
        languages: assessment.wordings.map(({ language }) => language),
        branding: await deps.brandings.findBranding(partnerId, signal),
        testData: isTestTwin(partnerId),
        hasJoined,
      };
    },

    /** Creates a session for this browser, or finds its earlier one. @returns a new link to it. Throws as `openJoinCode` does. */
    async joinGroup({ code, browserToken, locale }, call) {
      const { group, joinCode, partnerCall } = await findJoinCode(deps, code, call);
      const key = toIdempotencyKey(joinCode, browserToken);
      await requireNotCompleted(deps, key, partnerCall, call);
      throwIfInvalid(findLocaleViolations(locale));
      const { hash: joinCodeHash, redirectUrl, personAccess } = joinCode;
      const draft = {
        assessment: await deps.catalogue.getById(group.assessmentId),
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

    async getHostedSession(request, call) {
      throwIfInvalid(findLocaleViolations(request.chosenLanguage));
      return getHostedSession(deps, call.boundSession, request, call);
    },

    async saveHostedAnswers({ answers, language }, call) {
      return { recorded: await recordAnswers(deps, call.boundSession, answers, call, language) };
    },

    /** Completes the session, unless it is completed already. @returns the URL to send the person to, good for 10 minutes */
    async finishHostedSession(_request, call) {
      const ref = call.boundSession;
      const { session } = await getSession(deps, ref, call);
      const { partnerId, id: sessionId, redirectUrl } = session;
      if (redirectUrl === null) throw new Error("a hosted session has no redirect URL");
      await completeSession(deps, ref, { answers: [], requireAnswered: true }, call);
      const completion = await deps.signer.sign({ issuer: deps.issuer(), partnerId, sessionId });
      return { returnUrl: createReturnUrl(redirectUrl, { sessionId, status: "completed", completion }) };
    },

    /** A link to the one session with the further statements. Throws `conflict` and `hosted_off` as well. */
    async continueHostedSession({ chosenLanguage }, call) {
      throwIfInvalid(findLocaleViolations(chosenLanguage));
      const { partnerId, sessionId } = call.boundSession;
      const { session, assessment } = await getSession(deps, { partnerId, sessionId }, call);
      const { id, completedAt, externalId, redirectUrl, personAccess, locale } = session;
      const branding = await deps.brandings.findBranding(partnerId, call.signal);
      const furtherStatements = await countFurtherStatements(deps, { session, assessment }, branding);
      if (completedAt === null || furtherStatements === 0) throw notFoundError();
      // A space: no partner can have sent this key.
      const key = `continue ${id}`;
      const draft = {
        assessment: await deps.catalogue.getById(toFormId(assessment.id, "long")),
        mode: "hosted",
        externalId,
        redirectUrl,
        locale: chosenLanguage ?? locale,
        personAccess,
        shortSession: { session, assessment },
        // Pressed again, the button may ask for another language.
        idempotency: { key, requestHash: hashSecret(key) },
      } as const;
      const { session: longSession } = await startSession(deps, draft, call);
      const { token } = await addSessionLink(deps, longSession, undefined, call);
      return { linkToken: token };
    },

    /** Opens the report on a completed hosted session, if its partner lets the person see it. */
    async openOwnReport({ chosenLanguage }, call) {
      throwIfInvalid(findLocaleViolations(chosenLanguage));
      const { session } = await getSession(deps, call.boundSession, call);
      if (session.personAccess !== "after_completion" || session.results === null) throw notFoundError();
      const { partnerId, id: sessionId } = session;
      const locale = chosenLanguage ?? session.locale;
      const expiresAt = new Date(deps.clock() + hostedBrowserSessionMs);
      const browserSession = { partnerId, sessionId, linkHash: null, locale, expiresAt };
      return openBrowserSession(deps, "reportBrowserSession", browserSession, call);
    },
  };
}

/** The group of a code. Codes count against the address, known ones in their group. Throws `not_found`, `rate_limited`. */
async function findJoinCode(deps: CallDependencies, text: string, call: PipelineCall) {
  const { address } = call.origin;
  const code = parseJoinCode(text);
  const group = code === undefined ? undefined : await deps.groups.findGroupByJoinCode(hashSecret(code), call.signal);
  if (!group?.joinCode) {
    deps.limits.unauthenticatedCallers.countMadeUp(address);
    throw notFoundError();
  }
  deps.limits.hostedSessions.consume(`${group.id} ${toNetwork(address)}`);
  const { partnerId } = group;
  const { signal, endsAt } = call;
  const time = await findSessionTime(deps, partnerId, signal);
  return { group, joinCode: group.joinCode, partnerCall: { partnerId, signal, endsAt, ...time } };
}

/** The session of a browser that has joined. Throws `not_found` after completion: somebody else may use the browser now. */
async function requireNotCompleted(deps: CallDependencies, key: string, partnerCall: PartnerCall, call: PipelineCall) {
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
  return `join ${hashSecret(`${Buffer.from(hash).toString("hex")} ${browserToken}`).toString("base64url")}`;
}
