// HostedService. It has no access to results: a report is opened with a token of its own.
import type { HostedService } from "../../gen/assessment/v1/hosted_service_pb.ts";
import { refuseIfAny } from "../../kernel/errors/refusal.ts";
import { localeViolations } from "../../kernel/formats.ts";
import { type BrowserAuthenticationDeps, findCountedLink } from "../../pipeline/auth/browser-session.ts";
import type { ServiceImpl } from "../../pipeline/handlers.ts";
import { boundSessionOf, deadlineOf } from "../../pipeline/pipeline.ts";
import { openOwnReport, type ReportBrowserSessionDeps } from "../reports/report-access.ts";
import { toTimestamp } from "../sessions/session-messages.ts";
import { frameAncestorsOf } from "./branding.ts";
import {
  type BrowserSessionDeps,
  findLink,
  finishHostedSession,
  getHostedSession,
  type HostedDeps,
  openBrowserSession,
  saveHostedAnswers,
} from "./hosted-sessions.ts";

/** The implementation of HostedService. */
export function hostedService(
  deps: HostedDeps & BrowserSessionDeps & ReportBrowserSessionDeps & BrowserAuthenticationDeps,
): ServiceImpl<typeof HostedService> {
  return {
    async exchangeLink({ linkToken }, context) {
      const { address } = context.origin;
      const link = await findCountedLink(deps, address, () => findLink(deps, linkToken, deadlineOf(context)));
      const { visitToken, expiresAt } = await openBrowserSession(deps, link, deadlineOf(context));
      deps.limits.strangers.prove(visitToken);
      const frameAncestors = await frameAncestorsOf(deps, link.partnerId, deadlineOf(context));
      return { sessionId: link.sessionId, visitToken, expiresAt: toTimestamp(expiresAt), frameAncestors };
    },

    async getHostedSession(request, context) {
      refuseIfAny(localeViolations(request.chosenLanguage));
      return getHostedSession(deps, boundSessionOf(context), request, deadlineOf(context));
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
