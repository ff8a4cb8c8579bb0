// Runs one whole assessment over REST: a session, its answers, its results.
import { randomUUID } from "node:crypto";
import type { Client } from "openapi-fetch";
import { connect, Refused } from "./client.ts";
import type { components, paths } from "./gen/api.d.ts";

type Schemas = components["schemas"];
type Question = Schemas["Question"];
type Answer = Schemas["AnswerItem"];

const product = "values-bridge";

/** The answer that your user gives; here any that the question allows. */
function answerTo({ id, type, likertConfig }: Question): Answer {
  const { min, max } = likertConfig ?? { min: 1, max: 7 };
  return { questionId: id, response: { type, value: min + (id % (max - min + 1)) } };
}

async function play(client: Client<paths>, externalId: string): Promise<void> {
  const { data: session } = await client.POST("/v1/{product}/sessions", {
    // The same key again answers the same session: repeat the request whenever its answer was lost.
    params: { path: { product }, header: { "idempotency-key": randomUUID() } },
    body: { subject: { externalId } },
  });
  if (session === undefined || !("assessment" in session)) throw new Error("the session is not headless");
  const path = { product, id: session.sessionId } as const;
  const answers = session.assessment.questions.map(answerTo);
  const half = answers.length / 2;
  // Answers may be recorded as they are given, and again after a failure: repeating a call is safe.
  await client.POST("/v1/{product}/sessions/{id}/answers", {
    params: { path },
    body: { answers: answers.slice(0, half) },
  });
  const { data: completed } = await client.POST("/v1/{product}/sessions/{id}/complete", {
    params: { path },
    // Completing is final: this refuses rather than leave a question out.
    body: { answers: answers.slice(half), requireAnswered: true },
  });
  const archetype = completed?.results?.overall.archetypeId;
  console.log(`session ${session.sessionId}: ${answers.length} questions, archetype ${archetype}`);
}

try {
  const { PAS_URL = "http://127.0.0.1:8080", PAS_CLIENT_ID = "", PAS_CLIENT_SECRET = "" } = process.env;
  await play(connect(PAS_URL, { clientId: PAS_CLIENT_ID, clientSecret: PAS_CLIENT_SECRET }), "user-1");
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
