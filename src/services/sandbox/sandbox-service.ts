// SandboxService: answers of test personas, and the clock of a test twin.
import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import type { Answer } from "../../domain/sessions/answers.ts";
import { QuestionType } from "../../gen/assessment/v1/assessment_pb.ts";
import type { SandboxService } from "../../gen/assessment/v1/sandbox_service_pb.ts";
import { invalidRequest } from "../../kernel/errors/refusal.ts";
import { deadlineOf, principalOf } from "../../pipeline/call.ts";
import type { ServiceImpl } from "../../pipeline/handlers.ts";
import { getSession, recordAnswers, type SessionDeps } from "../sessions/sessions.ts";
import { getTestClock, requireTestTwin, setTestClock, type TestClockDeps, withSessionClock } from "./test-clock.ts";

/** The implementation of SandboxService. */
export function sandboxService(deps: SessionDeps & TestClockDeps): ServiceImpl<typeof SandboxService> {
  return {
    /**
     * Stores the answers of a persona, as `recordAnswers` does.
     * Throws `permission_denied` unless the partner is a test twin, and what `recordAnswers` throws.
     */
    async autofillSession({ product, sessionId: id, persona }, context) {
      const [{ partnerId }, deadline] = [principalOf(context), deadlineOf(context)];
      requireTestTwin(partnerId);
      const sessionId = id.toLowerCase();
      const ref = { partnerId, product, sessionId };
      const { assessment } = await getSession(deps, ref, deadline);
      const answers = answersOf(assessment, persona);
      const timed = await withSessionClock(deps, partnerId, deadline);
      return { sessionId, recorded: await recordAnswers(timed, ref, answers, deadline) };
    },

    getTestClock: (_, context) => getTestClock(deps, principalOf(context).partnerId, deadlineOf(context)),
    setTestClock: (request, context) =>
      setTestClock(deps, principalOf(context).partnerId, request, deadlineOf(context)),
  };
}

function answersOf({ personas, questions }: PublishedAssessment, name: string): Answer[] {
  const ratings = personas().answersOf(name);
  if (ratings === undefined) {
    const detail = `There is no such persona. There are: ${personas().names.join(", ")}.`;
    throw invalidRequest([{ path: ["persona"], code: "unknown_value", detail }]);
  }
  return questions.flatMap(({ id, position }) => {
    const value = ratings[position - 1] ?? null;
    return value === null ? [] : [{ questionId: id, response: { type: QuestionType.LIKERT, value } }];
  });
}
