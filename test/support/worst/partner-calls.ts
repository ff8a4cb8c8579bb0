// Expensive calls of a partner, its people and a stranger: one for each way in which the limits treat a call.
import { createServer } from "node:http";
import type { Credentials } from "../databases/partners.ts";
import { listenOnLoopback } from "../processes/loopback.ts";

export const product = "values-bridge";
const mode = "SESSION_MODE_HEADLESS";

type Message = Readonly<Record<string, unknown>>;

type Body = ReturnType<typeof JSON.parse>;

/** Throws where it is refused. @param token that of the client unless given; empty: none */
type Call = (name: string, message: Message, token?: string) => Promise<Body>;

export interface Busy {
  readonly httpUrl: string;
  /** A client with the scopes of partners, and its tokens. */
  readonly credentials: Credentials;
  readonly tokens: readonly string[];
}

/** What the busy partner has. */
export interface Stage {
  readonly call: Call;
  readonly credentials: Credentials;
  readonly sessionId: string;
  readonly closedGroupId: string;
  readonly endpointId: string;
  readonly answers: readonly unknown[];
  /** A hosted session that is open, with a browser session. */
  readonly hosted: { readonly sessionId: string; readonly token: string };
}

type Expensive = (stage: Stage) => Promise<unknown>;

/** By the name of the rpc. */
export const expensiveCalls: Readonly<Record<string, Expensive>> = {
  // Slots of calls, and of connections: a transaction, and writes of one session one after the other.
  "SessionService/CompleteSession": complete,
  "SessionService/RecordAnswers": ({ call, hosted: { sessionId }, answers }) =>
    call("SessionService/RecordAnswers", { product, sessionId, answers }),
  // Slots of large pages.
  "SessionService/ListSessions": ({ call }) =>
    call("SessionService/ListSessions", { product, pageSize: 200, progress: "ANSWER_PROGRESS_PARTLY_ANSWERED" }),
  // Turns of the event loop: two reports with their quality, and a hundred sheets.
  "SubjectService/GetChange": ({ call }) => call("SubjectService/GetChange", { product, externalId: "person" }),
  "GroupService/GetGroupNumbers": ({ call, closedGroupId: groupId }) =>
    call("GroupService/GetGroupNumbers", { product, groupId }),
  // Slots of exports, and of reports.
  "ExportService/ExportSessions": ({ call }) => call("ExportService/ExportSessions", { product, pageSize: 200 }),
  "ReportService/RenderReport": ({ call, sessionId }) =>
    call("ReportService/RenderReport", {
      product,
      sessionId,
      format: "REPORT_FORMAT_PDF",
      name: crypto.randomUUID(),
    }),
  // Calls that wait without a slot: for events, and for a receiver.
  "EventService/ListEvents": ({ call }) => call("EventService/ListEvents", { after: "now", waitSeconds: 1 }),
  "WebhookService/TestWebhookEndpoint": ({ call, endpointId }) =>
    call("WebhookService/TestWebhookEndpoint", { endpointId }),
  // Calls without a token, and those of a person.
  "TokenService/IssueToken": ({ call, credentials }) => call("TokenService/IssueToken", { ...credentials }, ""),
  "HostedService/GetHostedSession": ({ call, hosted: { sessionId, token } }) =>
    call("HostedService/GetHostedSession", { sessionId, languages: ["de", "en"] }, token),
};

async function complete({ call, answers }: Pick<Stage, "call" | "answers">, subject?: Message, groupId?: string) {
  const { sessionId } = await call("SessionService/CreateSession", { product, mode, subject, groupId });
  await call("SessionService/CompleteSession", { product, sessionId, answers });
  return sessionId as string;
}

/** Calls an rpc through Connect. @param token empty: none */
export async function callRpc(httpUrl: string, token: string, name: string, message: Message) {
  const response = await fetch(`${httpUrl}/assessment.v1.${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token !== "" && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(message),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

/** What a client calls with. */
export function callerOf(httpUrl: string, ownToken: string): Call {
  return async (name, message, token = ownToken) => {
    const { status, body } = await callRpc(httpUrl, token, name, message);
    if (status !== 200) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
}

/** Makes what the busy partner has: 200 completed sessions of one person, a closed group of 100 people, and so on. */
export async function prepareBusyPartner({ httpUrl, credentials, tokens }: Busy): Promise<Stage> {
  const call = callerOf(httpUrl, tokens[0] ?? "");
  const { assessment } = await call("AssessmentService/GetPublishedAssessment", { product });
  const questionIds: readonly number[] = assessment.questions.map(({ id }: { id: number }) => id);
  const answers = questionIds.map((id) => answerTo(id));
  // Copies of one sheet give a group no numbers: each person rates another statement highest.
  const answersOf = (person: number) =>
    questionIds.map((id, index) => answerTo(id, index === person % questionIds.length ? 7 : undefined));
  const { group } = await call("GroupService/CreateGroup", { product, label: "group" });
  const { groupId: closedGroupId } = group;
  let sessionId = "";
  for (let count = 0; count < 200; count += 1) {
    sessionId = await complete({ call, answers: answersOf(count) }, { externalId: "person" });
    if (count >= 100) continue;
    await complete({ call, answers: answersOf(count) }, { externalId: `person ${count}` }, closedGroupId);
  }
  await call("GroupService/CloseGroup", { product, groupId: closedGroupId });
  const receiver = createServer((_request, response) => response.writeHead(204).end());
  const url = `http://127.0.0.1:${await listenOnLoopback(receiver)}`;
  const { endpoint } = await call("WebhookService/CreateWebhookEndpoint", { url, types: ["session.completed"] });
  const { endpointId } = endpoint;
  return { call, credentials, sessionId, closedGroupId, endpointId, answers, hosted: await newHosted(call) };
}

async function newHosted(call: Call): Promise<Stage["hosted"]> {
  const where = { mode: "SESSION_MODE_HOSTED", redirectUrl: "https://partner.example/" };
  const { sessionId, hosted } = await call("SessionService/CreateSession", { product, ...where });
  const linkToken = hosted.hostedUrl.slice(hosted.hostedUrl.lastIndexOf("/") + 1);
  const { browserSessionToken } = await call("HostedService/ExchangeLink", { linkToken }, "");
  return { sessionId, token: browserSessionToken };
}

export function answerTo(questionId: number, value = 1 + (questionId % 5)) {
  return { questionId, response: { type: "QUESTION_TYPE_LIKERT", value } };
}
