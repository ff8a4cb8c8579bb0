// Hosted sessions as the person sees them: a link opens one session, to answer and to complete it.

import { type PublishedAssessment, wordingFor } from "../../domain/assessments/published-assessment.ts";
import { returnUrl } from "../../domain/hosted/return-url.ts";
import { hashSecret, isWellFormedSecret, nameOfSecret, newPersonSecret } from "../../domain/identity/secrets.ts";
import { type Answer, unansweredQuestions } from "../../domain/sessions/answers.ts";
import type { SessionName, StoredSession } from "../../domain/sessions/session.ts";
import {
  type GetHostedSessionRequest,
  type GetHostedSessionResponse,
  GetHostedSessionResponseSchema,
} from "../../gen/assessment/v1/hosted_service_pb.ts";
import { messageOf } from "../../json/message-of.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { invalidRequest, notFound, Refusal } from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import { nextState, stateOf, takesAnswers } from "../../kernel/session-states.ts";
import { dayMs } from "../../kernel/timers.ts";
import type { HostedLink } from "../../store/hosted/hosted-store.ts";
import type { Needs } from "../dependencies.ts";
import { mayJoinPool } from "../norms/participation.ts";
import { inTimeOf, type TestClockDeps } from "../sandbox/test-clock.ts";
import { completeSession, recordAnswers, type SessionDeps } from "../sessions/sessions.ts";
import type { CompletionSigner } from "./completion-signing.ts";

/** A browser session lasts as long as its link, but at least this long: a person who starts in the last minute can finish. */
const leastBrowserSessionMs = dayMs;
const maxBrowserSessionsPerSession = 50;

export type BrowserSessionDeps = Needs<"hosted" | "clock" | "random">;

/** The link of a token. Throws `not_found`, marked as expired for a token that was valid once. */
export async function findLink(
  { hosted, clock }: Needs<"hosted" | "clock">,
  linkToken: string,
  { signal }: Deadline,
): Promise<HostedLink> {
  if (!isWellFormedSecret("hostedLink", linkToken)) throw notFound();
  const link = await hosted.findLink(nameOfSecret("hostedLink", linkToken), signal);
  // A mistyped token fails the checksum: a token that passes it, but is not stored, was valid once.
  if (link === undefined || link.expiresAt.getTime() <= clock()) throw linkExpired();
  return link;
}

/** Opens the session of a link in a browser. Throws `not_found`. */
export async function openBrowserSession(
  deps: BrowserSessionDeps,
  link: HostedLink,
  { signal }: Deadline,
): Promise<{ visitToken: string; expiresAt: Date }> {
  const { hosted, clock } = deps;
  const visitToken = newPersonSecret("hostedBrowserSession", deps.random, link.partnerId);
  const now = clock();
  const expiresAt = new Date(Math.max(link.expiresAt.getTime(), now + leastBrowserSessionMs));
  const { partnerId, sessionId } = link;
  const browserSession = { hash: hashSecret(visitToken), partnerId, sessionId, createdAt: new Date(now), expiresAt };
  if (!(await hosted.addBrowserSession(browserSession, link.hash, maxBrowserSessionsPerSession, signal)))
    throw linkExpired();
  return { visitToken, expiresAt };
}

export type HostedDeps = SessionDeps &
  TestClockDeps &
  Needs<"normPools" | "brandings" | "issuer"> & { readonly signer: CompletionSigner };

const toHostedSession = messageOf(GetHostedSessionResponseSchema);

/** What the pages show of a session, in the language that the person chose, or else reads. Throws `not_found`. */
export async function getHostedSession(
  deps: Needs<"sessions" | "catalogue" | "brandings" | "clock" | "testClocks" | "normPools">,
  sessionName: SessionName,
  { languages, chosenLanguage }: Pick<GetHostedSessionRequest, "languages" | "chosenLanguage">,
  { signal }: Deadline,
): Promise<GetHostedSessionResponse> {
  const session = await deps.sessions.findSession(sessionName, signal);
  if (session === undefined) throw notFound();
  const assessment = await deps.catalogue.byId(session.assessmentId);
  const branding = await deps.brandings.findBranding(session.partnerId, signal);
  const { clock } = await inTimeOf(deps, session.partnerId, signal);
  const status = stateOf(session, clock());
  const wording = wordingFor(assessment, [chosenLanguage, session.locale, ...languages]);
  const sections = wording.sections.map((section) => ({
    ...section,
    statements: section.statements.map((each) => ({ ...each, value: session.answers[each.position - 1] ?? null })),
  }));
  return toHostedSession({
    ...session,
    ...wording,
    sessionId: session.id,
    status,
    locale: chosenLanguage ?? session.locale,
    languages: assessment.wordings.map(({ language }) => language),
    branding,
    // Whether the answers may be included in norms of all partners.
    joinsNorms: await mayJoinPool(deps, session, signal),
    testData: isTestTwin(session.partnerId),
    sections: takesAnswers(status) ? sections : [],
  });
}

/**
 * Stores answers, as `recordAnswers` does.
 * @param language of the statements that the person answered; unknown if the assessment does not have it
 * @returns the number of distinct questions answered by this call
 */
export async function saveHostedAnswers(
  deps: HostedDeps,
  sessionName: SessionName,
  { answers, language }: { readonly answers: readonly Answer[]; readonly language: string | undefined },
  deadline: Deadline,
): Promise<number> {
  const { address, assessment } = await findSession(deps, sessionName, deadline);
  const wording = assessment.wordings.find((each) => each.language === language);
  const timed = await inTimeOf(deps, address.partnerId, deadline.signal);
  return recordAnswers(timed, address, answers, deadline, wording?.language ?? null);
}

/**
 * Completes the session, unless it is completed already.
 * @returns the URL to send the person to, good for 10 minutes
 * Throws `not_found`, `invalid_request` (required questions without an answer), `session_cancelled`, `session_expired`,
 * `conflict`.
 */
export async function finishHostedSession(
  deps: HostedDeps,
  sessionName: SessionName,
  deadline: Deadline,
): Promise<string> {
  const { session, assessment, address } = await findSession(deps, sessionName, deadline);
  const timed = await inTimeOf(deps, session.partnerId, deadline.signal);
  const state = stateOf(session, timed.clock());
  if (state !== "completed") {
    nextState(state, "complete");
    // Answers are never removed, so an answer sheet that is complete now still is when the session is completed.
    const missing = unansweredQuestions(session.answers, assessment);
    if (missing.length > 0) {
      const detailOf = (position: number) => `Question ${position} has no answer.`;
      throw invalidRequest(
        missing.map(({ position }) => ({ path: ["answers"], code: "required", detail: detailOf(position) })),
      );
    }
    await completeSession(timed, address, { answers: [], requireAnswered: false }, deadline);
  }
  const { partnerId, id: sessionId, redirectUrl } = session;
  if (redirectUrl === null) throw new Error("a hosted session has no redirect URL");
  const completion = await deps.signer.sign({ issuer: deps.issuer(), partnerId, sessionId });
  return returnUrl(redirectUrl, { sessionId, status: "completed", completion });
}

async function findSession(
  deps: Needs<"sessions" | "catalogue">,
  sessionName: SessionName,
  { signal }: Deadline,
): Promise<{
  session: StoredSession;
  assessment: PublishedAssessment;
  address: { partnerId: string; product: string; sessionId: string };
}> {
  const session = await deps.sessions.findSession(sessionName, signal);
  if (session === undefined) throw notFound();
  const assessment = await deps.catalogue.byId(session.assessmentId);
  const { partnerId, id: sessionId } = session;
  return { session, assessment, address: { partnerId, product: assessment.product, sessionId } };
}

function linkExpired(): Refusal {
  return new Refusal("not_found", "This link does not work any more.", { facts: { link: "expired" } });
}
