// HostedService: sessions as the person sees them. A link opens one session, to answer and to complete it, and gives no access
// to results: a report is opened with a token of its own.
import { chooseWording, toFormId } from "../../domain/assessments/published-assessment.ts";
import type { Branding } from "../../domain/hosted/branding.ts";
import { createReturnUrl } from "../../domain/hosted/return-url.ts";
import { hashSecret } from "../../domain/identity/secrets.ts";
import { computeState } from "../../domain/sessions/session.ts";
import type { GetHostedSessionRequest, HostedService } from "../../gen/assessment/v1/hosted_service_pb.ts";
import { dayMs } from "../../kernel/environment.ts";
import { notFoundError, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import { findLocaleViolations } from "../../kernel/formats.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import { resolveLink } from "../../pipeline/auth/browser-session.ts";
import type { ServiceImpl, SessionCall } from "../../pipeline/call.ts";
import type { Dependencies, Needs } from "../dependencies.ts";
import { isAllowedInPool } from "../norms/pool.ts";
import { createQuestionFilter, findContinuationViolations } from "../sessions/continuation.ts";
import { startSession } from "../sessions/create-session.ts";
import {
  completeSession,
  getSession,
  recordAnswers,
  type SessionRef,
  type SessionWithAssessment,
} from "../sessions/sessions.ts";
import { createJoiningRpcs } from "./joining.ts";
import { addSessionLink, openBrowserSession } from "./session-links.ts";

/** What the pages show of a session, in the language that the person chose, or else reads. Throws `not_found`. */
export async function getHostedSession(
  deps: Needs<"sessions" | "catalogue" | "brandings" | "normPools">,
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

/** How many further statements the last page offers, as far as that is known before the end; 0: it offers none. */
async function countFurtherStatements(
  { catalogue }: Needs<"catalogue">,
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

/** How long a report opened from the hosted pages stays open. The pages can open it again. */
const hostedBrowserSessionMs = dayMs;

/** The implementation of HostedService. */
export function createHostedService(deps: Dependencies): ServiceImpl<typeof HostedService> {
  const links = { kind: "hostedLink", find: deps.hosted.findLink } as const;
  return {
    async exchangeLink({ linkToken }, call) {
      const link = await resolveLink(deps, links, linkToken, call);
      const expiresAt = new Date(Math.max(link.expiresAt.getTime(), deps.clock() + minBrowserSessionMs));
      const browserSession = { ...link, linkHash: link.hash, locale: null, expiresAt };
      return openBrowserSession(deps, "hostedBrowserSession", browserSession, call);
    },

    ...createJoiningRpcs(deps),

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
      const key = `continue.${id}`;
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
