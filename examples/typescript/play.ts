// Runs one whole assessment by the client of clients/typescript: a session, its answers, its results.
import { ConnectError } from "@connectrpc/connect";
import { createPartnerClient, type PartnerClient } from "partner-assessment-client";
import type { Question } from "partner-assessment-client/gen/assessment/v1/assessment_pb";

const product = "values-bridge";

/** The answer that your user gives; here any that the question allows. */
function answerTo({ id, type, likertConfig }: Question) {
  const { min, max } = likertConfig ?? { min: 1, max: 7 };
  return { questionId: id, response: { type, value: min + (id % (max - min + 1)) } };
}

async function play({ sessions }: PartnerClient, externalId: string): Promise<void> {
  const { sessionId, variant } = await sessions.createSession({ product, subject: { externalId } });
  if (variant.case !== "headless") throw new Error("the session is not headless");
  const answers = variant.value.assessment?.questions.map(answerTo) ?? [];
  const half = answers.length / 2;
  // Answers may be recorded as they are given, and again after a failure: repeating a call is safe.
  await sessions.recordAnswers({ product, sessionId, answers: answers.slice(0, half) });
  // Completing is final: this refuses rather than leave a question out.
  const completing = { product, sessionId, answers: answers.slice(half), requireAnswered: true };
  const { results } = await sessions.completeSession(completing);
  console.log(`session ${sessionId}: ${answers.length} questions, most wanted value ${results?.values[0]?.valueId}`);
}

try {
  const { PAS_URL = "http://127.0.0.1:8080", PAS_CLIENT_ID = "", PAS_CLIENT_SECRET = "" } = process.env;
  const options = { baseUrl: PAS_URL, clientId: PAS_CLIENT_ID, clientSecret: PAS_CLIENT_SECRET };
  await play(createPartnerClient(options), "user-1");
} catch (error) {
  if (!(error instanceof ConnectError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
