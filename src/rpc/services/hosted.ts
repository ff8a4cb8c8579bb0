// HostedService: messages in, use cases of the domain, messages out. Results never come near it.
import { matchLanguage } from "../../contract/languages.ts";
import { DomainError } from "../../domain/errors.ts";
import {
  findLink,
  finishHostedSession,
  getHostedSession,
  type HostedDeps,
  type HostedSession,
  openVisit,
  saveHostedAnswers,
  type VisitDeps,
} from "../../domain/hosted/hosted-sessions.ts";
import { stateOf, takesAnswers } from "../../domain/sessions/session-state.ts";
import { HostedService } from "../../gen/assessment/v1/hosted_service_pb.ts";
import { lifeContexts } from "../../values-bridge/messages/questions.ts";
import type { VisitAuthenticationDeps } from "../auth/visit.ts";
import { networkOf } from "../limits/network.ts";
import { toBrandingMessage } from "../messages/branding.ts";
import { sessionStatuses, toAnswers, toTimestamp } from "../messages/sessions.ts";
import { type Call, type Handlers, implement, visitedSessionOf } from "../pipeline/implementation.ts";

/** The implementation of HostedService. */
export function hostedService(deps: HostedDeps & VisitDeps & VisitAuthenticationDeps): Handlers {
  return implement(HostedService, {
    async exchangeLink({ linkToken }, call) {
      const link = await findCountedLink(deps, linkToken, call);
      const { visitToken, expiresAt } = await openVisit(deps, link, call.deadline);
      return { sessionId: link.sessionId, visitToken, expiresAt: toTimestamp(expiresAt) };
    },

    async getHostedSession({ languages }, call) {
      return toMessage(await getHostedSession(deps, visitedSessionOf(call), call.deadline), languages);
    },

    async saveHostedAnswers({ answers }, call) {
      const recorded = await saveHostedAnswers(deps, visitedSessionOf(call), toAnswers(answers), call.deadline);
      return { recorded };
    },

    async finishHostedSession(_request, call) {
      return { returnUrl: await finishHostedSession(deps, visitedSessionOf(call), call.deadline) };
    },
  });
}

/** The link of a token. Refused tokens count against the address, and openings against the session. */
async function findCountedLink(deps: VisitDeps & VisitAuthenticationDeps, linkToken: string, call: Call) {
  const { addresses, hostedSessions } = deps.limits;
  const network = networkOf(call.origin.address);
  addresses.check(network);
  try {
    const link = await findLink(deps, linkToken, call.deadline);
    hostedSessions.consume(link.sessionId);
    return link;
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") addresses.consume(network);
    throw error;
  }
}

function toMessage({ session, assessment, branding }: HostedSession, languages: readonly string[]) {
  const { wordings } = assessment;
  const preferred = session.locale === null ? languages : [session.locale, ...languages];
  const language = matchLanguage(
    preferred,
    wordings.map((each) => each.language),
  );
  const wording = wordings.find((each) => each.language === language) ?? wordings[0];
  if (wording === undefined) throw new Error("an assessment has no wording");
  const state = stateOf(session);
  return {
    sessionId: session.id,
    status: sessionStatuses[state],
    ...(session.locale === null ? {} : { locale: session.locale }),
    branding: toBrandingMessage(branding),
    title: wording.title,
    language: wording.language,
    choices: [...wording.choices],
    sections: !takesAnswers[state] ? [] : wording.sections.map((section) => toSection(section, session.answers)),
  };
}

type Section = HostedSession["assessment"]["wordings"][number]["sections"][number];

function toSection({ lifeContext, before, after, statements }: Section, answers: readonly (number | null)[]) {
  return {
    lifeContext: lifeContexts[lifeContext],
    before,
    after,
    statements: statements.map((statement) => {
      const value = answers[statement.position - 1] ?? null;
      return { ...statement, ...(value === null ? {} : { value }) };
    }),
  };
}
