// The most expensive call of each rpc that a partner, its people or a stranger may make, and what it is made of.
import { createServer } from "node:http";
import { eventTypes } from "../../../src/domain/events/event-types.ts";
import type { Credentials } from "../databases/partners.ts";
import { listenOnLoopback } from "../processes/loopback.ts";

export const product = "values-bridge";
const mode = "SESSION_MODE_HEADLESS";
const shortForm = "ASSESSMENT_FORM_SHORT";
const text = "x".repeat(200);

type Message = Readonly<Record<string, unknown>>;

type Body = ReturnType<typeof JSON.parse>;

/** Throws where it is refused. @param token that of the client unless given; empty: none */
type Call = (name: string, message: Message, token?: string) => Promise<Body>;

export interface Busy {
  readonly httpUrl: string;
  /** A client with the scopes of partners, and its tokens. */
  readonly credentials: Credentials;
  readonly tokens: readonly string[];
  /** Of a client of the partner's test twin. */
  readonly twinToken: string;
}

/** What the busy partner has. */
export interface Stage {
  readonly call: Call;
  readonly credentials: Credentials;
  readonly twinToken: string;
  readonly sessionId: string;
  /** Another session, whose report has links that are made and ended. */
  readonly sharedId: string;
  /** A group that is open, and one that is closed. */
  readonly groupId: string;
  readonly closedGroupId: string;
  readonly joinCode: string;
  readonly endpointId: string;
  readonly receiverUrl: string;
  readonly answers: readonly unknown[];
  /** Ids of 100 events. */
  readonly eventIds: readonly string[];
  /**
   * Hosted sessions with a browser session: one that is completed, a short one that is, one that is not, one whose link is
   * opened, which ends its oldest browser session, and one that is given new links.
   */
  readonly finished: Hosted;
  readonly finishedShort: Hosted;
  readonly open: Hosted;
  readonly opened: Hosted;
  readonly relinked: Hosted;
  /** A link to a report, and a browser session of it. */
  readonly report: { readonly linkToken: string; readonly token: string; readonly cardToken: string };
}

interface Hosted {
  readonly sessionId: string;
  readonly linkToken: string;
  readonly token: string;
}

/** Calls an rpc, with others before it where it uses up what they make. */
type Expensive = (stage: Stage) => Promise<unknown>;

const inProduct = ({ sessionId }: Stage) => ({ product, sessionId });
const ofGroup = ({ groupId }: Stage) => ({ product, groupId });
const ofClosedGroup = ({ closedGroupId }: Stage) => ({ product, groupId: closedGroupId });
const joinTerms = { maxSessions: 100, redirectUrl: "https://partner.example/" };
const ofEndpoint = ({ endpointId }: Stage) => ({ endpointId });
const ofPerson = () => ({ product, externalId: "person" });

const messages: Readonly<Record<string, (stage: Stage) => Message>> = {
  "SessionService/CreateSession": ({ groupId }) => ({ product, mode, subject: { externalId: "person" }, groupId }),
  "SessionService/GetSession": (stage) => ({ ...inProduct(stage), includeProgress: true }),
  "SessionService/ListSessions": () => ({ product, pageSize: 200, progress: "ANSWER_PROGRESS_PARTLY_ANSWERED" }),
  "SessionService/RecordAnswers": ({ open, answers }) => ({ product, sessionId: open.sessionId, answers }),
  "SessionService/ReopenSession": inProduct,
  "SessionService/CreateSessionLink": ({ relinked }) => ({ product, sessionId: relinked.sessionId }),
  "SessionService/GetSessionResults": (stage) => ({ ...inProduct(stage), explain: true, quality: true }),
  "ReportService/GetReport": inProduct,
  "ReportService/RenderReport": (stage) => ({
    ...inProduct(stage),
    format: "REPORT_FORMAT_PDF",
    name: crypto.randomUUID(),
  }),
  "ReportService/CreateReportLink": ({ sharedId }) => ({ product, sessionId: sharedId }),
  "ReportService/RevokeReportLinks": ({ sharedId }) => ({ product, sessionId: sharedId }),
  "ReportService/SetIntention": ({ sharedId }) => ({ product, sessionId: sharedId, step: text.slice(0, 200) }),
  "ReportService/GetIntention": ({ sharedId }) => ({ product, sessionId: sharedId }),
  "SubjectService/GetLatestResults": () => ({ ...ofPerson(), quality: true }),
  "SubjectService/GetChange": ofPerson,
  "SubjectService/ListSubjectSessions": () => ({ ...ofPerson(), pageSize: 200 }),
  "AssessmentService/GetPublishedAssessment": () => ({ product }),
  "NormService/GetNorms": () => ({ product }),
  "GroupService/CreateGroup": () => ({ product, label: text.slice(0, 80) }),
  "GroupService/ListGroups": () => ({ product, pageSize: 100 }),
  "GroupService/GetGroup": ofGroup,
  "GroupService/CloseGroup": ofClosedGroup,
  "GroupService/GetGroupNumbers": ofClosedGroup,
  "GroupService/GetTeamReport": ofClosedGroup,
  "GroupService/RenderTeamReport": (stage) => ({ ...ofClosedGroup(stage), format: "REPORT_FORMAT_PDF" }),
  "GroupService/CreateJoinCode": (stage) => ({ ...ofGroup(stage), ...joinTerms }),
  "GroupService/RevokeJoinCode": ofGroup,
  "EventService/ListEvents": () => ({ pageSize: 500, includeExternalId: true }),
  "WebhookService/GetWebhookEndpoint": ofEndpoint,
  "WebhookService/ListWebhookEndpoints": () => ({}),
  "WebhookService/UpdateWebhookEndpoint": ({ endpointId, receiverUrl }) => ({
    ...{ endpointId, url: `${receiverUrl}/${crypto.randomUUID()}`, description: text },
  }),
  "WebhookService/RotateWebhookSecret": ofEndpoint,
  "WebhookService/TestWebhookEndpoint": ofEndpoint,
  "WebhookService/ListWebhookAttempts": (stage) => ({ ...ofEndpoint(stage), pageSize: 500 }),
  "WebhookService/ListParkedEvents": (stage) => ({ ...ofEndpoint(stage), pageSize: 500 }),
  "WebhookService/RedeliverEvents": (stage) => ({
    ...{ ...ofEndpoint(stage), eventIds: stage.eventIds },
  }),
  "AuditService/ListAuditRecords": () => ({ pageSize: 500 }),
  "ExportService/ExportSessions": () => ({ product, pageSize: 200 }),
  "ExportService/ExportSubject": ofPerson,
  "ExportService/GetCodebook": () => ({ product }),
};

/** With another caller than a client of the partner. */
const byOthers: Readonly<Record<string, (stage: Stage) => { readonly message: Message; readonly token: string }>> = {
  "SandboxService/GetTestClock": ({ twinToken }) => ({ message: {}, token: twinToken }),
  "SandboxService/SetTestClock": ({ twinToken }) => ({
    ...{ message: { now: new Date(Date.now() + 60_000).toISOString() }, token: twinToken },
  }),
  "TokenService/IssueToken": ({ credentials }) => ({ message: { ...credentials }, token: "" }),
  "TokenService/RevokeToken": ({ credentials }) => ({ message: { ...credentials, token: text }, token: "" }),
  "TokenService/GetPublicKeys": () => ({ message: {}, token: "" }),
  "HostedService/ExchangeLink": ({ opened: { linkToken } }) => ({ message: { linkToken }, token: "" }),
  "HostedService/OpenJoinCode": ({ joinCode: code }) => ({ message: { code, languages: ["de", "en"] }, token: "" }),
  "HostedService/GetHostedSession": ({ open }) => asPerson(open, { languages: ["de", "en"] }),
  "HostedService/SaveHostedAnswers": ({ open, answers }) => asPerson(open, { answers }),
  "HostedService/FinishHostedSession": ({ finished }) => asPerson(finished),
  "HostedService/ContinueHostedSession": ({ finishedShort }) => asPerson(finishedShort),
  "HostedService/OpenOwnReport": ({ finished }) => asPerson(finished),
  "ReportService/ExchangeReportLink": ({ report: { linkToken } }) => ({ message: { linkToken }, token: "" }),
  "ReportService/RenderOwnReport": ({ sessionId, report: { token } }) => ({
    ...{ message: { sessionId, format: "REPORT_FORMAT_PDF" }, token },
  }),
  "ReportService/SetOwnIntention": ({ sessionId, report: { token } }) => ({
    ...{ message: { sessionId, step: text.slice(0, 200) }, token },
  }),
  "ReportService/ShareOwnCard": ({ sessionId, report: { token } }) => ({
    ...{ message: { sessionId, shared: true }, token },
  }),
  "ReportService/OpenCard": ({ report: { cardToken } }) => ({ message: { cardToken, picture: true }, token: "" }),
};

function asPerson({ sessionId, token }: Hosted, message: Message = {}) {
  return { message: { sessionId, ...message }, token };
}

const makeAndDeleteEndpoint: Expensive = async ({ call, receiverUrl }) => {
  const { endpoint } = await call("WebhookService/CreateWebhookEndpoint", newEndpoint(receiverUrl));
  await call("WebhookService/DeleteWebhookEndpoint", { endpointId: endpoint.endpointId });
};
const replay: Expensive = async ({ call, endpointId }) => {
  await call("WebhookService/ReplayEvents", { endpointId });
  await call("WebhookService/CancelReplay", { endpointId });
};

/** With what they use up made before. */
const usingUp: Readonly<Record<string, Expensive>> = {
  "SessionService/CompleteSession": complete,
  "SessionService/CancelSession": async ({ call }) => {
    const { sessionId } = await call("SessionService/CreateSession", { product, mode });
    await call("SessionService/CancelSession", { product, sessionId });
  },
  "SandboxService/AutofillSession": async ({ call, twinToken }) => {
    const { sessionId } = await call("SessionService/CreateSession", { product, mode }, twinToken);
    await call("SandboxService/AutofillSession", { product, sessionId, persona: "archetype-1" }, twinToken);
  },
  "SubjectService/EraseSubject": async (stage) => {
    const externalId = crypto.randomUUID();
    await complete(stage, { externalId });
    await stage.call("SubjectService/EraseSubject", { product, externalId });
  },
  "HostedService/JoinGroup": async ({ call }) => {
    const code = await newJoinCode(call);
    await call("HostedService/JoinGroup", { code, browserToken: "b".repeat(43), locale: "de" }, "");
  },
  "WebhookService/CreateWebhookEndpoint": makeAndDeleteEndpoint,
  "WebhookService/DeleteWebhookEndpoint": makeAndDeleteEndpoint,
  "WebhookService/ReplayEvents": replay,
  "WebhookService/CancelReplay": replay,
};

/** The code of a new group. */
async function newJoinCode(call: Call): Promise<string> {
  const { group } = await call("GroupService/CreateGroup", { product, label: "joined" });
  return (await call("GroupService/CreateJoinCode", { product, groupId: group.groupId, ...joinTerms })).code;
}

async function complete({ call, answers }: Pick<Stage, "call" | "answers">, subject?: Message, groupId?: string) {
  const { sessionId } = await call("SessionService/CreateSession", { product, mode, subject, groupId });
  await call("SessionService/CompleteSession", { product, sessionId, answers });
  return sessionId as string;
}

function newEndpoint(receiverUrl: string) {
  const url = `${receiverUrl}/${crypto.randomUUID()}`;
  return { url, types: eventTypes, description: text, includeExternalId: true };
}

/** By the name of the rpc. */
export const expensiveCalls: Readonly<Record<string, Expensive>> = {
  ...Object.fromEntries(
    Object.entries(messages).map(([name, message]) => [name, (stage: Stage) => stage.call(name, message(stage))]),
  ),
  ...Object.fromEntries(
    Object.entries(byOthers).map(([name, row]) => [
      name,
      (stage: Stage) => {
        const { message, token } = row(stage);
        return stage.call(name, message, token);
      },
    ]),
  ),
  ...usingUp,
};

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

/** Makes what the busy partner has: completed sessions in two groups and of one person, 200 each, hosted ones, and so on. */
export async function prepareBusyPartner({ httpUrl, credentials, tokens, twinToken }: Busy): Promise<Stage> {
  const call = callerOf(httpUrl, tokens[0] ?? "");
  const idsOf = async (form?: string): Promise<number[]> => {
    const { assessment } = await call("AssessmentService/GetPublishedAssessment", { product, form });
    return assessment.questions.map(({ id }: { id: number }) => id);
  };
  const questionIds = await idsOf();
  const answers = questionIds.map((id) => answerTo(id));
  // Copies of one sheet give a group no numbers: each person rates another statement highest.
  const answersOf = (person: number) =>
    questionIds.map((id, index) => answerTo(id, index === person % questionIds.length ? 7 : undefined));
  const newGroup = async () => (await call("GroupService/CreateGroup", { product, label: "group" })).group.groupId;
  const [groupId, closedGroupId] = [await newGroup(), await newGroup()];
  let [sessionId, sharedId] = ["", ""];
  const eventIds: string[] = [];
  for (let count = 0; count < 200; count += 1) {
    sharedId = sessionId;
    const subject = { externalId: count < 20 ? "person" : `person ${count}` };
    sessionId = await complete({ call, answers: answersOf(count) }, subject, count % 2 === 0 ? groupId : closedGroupId);
    if (count < 100) eventIds.push(`evt_${sessionId.replaceAll("-", "")}_completed`);
    if (count >= 20) await complete({ call, answers: answersOf(count) }, { externalId: "person" });
  }
  await call("GroupService/CloseGroup", { product, groupId: closedGroupId });
  await call("ReportService/SetIntention", { product, sessionId: sharedId, step: text.slice(0, 200) });
  const [finished, open] = [await newHosted(call), await newHosted(call)];
  const [opened, relinked] = [await newHosted(call), await newHosted(call)];
  await call("SessionService/CompleteSession", { product, sessionId: finished.sessionId, answers });
  const finishedShort = await newHosted(call, shortForm);
  const shortAnswers = (await idsOf(shortForm)).map((id) => answerTo(id));
  await call("SessionService/CompleteSession", { product, sessionId: finishedShort.sessionId, answers: shortAnswers });
  const newReportLink = async (of: string) =>
    tailOf((await call("ReportService/CreateReportLink", { product, sessionId: of })).reportUrl);
  const { browserSessionToken } = await call(
    "ReportService/ExchangeReportLink",
    { linkToken: await newReportLink(sessionId) },
    "",
  );
  // Of another session: each exchange opens a browser session, and the oldest of a session make room.
  const linkToken = await newReportLink(finished.sessionId);
  const receiver = createServer((_request, response) => response.writeHead(204).end());
  const receiverUrl = `http://127.0.0.1:${await listenOnLoopback(receiver)}`;
  const { endpoint } = await call("WebhookService/CreateWebhookEndpoint", newEndpoint(receiverUrl));
  return {
    ...{ call, credentials, twinToken, sessionId, sharedId, groupId, closedGroupId, receiverUrl, answers, eventIds },
    ...{ finished, finishedShort, open, opened, relinked },
    joinCode: await newJoinCode(call),
    endpointId: endpoint.endpointId,
    report: { linkToken, token: browserSessionToken, cardToken: await newCard(call, sessionId, browserSessionToken) },
  };
}

async function newCard(call: Call, sessionId: string, token: string): Promise<string> {
  await call("ReportService/ShareOwnCard", { sessionId, shared: true }, token);
  const { body } = await call("ReportService/RenderOwnReport", { sessionId, cardPath: "/card" }, token);
  return /pas_rc_\w+/.exec(Buffer.from(body, "base64").toString())?.[0] ?? "";
}

async function newHosted(call: Call, form?: string): Promise<Hosted> {
  const personAccess = "PERSON_ACCESS_AFTER_COMPLETION";
  const where = { redirectUrl: "https://partner.example/", personAccess };
  const asked = { product, mode: "SESSION_MODE_HOSTED", ...where, form };
  const { sessionId, hosted } = await call("SessionService/CreateSession", asked);
  const linkToken = tailOf(hosted.hostedUrl);
  const { browserSessionToken } = await call("HostedService/ExchangeLink", { linkToken }, "");
  return { sessionId, linkToken, token: browserSessionToken };
}

function tailOf(url: string): string {
  return url.slice(url.lastIndexOf("/") + 1);
}

export function answerTo(questionId: number, value = 1 + (questionId % 5)) {
  return { questionId, response: { type: "QUESTION_TYPE_LIKERT", value } };
}
