// pas demo: one whole assessment over REST against a running service, as a partner's backend would do it.
import type { Results } from "../../products/product.ts";
import type { CommandContext } from "../command.ts";
import { readDemoClient } from "./demo-client.ts";
import { connectRest, type RestClient } from "./rest-client.ts";
import { openWatchPage, type Sight } from "./watch-page.ts";
import { receiveWebhooks } from "./webhooks.ts";

interface CreatedSession {
  readonly sessionId: string;
  readonly assessment: { readonly questions: readonly DemoQuestion[] };
}

interface Named {
  readonly name: string;
  readonly summary: string;
}

interface NamedResults {
  readonly results: Results;
  readonly names: {
    readonly values: readonly (Pick<Named, "name"> & { readonly valueId: number })[];
    readonly archetype: Named;
    readonly archetypeCertain: boolean | null;
    readonly between: readonly Named[];
  };
}

interface Feed {
  readonly events: readonly { readonly type: string }[];
  readonly next: string;
}

/** Longer bodies are truncated. */
const maxShown = 700;

const inShort = (body: string) => {
  const text = body.replaceAll(/"whsec_[^"]+"/g, '"whsec_…"');
  return text.length > maxShown ? `${text.slice(0, maxShown)} …` : text;
};
const typeOf = (body: string) => (JSON.parse(body) as { type: string }).type;

const sessions = "/v1/values-bridge/sessions";

/** Plays one whole assessment over REST, and writes its results as a table, its webhooks and the report's address. */
export async function playDemo({ config, say, write }: CommandContext, { watch = false } = {}): Promise<void> {
  const client = await readDemoClient(config.DATA_DIR);
  await using page = watch ? await openWatchPage() : undefined;
  const show = (sight: Sight) => page?.show(sight);
  const rest = await connectRest(config.PUBLIC_URL ?? client.url, client, (exchange, body) =>
    show({ kind: "request", title: exchange, text: inShort(body) }),
  );
  if (page !== undefined) {
    say(`Open ${page.url} in a browser: the demo begins as soon as you do`);
    await page.opened;
  }
  const { next } = page === undefined ? { next: "" } : await rest.get<Feed>("/v1/events?after=now");
  let sessionId = "";
  const webhooks = await receiveWebhooks(
    rest,
    say,
    async () => {
      sessionId = await playSession(rest, say);
      write(resultsTable(await rest.get<NamedResults>(`${sessions}/${sessionId}/results?include=names`)));
      return sessionId;
    },
    (body) => show({ kind: "webhook", title: typeOf(body), text: inShort(body) }),
  );
  if (webhooks.length > 0) write(["\nWebhooks that came, with good signatures", ...webhooks].join("\n  "));
  const { reportUrl } = await rest.post<{ reportUrl: string }>(`${sessions}/${sessionId}/report-links`, {});
  write(`\nThe person's own report, for a week: ${reportUrl}`);
  if (page === undefined) return;
  const { events } = await rest.get<Feed>(`/v1/events?after=${encodeURIComponent(next)}`);
  for (const event of events) show({ kind: "event", title: event.type, text: JSON.stringify(event, null, 2) });
  const circle = await rest.text(`${sessions}/${sessionId}/report?format=svg&picture=circle`);
  show({ kind: "report", title: "Open the whole report", text: circle, link: reportUrl });
}

/** Receives the id of the session. */
async function playSession(rest: RestClient, say: CommandContext["say"]): Promise<string> {
  const created = await rest.post<CreatedSession>(sessions, { subject: { externalId: "demo-user" } });
  const { sessionId, assessment } = created;
  say(`Session ${sessionId}: ${assessment.questions.length} questions`);
  const answers = assessment.questions.map((question) => ({
    questionId: question.id,
    response: { type: "likert", value: demoRating(question) },
  }));
  const half = answers.length / 2;
  await rest.post(`${sessions}/${sessionId}/answers`, { answers: answers.slice(0, half) });
  await rest.post(`${sessions}/${sessionId}/complete`, { answers: answers.slice(half), requireAnswered: true });
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
