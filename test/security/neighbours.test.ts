// One partner makes the most expensive calls that its limits allow, by five clients at a time, one rpc after the other.
// Another partner reads, writes and completes meanwhile, and nothing of it is refused.
import { afterAll, beforeAll, expect, test } from "vitest";
import { partnerScopes, type Scope } from "../../src/domain/identity/scopes.ts";
import { requiredScope } from "../../src/kernel/rpc-options/audit-rules.ts";
import { services } from "../../src/process/core.ts";
import { openPartners } from "../support/databases/partners.ts";
import { type Served, startServed } from "../support/transports/served.ts";

const product = "values-bridge";
const mode = "SESSION_MODE_HEADLESS";
const clients = 5;
/** Calls of each client at a time. */
const atOnce = 4;
const rounds = 2;

type Message = Readonly<Record<string, unknown>>;

/** What the busy partner has. */
interface Stage {
  readonly sessionId: string;
  readonly groupId: string;
  readonly answers: readonly unknown[];
}

const text = "x".repeat(200);
const of = ({ sessionId }: Stage) => ({ product, sessionId });
const ofGroup = ({ groupId }: Stage) => ({ product, groupId });
const ofPerson = () => ({ product, externalId: "person" });
const endpoint = () => ({ endpointId: crypto.randomUUID() });

/** The most expensive call of each rpc that a partner may make, by its name. */
const calls: Readonly<Record<string, (stage: Stage) => Message>> = {
  "SessionService/CreateSession": ({ groupId }) => ({ product, mode, subject: { externalId: "person" }, groupId }),
  "SessionService/GetSession": (stage) => ({ ...of(stage), includeProgress: true }),
  "SessionService/ListSessions": () => ({ product, pageSize: 100, progress: true }),
  "SessionService/RecordAnswers": (stage) => ({ ...of(stage), answers: stage.answers }),
  "SessionService/CompleteSession": (stage) => ({ ...of(stage), answers: stage.answers }),
  "SessionService/CancelSession": of,
  "SessionService/ReopenSession": of,
  "SessionService/CreateSessionLink": of,
  "SessionService/GetSessionResults": (stage) => ({ ...of(stage), explain: true, quality: true }),
  "ReportService/GetReport": of,
  "ReportService/RenderReport": (stage) => ({ ...of(stage), format: "REPORT_FORMAT_PDF", name: crypto.randomUUID() }),
  "ReportService/CreateReportLink": of,
  "ReportService/RevokeReportLinks": of,
  "SubjectService/GetLatestResults": () => ({ ...ofPerson(), quality: true }),
  "SubjectService/GetChange": ofPerson,
  "SubjectService/ListSubjectSessions": () => ({ ...ofPerson(), pageSize: 100 }),
  "SubjectService/EraseSubject": () => ({ product, externalId: crypto.randomUUID() }),
  "AssessmentService/GetPublishedAssessment": () => ({ product }),
  "NormService/GetNorms": () => ({ product }),
  "GroupService/CreateGroup": () => ({ product, label: text.slice(0, 80) }),
  "GroupService/ListGroups": () => ({ product, pageSize: 100 }),
  "GroupService/GetGroup": ofGroup,
  "GroupService/CloseGroup": ofGroup,
  "GroupService/GetGroupNumbers": ofGroup,
  "GroupService/GetTeamReport": ofGroup,
  "GroupService/RenderTeamReport": (stage) => ({ ...ofGroup(stage), format: "REPORT_FORMAT_PDF" }),
  "EventService/ListEvents": () => ({ pageSize: 1000, includeExternalId: true }),
  "WebhookService/CreateWebhookEndpoint": () => ({ url: "https://receiver.example/", description: text }),
  "WebhookService/GetWebhookEndpoint": endpoint,
  "WebhookService/ListWebhookEndpoints": () => ({}),
  "WebhookService/UpdateWebhookEndpoint": endpoint,
  "WebhookService/DeleteWebhookEndpoint": endpoint,
  "WebhookService/RotateWebhookSecret": endpoint,
  "WebhookService/TestWebhookEndpoint": endpoint,
  "WebhookService/ListWebhookAttempts": endpoint,
  "WebhookService/ListParkedEvents": endpoint,
  "WebhookService/RedeliverEvents": endpoint,
  "WebhookService/ReplayEvents": endpoint,
  "WebhookService/CancelReplay": endpoint,
  "AuditService/ListAuditRecords": () => ({ pageSize: 1000 }),
  "ExportService/ExportSessions": () => ({ product, pageSize: 200 }),
  "ExportService/ExportSubject": ofPerson,
  "ExportService/GetCodebook": () => ({ product }),
  "SandboxService/AutofillSession": of,
  "SandboxService/GetTestClock": () => ({}),
  "SandboxService/SetTestClock": () => ({ now: new Date().toISOString() }),
};

const ofPartners = services.flatMap(({ name, methods }) =>
  methods
    .filter((method) => (partnerScopes as readonly string[]).includes(requiredScope(method)))
    .map((method) => `${name}/${method.name}`),
);

let served: Served;
let stage: Stage;
let tokens: string[];
let other: string;
beforeAll(async () => {
  served = await startServed({ RATE_LIMIT_PER_MINUTE: "60000", RATE_LIMIT_BURST: "6000" });
  const partners = openPartners(served.database.address);
  const tokenOf = async (partnerId: string) =>
    served.tokenOf(await partners.addClient(partnerId, partnerScopes as readonly Scope[]));
  const busy = await partners.addPartner();
  tokens = [];
  for (let count = 0; count < clients; count += 1) tokens.push(await tokenOf(busy));
  other = await tokenOf(await partners.addPartner());
  await partners.close();
  const [token = ""] = tokens;
  const made = async (name: string, message: Message) => (await call(token, name, message)).body as never;
  const { group } = (await made("GroupService/CreateGroup", { product, label: "group" })) as { group: Stage };
  const { groupId } = group;
  const { assessment } = await made("AssessmentService/GetPublishedAssessment", { product });
  const answers = (assessment as { questions: { id: number }[] }).questions.map(({ id }) => answerTo(id));
  let sessionId = "";
  for (let count = 0; count < 200; count += 1) {
    const subject = { externalId: count === 0 ? "person" : `person ${count}` };
    ({ sessionId } = await made("SessionService/CreateSession", { product, mode, subject, groupId }));
    await made("SessionService/CompleteSession", { product, sessionId, answers });
  }
  stage = { sessionId, groupId, answers };
});
afterAll(() => served.stop());

function answerTo(questionId: number) {
  return { questionId, response: { type: "QUESTION_TYPE_LIKERT", value: 1 + (questionId % 5) } };
}

async function call(token: string, name: string, message: Message): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${served.httpUrl}/assessment.v1.${name}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(message),
  });
  return { status: response.status, body: await response.json() };
}

/** What the other partner does. @returns the calls that were refused */
async function work(): Promise<unknown[]> {
  const refused: unknown[] = [];
  const done = async (name: string, message: Message) => {
    const { status, body } = await call(other, name, message);
    if (status !== 200) refused.push([name, status, body]);
    return body;
  };
  for (let round = 0; round < rounds; round += 1) {
    const { sessionId } = (await done("SessionService/CreateSession", { product, mode })) as { sessionId: string };
    await done("SessionService/RecordAnswers", { product, sessionId, answers: stage.answers.slice(0, 10) });
    await done("SessionService/GetSession", { product, sessionId });
    await done("SessionService/CompleteSession", { product, sessionId, answers: stage.answers });
    await done("SessionService/GetSessionResults", { product, sessionId });
  }
  return refused;
}

test("every rpc of partners has its most expensive call here", () => {
  expect(Object.keys(calls).toSorted()).toEqual(ofPartners.toSorted());
});

test.each(Object.entries(calls))(
  "while one partner's five clients call %s, no call of another one is refused",
  async (name, message) => {
    let isOver = false;
    const flood = async (token: string) => {
      while (!isOver) await call(token, name, message(stage)).catch(() => undefined);
    };
    const floods = tokens.flatMap((token) => Array.from({ length: atOnce }, () => flood(token)));
    expect(await work()).toEqual([]);
    isOver = true;
    await Promise.all(floods);
  },
);
