// HostedService. Results never come near it: a report is opened with a token of its own.
import type { ServiceImpl } from "@connectrpc/connect";
import { wordingFor } from "../../domain/assessments/published-assessment.ts";
import type { HostedService } from "../../gen/assessment/v1/hosted_service_pb.ts";
import { PersonAccess, SessionStatus } from "../../gen/assessment/v1/session_service_pb.ts";
import { refuseIfAny } from "../../kernel/errors/refusal.ts";
import { localeViolations } from "../../kernel/formats.ts";
import { byWord } from "../../kernel/json/members.ts";
import { takesAnswers } from "../../kernel/session-states.ts";
import { isTestTwin } from "../../kernel/test-tenant.ts";
import { type BrowserAuthenticationDeps, findCountedLink } from "../../pipeline/auth/browser-session.ts";
import { boundSessionOf, deadlineOf, originOf } from "../../pipeline/call.ts";
import type { ProductMessages } from "../../products/product.ts";
import { openOwnReport, type ReportBrowserSessionDeps } from "../reports/report-access.ts";
import { toTimestamp } from "../sessions/session-messages.ts";
import { frameAncestorsOf, toBrandingMessage } from "./branding.ts";
import {
  type BrowserSessionDeps,
  findLink,
  finishHostedSession,
  getHostedSession,
  type HostedDeps,
  type HostedSession,
  openBrowserSession,
  saveHostedAnswers,
} from "./hosted-sessions.ts";

const personAccesses = byWord(PersonAccess);
const sessionStatuses = byWord(SessionStatus);

/** The implementation of HostedService. */
export function hostedService(
  deps: HostedDeps & BrowserSessionDeps & ReportBrowserSessionDeps & BrowserAuthenticationDeps,
): ServiceImpl<typeof HostedService> {
  return {
    async exchangeLink({ linkToken }, context) {
      const { address } = originOf(context);
      const link = await findCountedLink(deps, address, () => findLink(deps, linkToken, deadlineOf(context)));
      const { visitToken, expiresAt } = await openBrowserSession(deps, link, deadlineOf(context));
      deps.limits.strangers.prove(visitToken);
      const frameAncestors = await frameAncestorsOf(deps, link.partnerId, deadlineOf(context));
      return { sessionId: link.sessionId, visitToken, expiresAt: toTimestamp(expiresAt), frameAncestors };
    },

    async getHostedSession({ languages, chosenLanguage }, context) {
      refuseIfAny(localeViolations(chosenLanguage));
      const sessionName = boundSessionOf(context);
      const hosted = await getHostedSession(deps, sessionName, deadlineOf(context));
      const { messages } = deps.catalogue.product;
      return {
        ...toMessage(hosted, [chosenLanguage, hosted.session.locale, ...languages], messages),
        testData: isTestTwin(sessionName.partnerId),
      };
    },

    async saveHostedAnswers({ answers, language }, context) {
      const given = { answers, language };
      const recorded = await saveHostedAnswers(deps, boundSessionOf(context), given, deadlineOf(context));
      return { recorded };
    },

    async finishHostedSession(_request, context) {
      return { returnUrl: await finishHostedSession(deps, boundSessionOf(context), deadlineOf(context)) };
    },

    async openOwnReport({ chosenLanguage }, context) {
      refuseIfAny(localeViolations(chosenLanguage));
      const session = boundSessionOf(context);
      const { visitToken, expiresAt } = await openOwnReport(deps, session, deadlineOf(context), chosenLanguage);
      deps.limits.strangers.prove(visitToken);
      const frameAncestors = await frameAncestorsOf(deps, session.partnerId, deadlineOf(context));
      return { visitToken, expiresAt: toTimestamp(expiresAt), frameAncestors };
    },
  };
}

function toMessage(
  { session, state, assessment, branding, joinsNorms }: HostedSession,
  languages: readonly (string | null | undefined)[],
  messages: ProductMessages,
) {
  const wording = wordingFor(assessment, languages);
  return {
    sessionId: session.id,
    status: sessionStatuses[state],
    locale: languages[0] ?? session.locale ?? undefined,
    languages: assessment.wordings.map(({ language }) => language),
    branding: toBrandingMessage(branding),
    joinsNorms,
    personAccess: personAccesses[session.personAccess],
    title: wording.title,
    language: wording.language,
    choices: [...wording.choices],
    sections: !takesAnswers(state)
      ? []
      : wording.sections.map((section) => ({
          ...toSection(section, session.answers),
          lifeContext: messages.lifeContext(section),
        })),
  };
}

type Section = HostedSession["assessment"]["wordings"][number]["sections"][number];

function toSection({ before, after, statements }: Section, answers: readonly (number | null)[]) {
  return {
    before,
    after,
    statements: statements.map((statement) => {
      const value = answers[statement.position - 1] ?? null;
      return { ...statement, value: value ?? undefined };
    }),
  };
}
