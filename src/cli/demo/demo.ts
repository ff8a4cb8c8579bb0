// pas demo: one whole assessment over REST against a running service, as a partner's backend would do it.
import { setTimeout as pause } from "node:timers/promises";
import type { Results } from "../../products/product.ts";
import type { CommandContext } from "../command.ts";
import { type DemoClient, readDemoClient } from "./demo-client.ts";
import { openReceiver } from "./webhooks.ts";

interface CreatedSession {
  readonly sessionId: string;
  readonly assessment: { readonly questions: readonly DemoQuestion[] };
}

interface CreatedEndpoint {
  readonly endpoint: { readonly endpointId: string };
  readonly secret: string;
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
const endpoints = "/v1/webhook-endpoints";
const lastType = "session.scored";
const webhookTypes = ["session.completed", lastType];
const webhookTimeoutMs = 15_000;
const noWebhook = "no webhook came; GET /v1/webhook-endpoints/{endpointId}/attempts tells what was tried";
const unsent =
  "No webhooks: the service sends none to this machine unless WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8 is set where it runs";

/** Plays one whole assessment over REST, and writes its results as a table, its webhooks and the report's address. */
export async function playDemo({ config, say, write }: CommandContext): Promise<void> {
  const client = await readDemoClient(config.DATA_DIR);
  const call = await connect(config.PUBLIC_URL ?? client.url, client);
  const secret = Promise.withResolvers<string>();
  const delivered = Promise.withResolvers<false>();
  const webhooks: string[] = [];
  await using receiver = await openReceiver(
    () => secret.promise,
    (body) => {
      webhooks.push(body);
      if (body.includes(`"type":"${lastType}"`)) delivered.resolve(false);
    },
  );
  const created = await createEndpoint(call, receiver.url);
  if (created !== undefined) secret.resolve(created.secret);
  try {
    const sessionId = await playSession(call, say);
    write(resultsTable(await call("GET", `${sessions}/${sessionId}/results?include=names`)));
    if (created === undefined) {
      say(unsent);
    } else {
      const isLate = await Promise.race([delivered.promise, pause(webhookTimeoutMs, true, { ref: false })]);
      if (isLate) throw new Error(noWebhook);
      write(["\nWebhooks that came, with good signatures", ...webhooks].join("\n  "));
    }
    const { reportUrl } = await call<{ reportUrl: string }>("POST", `${sessions}/${sessionId}/report-links`, {});
    write(`\nThe person's own report, for a week: ${reportUrl}`);
  } finally {
    if (created !== undefined) await call("DELETE", `${endpoints}/${created.endpoint.endpointId}`);
  }
}

/** Calls the service with an access token. Throws messages for people. */
type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>;

async function connect(url: string, { clientId, clientSecret }: DemoClient): Promise<Call> {
  const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  const token = await exchange<{ access_token: string }>(`${url}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams(form),
  });
  const headers = { authorization: `Bearer ${token.access_token}` };
  return (method, path, body) =>
    exchange(
      url + path,
      body === undefined
        ? { method, headers }
        : { method, headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) },
    );
}

async function exchange<T>(url: string, init: RequestInit): Promise<T> {
  const response = await fetch(url, init).catch(() => {
    throw new Error(`nothing answers at ${new URL(url).origin}; start the service with \`npm start\``);
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the service answered ${response.status}: ${text}`);
  return JSON.parse(text || "null");
}

/** Undefined where the service sends no webhooks to this machine. */
async function createEndpoint(call: Call, url: string): Promise<CreatedEndpoint | undefined> {
  try {
    return await call("POST", endpoints, { url, types: webhookTypes, description: "pas demo" });
  } catch (error) {
    if (error instanceof Error && error.message.includes('"not_https"')) return undefined;
    throw error;
  }
}

/** Answers all questions of a session, in two parts. @returns its id */
async function playSession(call: Call, say: CommandContext["say"]): Promise<string> {
  const created = await call<CreatedSession>("POST", sessions, { subject: { externalId: "demo-user" } });
  const { sessionId, assessment } = created;
  say(`Session ${sessionId}: ${assessment.questions.length} questions`);
  const answers = assessment.questions.map((question) => ({
    questionId: question.id,
    response: { type: "likert", value: demoRating(question) },
  }));
  const half = answers.length / 2;
  await call("POST", `${sessions}/${sessionId}/answers`, { answers: answers.slice(0, half) });
  await call("POST", `${sessions}/${sessionId}/complete`, { answers: answers.slice(half), requireAnswered: true });
  return sessionId;
}

function resultsTable({ results: { overall, values, pairings }, names }: NamedResults): string {
  const nameOf = (id: number) => names.values.find(({ valueId }) => valueId === id)?.name ?? String(id);
  const rows = values.map((value) => [
    nameOf(value.valueId).padEnd(18),
    cell(value.idealDisplayRank, 5),
    ` ${value.idealRankTier.padEnd(11)}`,
    cell(value.currentDisplayRank, 6),
    ` ${value.currentRankTier.padEnd(11)}`,
    cell(value.authenticityGapScaled, 8),
  ]);
  const pairs = pairings.slice(0, 5).map(({ valuePairingId, scaledScore }) => {
    const pairNames = `${nameOf(Math.trunc(valuePairingId / 100))} with ${nameOf(valuePairingId % 100)}`;
    return `  ${pairNames.padEnd(40)}${cell(scaledScore, 8)}`;
  });
  return [
    `${"Value".padEnd(18)}${"Ideal".padStart(5)} ${"Tier".padEnd(11)}${"Today".padStart(6)} ${"Tier".padEnd(11)}${"Gap".padStart(8)}`,
    ...rows.map((row) => row.join("")),
    "",
    `Authenticity gap ${cell(overall.totalAuthenticityGapScaled, 6)}`,
    `Harmony          ${cell(overall.totalHarmonyScoreScaled, 6)}`,
    `Conflict         ${cell(overall.totalConflictScoreScaled, 6)}`,
    `Archetype        ${archetypeLine(names)}`,
    "",
    "Strongest pairings",
    ...pairs,
  ].join("\n");
}

/** What the report tells: one archetype if it is certain, else those that the answers lie between. */
function archetypeLine({ archetype, archetypeCertain, between }: NamedResults["names"]): string {
  if (archetypeCertain === true) return `${archetype.name}: ${archetype.summary}`;
  return between.length === 0 ? "open" : `Between ${between.map(({ name }) => `“${name}”`).join(" and ")}`;
}

function cell(value: number | null, width: number): string {
  return (value === null ? "–" : String(value)).padStart(width);
}

/** The part of a question that the demo reads. */
export interface DemoQuestion {
  readonly id: number;
  readonly valuesBridgeConfig: { readonly valueId: number; readonly lifeContext: string; readonly inverse: boolean };
}

/** The person's rating, 1 to 7: the further a value is from the chosen one, the lower. */
export function demoRating({ id, valuesBridgeConfig: { valueId, lifeContext, inverse } }: DemoQuestion): number {
  const peak = lifeContext === "ideal" ? 19 : 12;
  const distance = Math.min(Math.abs(valueId - peak), 19 - Math.abs(valueId - peak));
  const rating = Math.min(7, Math.max(1, 7 - Math.round(distance * 0.6) + (id % 3 === 0 ? 1 : 0)));
  return inverse ? 8 - rating : rating;
}
