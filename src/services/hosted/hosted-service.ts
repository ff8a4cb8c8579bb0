// HostedService. It has no access to results: a report is opened with a token of its own.
import type { HostedService } from "../../gen/assessment/v1/hosted_service_pb.ts";
import { refuseIfAny } from "../../kernel/errors/refusal.ts";
import { localeViolations } from "../../kernel/formats.ts";
import { dayMs } from "../../kernel/timers.ts";
import { resolveLink } from "../../pipeline/auth/browser-session.ts";
import { boundSessionOf, deadlineOf } from "../../pipeline/call.ts";
import type { ServiceImpl } from "../../pipeline/handlers.ts";
import { openOwnReport } from "../reports/report-access.ts";
import { withSessionClock } from "../sandbox/test-clock.ts";
import { recordAnswers } from "../sessions/sessions.ts";
import { finishHostedSession, getHostedSession, type HostedDeps } from "./hosted-sessions.ts";
import { type BrowserSessionDeps, openBrowserSession } from "./session-links.ts";

/** A browser session lasts as long as its link, but at least this long: a person who starts in the last minute can finish. */
const leastBrowserSessionMs = dayMs;

/** The implementation of HostedService. */
export function hostedService(deps: HostedDeps & BrowserSessionDeps): ServiceImpl<typeof HostedService> {
  const links = { kind: "hostedLink", find: deps.hosted.findLink } as const;
  return {
    async exchangeLink({ linkToken: token }, context) {
      const { address } = context.origin;
      const link = await resolveLink(deps, links, { token, address }, deadlineOf(context));
      const expiresAt = new Date(Math.max(link.expiresAt.getTime(), deps.clock() + leastBrowserSessionMs));
      const opened = { ...link, linkHash: link.hash, locale: null, expiresAt };
      return openBrowserSession(deps, "hostedBrowserSession", opened, context);
    },

    async getHostedSession(request, context) {
      refuseIfAny(localeViolations(request.chosenLanguage));
      return getHostedSession(deps, boundSessionOf(context), request, deadlineOf(context));
    },

    async saveHostedAnswers({ answers, language }, context) {
      const ref = boundSessionOf(context);
      const inTime = await withSessionClock(deps, ref.partnerId, deadlineOf(context));
      return { recorded: await recordAnswers(inTime, ref, answers, deadlineOf(context), language) };
    },

    async finishHostedSession(_request, context) {
      return { returnUrl: await finishHostedSession(deps, boundSessionOf(context), deadlineOf(context)) };
    },

    async openOwnReport({ chosenLanguage }, context) {
      refuseIfAny(localeViolations(chosenLanguage));
      return openOwnReport(deps, boundSessionOf(context), chosenLanguage, context);
    },
  };
}
