// Pages of statements: shown, and saved as a whole form or, by the script of the page, answer by answer.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { QuestionType } from "../../gen/assessment/v1/assessment_pb.ts";
import { HostedService } from "../../gen/assessment/v1/hosted_service_pb.ts";
import type { BrowserSessionPages, OpenBrowserSession } from "../browser-session/browser-session-pages.ts";
import { isScriptRequest, readRatings } from "../browser-session/form.ts";
import { PageError } from "../page-error.ts";
import { routes } from "../paths.ts";
import { listUnanswered } from "../views/pagination.ts";
import { renderQuestionsPage } from "../views/questions.ts";

/** Adds the routes of the pages of statements. */
export function addQuestionRoutes(app: FastifyInstance, pages: BrowserSessionPages): void {
  app.get(routes.questions, async (request, reply) => {
    const session = await pages.open(request);
    if (session.isCompleted) return reply.redirect(session.paths.start, 303);
    return pages.send(reply, toView(session, readNumber(request), false));
  });

  pages.addForm(app, routes.questions, pages.open, async (openSession, form, request, reply) => {
    const { sessionId, token, paths, session } = openSession;
    const answers = [...readRatings(form)].map(([questionId, value]) => ({
      questionId,
      response: { type: QuestionType.LIKERT, value },
    }));
    const message = { sessionId, answers, language: session.language };
    const store = async () => {
      if (answers.length === 0) return 0;
      return (await pages.call(request, HostedService.method.saveHostedAnswers, message, token)).recorded;
    };
    if (isScriptRequest(request)) return reply.header("cache-control", "no-store").send({ saved: await store() });
    try {
      await store();
    } catch (error) {
      // Completed meanwhile, on another device: the start page says so.
      if (error instanceof PageError && error.code === "session_completed") return reply.redirect(paths.start, 303);
      throw error;
    }
    return redirectNext(request, reply, form.go);
  });

  async function redirectNext(request: FastifyRequest, reply: FastifyReply, action = ""): Promise<FastifyReply> {
    const session = await pages.open(request);
    const { pages: sessionPages, paths } = session;
    if (session.isCompleted) return reply.redirect(paths.start, 303);
    const number = readNumber(request);
    if (action === "back") return reply.redirect(number > 1 ? paths.page(number - 1) : paths.start, 303);
    const page = sessionPages[number - 1];
    if (page !== undefined && action !== "skip" && listUnanswered(page).length > 0) {
      return pages.send(reply.code(422), toView(session, number, true));
    }
    return reply.redirect(number < sessionPages.length ? paths.page(number + 1) : paths.review, 303);
  }
}

/** @param isNextPressed whether the person wants to go on: then the statements without an answer are named */
function toView(session: OpenBrowserSession, number: number, isNextPressed: boolean) {
  const page = session.pages[number - 1];
  if (page === undefined) throw new PageError("nothingHere", 404);
  return renderQuestionsPage({ ...session, page, missingStatements: isNextPressed ? listUnanswered(page) : [] });
}

function readNumber(request: FastifyRequest): number {
  const { page = "" } = request.params as { page?: string };
  if (!/^[1-9]\d{0,2}$/.test(page)) throw new PageError("nothingHere", 404);
  return Number(page);
}
