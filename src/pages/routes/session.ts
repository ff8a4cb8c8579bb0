// Start, review and end of a session.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { HostedService } from "../../gen/assessment/v1/hosted_service_pb.ts";
import type { BrowserSessionPages } from "../browser-session/browser-session-pages.ts";
import type { BrowserSession } from "../browser-session/core-calls.ts";
import { isScriptRequest } from "../browser-session/form.ts";
import { PageError } from "../page-error.ts";
import { hostedPrefix, routes } from "../paths.ts";
import { renderCompletedPage } from "../views/message.ts";
import { renderReviewPage } from "../views/review.ts";
import { renderStartPage } from "../views/start.ts";
import { redirectTo } from "./link.ts";
import { drawOwnCircle } from "./own-report.ts";

/** Adds the routes of start, review and end. */
export function addSessionRoutes(app: FastifyInstance, pages: BrowserSessionPages): void {
  app.get(routes.start, async (request, reply) => {
    const session = await pages.open(request);
    if (!session.isCompleted) return pages.send(reply, renderStartPage(session));
    const circle = await drawOwnCircle(pages, request, reply, session);
    return pages.send(reply, renderCompletedPage(session, circle));
  });

  app.get(routes.review, async (request, reply) => {
    const session = await pages.open(request);
    if (session.isCompleted) return reply.redirect(session.paths.start, 303);
    return pages.send(reply, renderReviewPage(session));
  });

  /** Completes the session, if it is not. @returns where the person goes next */
  async function completeSession(request: FastifyRequest, { sessionId, token }: BrowserSession): Promise<string> {
    const { returnUrl } = await pages.call(request, HostedService.method.finishHostedSession, { sessionId }, token);
    return returnUrl;
  }

  pages.addForm(app, routes.finish, pages.open, async (openSession, form, request, reply) => {
    const { session, offersReport, paths } = openSession;
    try {
      const onward = await completeSession(request, openSession);
      // The person chooses between report, further statements and going on. In a frame, the page around it goes on.
      const staysHere = offersReport || session.furtherStatements > 0 || form.embedded !== undefined;
      return reply.redirect(staysHere ? paths.start : onward, 303);
    } catch (error) {
      // An answer is still missing: the review names it.
      if (error instanceof PageError && error.code === "invalid_request") return reply.redirect(paths.review, 303);
      throw error;
    }
  });

  pages.addForm(app, routes.further, pages.open, async (openSession, _form, request, reply) => {
    const { sessionId, token, chosenLanguage } = openSession;
    const message = { sessionId, chosenLanguage };
    const { linkToken } = await pages.call(request, HostedService.method.continueHostedSession, message, token);
    return redirectTo(reply, `${pages.getBase()}${hostedPrefix}/${linkToken}`);
  });

  app.get(routes.onward, async (request, reply) => {
    const openSession = await pages.open(request);
    // A link must not complete a session.
    if (!openSession.isCompleted) return reply.redirect(openSession.paths.start, 303);
    const returnUrl = await completeSession(request, openSession);
    if (isScriptRequest(request)) return reply.header("cache-control", "no-store").send({ returnUrl });
    return reply.redirect(returnUrl, 303);
  });
}
