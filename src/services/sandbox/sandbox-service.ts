// SandboxService: answers of test personas, and the clock of a test twin.
import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import type { Answer } from "../../domain/sessions/answers.ts";
import { QuestionType } from "../../gen/assessment/v1/assessment_pb.ts";
import type { SandboxService } from "../../gen/assessment/v1/sandbox_service_pb.ts";
import { invalidFieldError } from "../../kernel/errors/refusal.ts";
import type { ServiceImpl } from "../../pipeline/call.ts";
import type { CallDependencies } from "../dependencies.ts";
import { getSession, recordAnswers, toSessionRef } from "../sessions/sessions.ts";
import { getTestClock, requireTestTwin, setTestClock } from "./test-clock.ts";

/** The implementation of SandboxService. */
export function createSandboxService(deps: CallDependencies): ServiceImpl<typeof SandboxService> {
  return {
    /** Stores the answers of a persona. Throws `permission_denied` at other partners, and what `recordAnswers` throws. */
    async autofillSession(request, call) {
      requireTestTwin(call.partnerId);
      const ref = toSessionRef(request, call);
      const { assessment } = await getSession(deps, ref, call);
      const answers = toPersonaAnswers(assessment, request.persona);
      return { sessionId: ref.sessionId, recorded: await recordAnswers(deps, ref, answers, call) };
    },

    getTestClock: (_, call) => getTestClock(deps, call),
    setTestClock: (request, call) => setTestClock(deps, request, call),
  };
}

function toPersonaAnswers({ getPersonas, questions }: PublishedAssessment, name: string): Answer[] {
  const ratings = getPersonas().findAnswers(name);
  if (ratings === undefined) {
    const detail = `There is no such persona. There are: ${getPersonas().names.join(", ")}.`;
    throw invalidFieldError(["persona"], "unknown_value", detail);
  }
  return questions.flatMap(({ id, position }) => {
    const value = ratings[position - 1] ?? null;
    return value === null ? [] : [{ questionId: id, response: { type: QuestionType.LIKERT, value } }];
  });
}
