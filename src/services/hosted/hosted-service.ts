// HostedService. It has no access to results: a report is opened with a token of its own.
import type { HostedService } from "../../gen/assessment/v1/hosted_service_pb.ts";
import { refuseIfAny } from "../../kernel/errors/refusal.ts";
import { localeViolations } from "../../kernel/formats.ts";
import { dayMs } from "../../kernel/timers.ts";
import { resolveLink } from "../../pipeline/auth/browser-session.ts";
import { boundSessionOf } from "../../pipeline/call.ts";
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
    async exchangeLink({ linkToken: token }, call) {
      const { address } = call.origin;
      const link = await resolveLink(deps, links, { token, address }, call);
      const expiresAt = new Date(Math.max(link.expiresAt.getTime(), deps.clock() + leastBrowserSessionMs));
      const opened = { ...link, linkHash: link.hash, locale: null, expiresAt };
      return openBrowserSession(deps, "hostedBrowserSession", opened, call);
    },

    async getHostedSession(request, call) {
      refuseIfAny(localeViolations(request.chosenLanguage));
      return getHostedSession(deps, boundSessionOf(call), request, call);
    },

    async saveHostedAnswers({ answers, language }, call) {
      const ref = boundSessionOf(call);
      const inTime = await withSessionClock(deps, { ...ref, signal: call.signal });
      return { recorded: await recordAnswers(inTime, ref, answers, call, language) };
    },

    async finishHostedSession(_request, call) {
      return { returnUrl: await finishHostedSession(deps, boundSessionOf(call), call) };
    },

    async openOwnReport({ chosenLanguage }, call) {
      refuseIfAny(localeViolations(chosenLanguage));
      return openOwnReport(deps, boundSessionOf(call), chosenLanguage, call);
    },
  };
}
