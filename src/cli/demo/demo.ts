// pas demo: one whole assessment over REST against a running service, as a partner's backend would do it.
import type { Results } from "../../products/product.ts";
import type { CommandContext } from "../command.ts";
import { type DemoClient, readDemoClient } from "./demo-client.ts";

interface CreatedSession {
  readonly sessionId: string;
  readonly assessment: { readonly questions: readonly DemoQuestion[] };
}

interface NamedResults {
  readonly results: Results;
  readonly names: {
    readonly values: readonly { readonly valueId: number; readonly name: string }[];
    readonly archetype: { readonly name: string; readonly summary: string };
    readonly archetypeCertain: boolean | null;
    readonly between: readonly { readonly name: string }[];
  };
}

const sessions = "/v1/values-bridge/sessions";
/** Plays one whole assessment over REST, and writes its results as a table and the report's address. */
export async function playDemo({ config, say, write }: CommandContext): Promise<void> {
  const client = await readDemoClient(config.DATA_DIR);
  const call = await authenticate(config.PUBLIC_URL ?? client.url, client);
  const sessionId = await playSession(call, say);
  write(`${formatResults(await call("GET", `${sessions}/${sessionId}/results?include=names`))}\n`);
  const { reportUrl } = await call<{ reportUrl: string }>("POST", `${sessions}/${sessionId}/report-links`, {});
  write(`\nThe person's own report, for a week: ${reportUrl}\n`);
}

/** Calls the service with an access token. Throws messages for people. */
type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>;

async function authenticate(url: string, { clientId, clientSecret }: DemoClient): Promise<Call> {
  const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  const token = await exchange<{ access_token: string }>(`${url}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams(form),
  });
  const headers = { authorization: `Bearer ${token.access_token}`, "content-type": "application/json" };
  return (method, path, body) =>
    exchange(url + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
}

async function exchange<T>(url: string, init: RequestInit): Promise<T> {
  const response = await fetch(url, init).catch(() => {
    throw new Error(`nothing answers at ${new URL(url).origin}; start the service with \`npm start\``);
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the service answered ${response.status}: ${text}`);
  return JSON.parse(text || "null");
}

/** Answers all questions of a session, in two parts. @returns its id */
async function playSession(call: Call, say: CommandContext["say"]): Promise<string> {
  const session = await call<CreatedSession>("POST", sessions, { subject: { externalId: "demo-user" } });
  const { sessionId, assessment } = session;
  say(`Session ${sessionId}: ${assessment.questions.length} questions`);
  const answers = assessment.questions.map((question) => ({
    questionId: question.id,
    response: { type: "likert", value: chooseRating(question) },
  }));
  const half = answers.length / 2;
  await call("POST", `${sessions}/${sessionId}/answers`, { answers: answers.slice(0, half) });
  await call("POST", `${sessions}/${sessionId}/complete`, { answers: answers.slice(half), requireAnswered: true });
  return sessionId;
}

function formatResults({ results: { overall, values }, names }: NamedResults): string {
  const findName = (id: number) => names.values.find(({ valueId }) => valueId === id)?.name ?? id;
  return [
    formatRow(["Value", "Ideal", "Tier", "Today", "Tier", "Gap"]),
    ...values.map((value) =>
      formatRow([
        findName(value.valueId),
        value.idealDisplayRank,
        value.idealRankTier,
        value.currentDisplayRank,
        value.currentRankTier,
        value.authenticityGapScaled,
      ]),
    ),
    "",
    `Authenticity gap ${overall.totalAuthenticityGapScaled ?? "–"}`,
    `Harmony          ${overall.totalHarmonyScoreScaled ?? "–"}`,
    `Conflict         ${overall.totalConflictScoreScaled ?? "–"}`,
    `Archetype        ${formatArchetype(names)}`,
  ].join("\n");
}

const columnWidths = [18, 6, 12, 6, 12, 6];

function formatRow(cells: readonly (string | number | null)[]): string {
  return cells.map((cell, index) => String(cell ?? "–").padEnd(columnWidths[index] ?? 0)).join(" ");
}

/** The archetype as the report has it: one if it is certain, else those that the answers lie between. */
function formatArchetype({ archetype, archetypeCertain, between }: NamedResults["names"]): string {
  if (archetypeCertain === true) return `${archetype.name}: ${archetype.summary}`;
  return between.length === 0 ? "open" : `Between ${between.map(({ name }) => `“${name}”`).join(" and ")}`;
}

/** The part of a question that the demo reads. */
export interface DemoQuestion {
  readonly id: number;
  readonly valuesBridgeConfig: { readonly valueId: number; readonly lifeContext: string; readonly inverse: boolean };
}

/** The person's rating, 1 to 7: the further a value is from the chosen one, the lower. */
export function chooseRating({ id, valuesBridgeConfig: { valueId, lifeContext, inverse } }: DemoQuestion): number {
  const peak = lifeContext === "ideal" ? 19 : 12;
  const distance = Math.min(Math.abs(valueId - peak), 19 - Math.abs(valueId - peak));
  const rating = Math.min(7, Math.max(1, 7 - Math.round(distance * 0.6) + (id % 3 === 0 ? 1 : 0)));
  return inverse ? 8 - rating : rating;
}
