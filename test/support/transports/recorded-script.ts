// The requests that responses of REST are recorded for.
import type { Credentials } from "../databases/partners.ts";
import { memberAnswers } from "../groups/members.ts";
import type { AssessmentBody } from "./transports.ts";

export interface Said {
  readonly body?: unknown;
  /** Instead of a body: its bytes. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whose token the request has, if it has one. */
  readonly as?: "live" | "twin" | "reader" | "nobody" | "none";
  /** Whether the exchange is left out of the recording. */
  readonly unrecorded?: boolean;
}

/** Sends a request, and gives the text of the response. */
export type Say = (method: string, path: string, said?: Said) => Promise<string>;

const base = "/v1/values-bridge";
const nobody = "00000000-0000-7000-8000-000000000000";

/** Says everything, in one order. */
export async function recordedScript(say: Say, credentials: Credentials): Promise<void> {
  const questions = await createSessions(say);
  await answerSessions(say, questions);
  await readPeople(say);
  await endSessions(say);
  await closeGroups(say);
  await tryWebhooks(say);
  await readLogs(say);
  await say("DELETE", `${base}/subjects/user-1`, { as: "twin" });
  await say("DELETE", `${base}/subjects/user-1`, { as: "twin" });
  await exchangeTokens(say, credentials);
}

const idOf = (text: string) => (JSON.parse(text) as { sessionId: string }).sessionId;
const answer = (questionId: number, value: unknown, type = "likert") => ({ questionId, response: { type, value } });

async function createSessions(say: Say): Promise<readonly number[]> {
  await say("GET", `${base}/assessment`);
  await say("GET", `${base}/assessment?version=1`);
  await say("GET", `${base}/assessment?version=99`);
  await say("GET", `${base}/assessment?version=x`);
  await say("GET", "/v1/other/assessment");
  await say("GET", `${base}/assessment`, { as: "nobody" });
  const sessions = `${base}/sessions`;
  const key = { "idempotency-key": "order-1" };
  const created = await say("POST", sessions, { body: { subject: { externalId: "user-0" } }, headers: key });
  await say("POST", sessions, { body: { subject: { externalId: "user-0" } }, headers: key });
  await say("POST", sessions, { body: { subject: { externalId: "user-9" } }, headers: key });
  await say("POST", sessions, { body: {} });
  const hosted = { mode: "hosted", redirectUrl: "https://partner.example/done", expiresAt: "2099-01-01T00:00:00Z" };
  await say("POST", sessions, { body: hosted });
  const open = await say("POST", sessions, {
    body: { ...hosted, expiresAt: undefined, locale: "de", personAccess: "after_completion", metadata: { a: [1] } },
  });
  const links = `${sessions}/${idOf(open)}/links`;
  await say("POST", links);
  await say("POST", links, { body: { linkExpiresAt: "2020-01-01T00:00:00Z" } });
  await say("POST", links, { body: { linkExpiresAt: "noon", more: 1 } });
  const faulty: readonly unknown[] = [
    [],
    "text",
    { subject: { externalId: 1 } },
    { subject: { externalId: "" } },
    { subject: { externalId: "x".repeat(256) } },
    { subject: { note: "user-1" } },
    { subject: { external_id: "user-1" } },
    { subject: null, mode: "hosted" },
    { mode: "both", redirectUrl: 1, metadata: [], locale: "not a tag", personAccess: "all", other: 1 },
    { mode: "hosted", redirectUrl: "ftp://partner.example" },
    { expiresAt: "tomorrow" },
    { expiresAt: "2020-01-01T00:00:00Z" },
    { personAccess: "after_completion", locale: "not a tag", metadata: { ["m".repeat(41)]: 1 } },
    { subject: { a: createNested(20) } },
    { metadata: { a: createNested(20) } },
  ];
  for (const body of faulty) await say("POST", sessions, { body });
  await say("POST", sessions);
  await say("POST", sessions, { raw: "{" });
  await say("POST", sessions, { raw: "{}", headers: { "content-type": "text/plain" } });
  await say("POST", `${sessions}?dryRun=true`, { body: {} });
  const { assessment } = JSON.parse(created) as { assessment: { questions: readonly { id: number }[] } };
  return assessment.questions.map(({ id }) => id);
}

function createNested(levels: number): unknown {
  return levels === 0 ? 1 : [createNested(levels - 1)];
}

async function answerSessions(say: Say, questions: readonly number[]): Promise<void> {
  const [first = 0, second = 0] = questions;
  const id = idOf(await say("POST", `${base}/sessions`, { body: { subject: { externalId: "user-1" } } }));
  const session = `${base}/sessions/${id}`;
  await say("GET", session);
  await say("GET", `${base}/sessions/${nobody}`);
  await say("GET", `${base}/sessions/none`);
  await say("GET", `${session}/results`);
  await say("POST", `${session}/complete`, { body: {} });
  const faulty: readonly unknown[] = [
    {},
    { answers: [] },
    { answers: "all", more: true },
    { answers: [{}, 1, answer(first, "5"), { ...answer(first, 5), extra: 1 }, { questionId: 1.5, response: [] }] },
    { answers: [answer(first, 99), answer(7, 1), answer(first, 1, "text"), answer(3e9, 1), answer(second, 1.5)] },
    { answers: Array.from({ length: 1_001 }, () => answer(first, 1)) },
  ];
  for (const body of faulty) await say("POST", `${session}/answers`, { body });
  await say("POST", `${session}/answers`);
  await say("POST", `${base}/sessions/${nobody}/answers`, { body: { answers: [answer(first, 1)] } });
  await say("POST", `${session}/answers`, { body: { answers: [answer(first, 5), answer(second, 6)] } });
  await say("GET", `${base}/subjects/user-1/results`);
  const all = questions.map((question, index) => answer(question, 1 + ((index * index) % 7)));
  await say("POST", `${session}/complete`, { body: { answers: "x" } });
  await say("POST", `${session}/complete`, { body: { answers: all } });
  await say("POST", `${session}/complete`);
  await say("POST", `${session}/answers`, { body: { answers: [answer(first, 7)] } });
  await say("GET", session);
  for (const query of ["", "?explain=true", "?quality=true", "?explain=true&quality=true", "?explain=maybe", "?x=1"]) {
    await say("GET", `${session}/results${query}`);
  }
  await say("GET", `${session}/report`);
  await say("GET", `${session}/report?locale=de`);
  await say("GET", `${session}/report?format=doc`);
  await say("GET", `${session}/report?format=svg&picture=cube`);
  await say("GET", `${base}/subjects/user-1/report`);
  await say("POST", `${session}/report-links`);
  await say("POST", `${session}/report-links`, { body: { expiresInSeconds: 3_600, locale: "de" } });
  await say("POST", `${session}/report-links`, { body: { expiresInSeconds: "1", locale: 1, more: 1 } });
  await say("POST", `${session}/report-links`, { body: { expiresInSeconds: 1 } });
  await say("POST", `${session}/report-links`, { body: { expiresInSeconds: 3_600.5, locale: "not a tag" } });
  await say("DELETE", `${session}/report-links`);
  await say("GET", `${session}/intention`);
  await say("PUT", `${session}/intention`, { body: { step: "Call one person", lookAgainOn: "2027-01-07" } });
  await say("PUT", `${session}/intention`, { body: { lookAgainOn: 1, more: 1 } });
  await say("PUT", `${session}/intention`, { body: { step: "Call\none", lookAgainOn: "tomorrow" } });
  await say("GET", `${session}/intention`);
  // A person with few answers, and one whom nobody has asked anything.
  const few = idOf(await say("POST", `${base}/sessions`, { body: { subject: { externalId: "user-2" } } }));
  await say("POST", `${base}/sessions/${few}/complete`, { body: { answers: all.slice(0, 3) } });
  await say("GET", `${base}/sessions/${few}/results?explain=true&quality=true`);
}

async function closeGroups(say: Say): Promise<void> {
  const groups = `${base}/groups`;
  const key = { "idempotency-key": "group-1" };
  const group = await say("POST", groups, { body: { label: "Team" }, headers: key });
  await say("POST", groups, { body: { label: "Team" }, headers: key });
  await say("POST", groups, { body: { label: "Other" }, headers: key });
  for (const body of [{}, { label: 1 }, { label: "" }, { label: "x", more: 1 }]) await say("POST", groups, { body });
  const { groupId } = JSON.parse(group) as { groupId: string };
  const member = { body: { subject: { externalId: "user-7" }, groupId } };
  await say("POST", `${base}/sessions`, member);
  await say("POST", `${base}/sessions`, { body: { groupId } });
  for (const path of ["", "?limit=0", `/${groupId}`, `/${nobody}`, `/${groupId}/numbers`, `/${groupId}/report`])
    await say("GET", groups + path);
  const code = { maxSessions: 30, redirectUrl: "https://partner.example/done" };
  for (const body of [code, { ...code, maxSessions: 0 }, {}])
    await say("POST", `${groups}/${groupId}/join-code`, { body });
  await say("DELETE", `${groups}/${groupId}/join-code`);
  await say("POST", `${groups}/${groupId}/close`);
  await say("GET", `${groups}/${groupId}/numbers`);
  for (const query of ["", "?format=docx", "?paper=a3"]) await say("GET", `${groups}/${groupId}/report${query}`);
  await say("POST", `${base}/sessions`, member);
  await closeTeam(say);
}

/** A group of enough people to have a full report, who answer the same each time. */
async function closeTeam(say: Say): Promise<void> {
  const quietly = { as: "twin", unrecorded: true } as const;
  const department = await say("POST", `${base}/groups`, { body: { label: "Team North" }, ...quietly });
  const { groupId } = JSON.parse(department) as { groupId: string };
  const assessment = JSON.parse(await say("GET", `${base}/assessment`, quietly)) as AssessmentBody;
  for (let number = 1; number <= 12; number += 1) {
    const body = { subject: { externalId: `member-${number}` }, groupId };
    const id = idOf(await say("POST", `${base}/sessions`, { body, ...quietly }));
    const answers = memberAnswers(assessment, number);
    await say("POST", `${base}/sessions/${id}/complete`, { body: { answers }, ...quietly });
  }
  await say("POST", `${base}/groups/${groupId}/close`, quietly);
  for (const path of ["numbers", "report"]) await say("GET", `${base}/groups/${groupId}/${path}`, { as: "twin" });
}

async function readPeople(say: Say): Promise<void> {
  for (const persona of ["archetype-3", "null-scores", "contradictory"]) {
    const id = idOf(await say("POST", `${base}/sessions`, { body: { subject: { externalId: "user-1" } }, as: "twin" }));
    const autofill = `${base}/sessions/${id}/test/autofill`;
    await say("POST", autofill, { body: { persona }, as: "twin" });
    await say("POST", autofill, { body: { persona: "nobody" }, as: "twin" });
    await say("POST", autofill, { body: { persona: 1, more: 1 }, as: "twin" });
    await say("POST", autofill, { body: {}, as: "live" });
    await say("POST", `${base}/sessions/${id}/complete`, { as: "twin" });
  }
  const person = `${base}/subjects/user-1`;
  const reads = ["results", "results?quality=true", "change", "sessions", "sessions?limit=2", "export", "results?y"];
  for (const read of reads) await say("GET", `${person}/${read}`, { as: "twin" });
  await say("GET", `${person}/change`);
  await say("GET", `${person}/change?from=${nobody}`, { as: "twin" });
  await say("GET", `${person}/sessions?limit=0`);
  await say("GET", `${person}/sessions?after=x`);
  for (const read of ["results", "change", "sessions", "export", "report"]) {
    await say("GET", `${base}/subjects/nobody/${read}`);
  }
  await say("GET", `${base}/norms`);
  await say("GET", `${base}/norms?language=de&version=1`);
  await say("GET", `${base}/norms?language=not%20a%20tag`);
  await say("GET", "/v1/test/clock", { as: "twin" });
  await say("GET", "/v1/test/clock");
  await say("PUT", "/v1/test/clock", { body: { now: "2020-01-01T00:00:00Z" }, as: "twin" });
  await say("PUT", "/v1/test/clock", { body: { now: 1, later: 2 }, as: "twin" });
  await say("PUT", "/v1/test/clock", { body: { now: "noon" }, as: "twin" });
  await say("PUT", "/v1/test/clock", { body: {}, as: "twin" });
}

async function endSessions(say: Say): Promise<void> {
  const id = idOf(await say("POST", `${base}/sessions`, { body: { subject: { externalId: "user-3" } } }));
  const session = `${base}/sessions/${id}`;
  await say("POST", `${session}/links`);
  await say("POST", `${session}/reopen`, { body: { expiresAt: "2020-01-01T00:00:00Z" } });
  await say("POST", `${session}/reopen`, { body: { expiresAt: "noon" } });
  await say("POST", `${session}/reopen`, { body: { expiresAt: 1, more: 1 } });
  await say("POST", `${session}/reopen`, { body: {} });
  await say("POST", `${session}/reopen`);
  await say("POST", `${session}/cancel`, { body: { eraseAnswers: "yes", more: 1 } });
  await say("POST", `${session}/cancel`, { body: { eraseAnswers: true } });
  await say("POST", `${session}/cancel`);
  await say("GET", session);
  await say("POST", `${session}/reopen`);
  await say("POST", `${session}/complete`, { body: {} });
  const lists = [
    "",
    "?limit=2",
    "?status=completed&mode=headless&version=1",
    "?externalId=user-1",
    "?createdAfter=2099-01-01T00:00:00Z",
    "?status=done",
    "?mode=both",
    "?limit=201",
    "?after=x",
    "?createdAfter=x",
    "?version=0",
    "?limit=1&limit=2",
  ];
  for (const query of lists) await say("GET", `${base}/sessions${query}`);
  const exports = [
    "sessions",
    "sessions?include=answers",
    "sessions?include=results",
    "sessions?format=csv",
    "sessions?format=csv&include=results",
    "sessions?include=none",
    "sessions?after=x",
    "codebook",
    "codebook?format=csv",
    "codebook?format=xml",
    "codebook?version=99",
  ];
  for (const path of exports) await say("GET", `${base}/exports/${path}`);
}

async function tryWebhooks(say: Say): Promise<void> {
  const endpoints = "/v1/webhook-endpoints";
  // Nothing listens there.
  const settings = { url: "http://127.0.0.1:9/hook", types: ["session.completed"], description: "First" };
  const faulty: readonly unknown[] = [
    {},
    { url: 1, types: "all", description: 1, includeExternalId: "no", start: "later", more: 1 },
    { url: "nowhere", types: [] },
    { url: "https://u:p@partner.example", types: ["session.unknown"], description: "x".repeat(256) },
    { url: "https://partner.example/#x", types: Array.from({ length: 17 }, () => "session.completed") },
    { url: `https://partner.example/${"x".repeat(2_048)}`, types: ["session.completed"] },
  ];
  for (const body of faulty) await say("POST", endpoints, { body });
  const created = await say("POST", endpoints, { body: settings });
  await say("POST", endpoints, { body: settings });
  const { endpointId } = (JSON.parse(created) as { endpoint: { endpointId: string } }).endpoint;
  const endpoint = `${endpoints}/${endpointId}`;
  await say("GET", endpoint);
  await say("GET", `${endpoints}/${nobody}`);
  await say("GET", `${endpoints}/none`);
  await say("PATCH", endpoint, { body: { description: "Second", types: ["session.scored", "session.completed"] } });
  await say("PATCH", endpoint, { body: { types: [], url: 1, resume: "never", enabled: "no", more: 1 } });
  await say("PATCH", endpoint, { body: {} });
  await say("POST", `${endpoint}/rotate-secret`, { body: { overlapSeconds: 60 } });
  await say("POST", `${endpoint}/rotate-secret`);
  for (const overlapSeconds of ["1", 1.5, -1, 1e12]) {
    await say("POST", `${endpoint}/rotate-secret`, { body: { overlapSeconds, more: 1 } });
    await say("POST", `${endpoint}/rotate-secret`, { body: { overlapSeconds } });
  }
  await say("POST", `${endpoint}/test`);
  await say("GET", `${endpoint}/attempts`);
  await say("GET", `${endpoint}/attempts?outcome=failed&limit=1`);
  await say("GET", `${endpoint}/attempts?outcome=lost`);
  await say("GET", `${endpoint}/parked`);
  await say("GET", `${endpoint}/parked?state=dead`);
  await say("GET", `${endpoint}/parked?state=lost`);
  await say("GET", `${endpoint}/parked?limit=501`);
  await say("POST", `${endpoint}/redeliver`, { body: { eventIds: [`evt_${nobody.replaceAll("-", "")}_completed`] } });
  await say("POST", `${endpoint}/redeliver`, { body: { eventIds: ["x", 1] } });
  await say("POST", `${endpoint}/redeliver`, { body: { eventIds: [] } });
  await say("POST", `${endpoint}/redeliver`, { body: {} });
  await say("POST", `${endpoint}/replay`, { body: { after: 1, until: null, more: 1 } });
  await say("POST", `${endpoint}/replay`, { body: { after: "x" } });
  await say("POST", `${endpoint}/replay`, { body: { after: "0", until: "0" } });
  await say("DELETE", `${endpoint}/replay`);
  await say("PATCH", endpoint, { body: { enabled: false, includeExternalId: true } });
  await say("POST", `${endpoint}/replay`);
  await say("POST", `${endpoint}/redeliver`, { body: { eventIds: [`evt_${nobody.replaceAll("-", "")}_completed`] } });
  await say("GET", endpoints);
  await say("DELETE", endpoint);
  await say("DELETE", endpoint);
}

async function readLogs(say: Say): Promise<void> {
  for (const as of ["live", "twin"] as const) {
    await allEvents(say, as);
    await say("GET", "/v1/events?limit=500&include=externalId", { as });
  }
  await say("GET", "/v1/events?limit=2&types=session.completed");
  await say("GET", "/v1/events?limit=501");
  await say("GET", "/v1/events?after=x");
  await say("GET", "/v1/events?types=session.unknown");
  await say("GET", "/v1/events?include=all");
  await say("GET", "/v1/audit");
  await say("GET", "/v1/audit?limit=2");
  await say("GET", `/v1/audit?sessionId=${nobody}`);
  await say("GET", "/v1/audit?from=x");
  await say("GET", "/v1/audit?limit=0");
  await say("GET", "/v1/audit?after=x");
}

/** Waits until the feed has every event of completed sessions: they come into it soon after. */
async function allEvents(say: Say, as: "live" | "twin"): Promise<void> {
  const completedCount = as === "live" ? 2 : 3;
  let after = "";
  for (let scored = 0; scored < completedCount; ) {
    const query = `types=session.scored&wait=20${after === "" ? "" : `&after=${after}`}`;
    const page = JSON.parse(await say("GET", `/v1/events?${query}`, { as, unrecorded: true }));
    scored += (page as { events: readonly unknown[] }).events.length;
    after = (page as { next: string }).next;
  }
}

/** A token, its end, and refusals of both. */
async function exchangeTokens(say: Say, { clientId, clientSecret }: Credentials): Promise<void> {
  const client = `client_id=${clientId}&client_secret=${clientSecret}`;
  const wrong = `client_id=${clientId}&client_secret=nonsense`;
  for (const form of [`grant_type=client_credentials&${client}`, `grant_type=client_credentials&${wrong}`])
    await say("POST", "/oauth/token", formOf(form));
  await say("POST", "/oauth/token", formOf(`grant_type=password&${client}`));
  for (const form of [`token=nonsense&${client}`, `token=nonsense&${wrong}`, client])
    await say("POST", "/oauth/revoke", formOf(form));
}

/** The parameters of a form, as a request. */
export function formOf(raw: string, headers: Said["headers"] = {}): Said {
  return { as: "none", raw, headers: { "content-type": "application/x-www-form-urlencoded", ...headers } };
}
