// One client for each transport, all with the same calls and the same outcomes: what the contract says of one, it says
// of all. What a call asks and what it is answered has the shape of the REST interface, which the protos state.
import type { Message } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { findOperation, type Operation } from "../../../src/gateway/rest/operations.ts";
import type { AssessmentSchema } from "../../../src/gen/assessment/v1/assessment_pb.ts";
import type {
  AuditRecord,
  ListAuditRecordsRequest,
  ListAuditRecordsResponse,
} from "../../../src/gen/assessment/v1/audit_service_pb.ts";
import type { Event, ListEventsRequest, ListEventsResponse } from "../../../src/gen/assessment/v1/event_service_pb.ts";
import type {
  ExportSessionsResponse,
  ExportSubjectResponse,
  GetCodebookRequest,
  GetCodebookResponse,
} from "../../../src/gen/assessment/v1/export_service_pb.ts";
import type { GetGroupNumbersResponse, Group, GroupService } from "../../../src/gen/assessment/v1/group_service_pb.ts";
import type { GetNormsResponse } from "../../../src/gen/assessment/v1/norm_service_pb.ts";
import type { Report } from "../../../src/gen/assessment/v1/report_pb.ts";
import type {
  CreateReportLinkRequest,
  CreateReportLinkResponse,
  Intention,
  RenderReportResponse,
} from "../../../src/gen/assessment/v1/report_service_pb.ts";
import type { ValuesBridgeResults } from "../../../src/gen/assessment/v1/results_pb.ts";
import type { TestClock } from "../../../src/gen/assessment/v1/sandbox_service_pb.ts";
import type {
  CompleteSessionResponse,
  CreateSessionLinkResponse,
  CreateSessionRequest,
  CreateSessionResponse,
  GetSessionResultsResponse,
  HostedSession,
  ListSessionsRequest,
  ListSessionsResponse,
  RecordAnswersResponse,
  Session,
} from "../../../src/gen/assessment/v1/session_service_pb.ts";
import type {
  GetChangeResponse,
  GetLatestResultsResponse,
  ListSubjectSessionsResponse,
} from "../../../src/gen/assessment/v1/subject_service_pb.ts";
import type { TeamReport } from "../../../src/gen/assessment/v1/team_report_pb.ts";
import type { WebhookEndpoint, WebhookService } from "../../../src/gen/assessment/v1/webhook_service_pb.ts";
import type { ResultsExplanation } from "../../../src/products/values-bridge/messages/explained-results.ts";

/** A violation in a request: a JSON pointer into the REST body, and its code. */
export interface Fault {
  readonly pointer: string;
  readonly code: string;
}

export interface Refusal {
  readonly ok: false;
  /** A code of the error table. */
  readonly code: string;
  readonly detail: string;
  readonly faults: readonly Fault[];
  readonly retryAfterSeconds: number | undefined;
  /** Facts for programs beside the code, such as `oldest`. */
  readonly facts?: Readonly<Record<string, string>>;
  readonly replayed?: never;
  readonly unused?: never;
}

export interface Success<T> {
  readonly ok: true;
  /** In the shape of the REST interface. */
  readonly body: T;
  /** Whether it was the answer to an earlier request of the same idempotency key. */
  readonly replayed?: boolean;
  /** Pointers to members that were allowed and not used, with commas between. */
  readonly unused?: string;
}

export type Outcome<T> = Success<T> | Refusal;

/** A message in the JSON of the interface. Of what may be absent, only scalars are typed so: null, also where REST leaves them out. */
export type JsonOf<T> = T extends Timestamp | bigint
  ? string
  : T extends number
    ? // Enums are words.
      `${number}` extends `${T}`
      ? number
      : string
    : T extends readonly (infer Item)[]
      ? JsonOf<Item>[]
      : T extends Message
        ? { readonly [K in Exclude<keyof T, keyof Message>]-?: Member<T[K]> }
        : T;

type Member<T> = undefined extends T
  ? JsonOf<NonNullable<T>> | (NonNullable<T> extends Message ? never : null)
  : JsonOf<T>;

/** What a request says beside its address. */
type InputOf<R extends Message> = Partial<Omit<JsonOf<R>, "product" | "pageSize">> & { readonly limit?: number };

export interface AnswerInput {
  readonly questionId: number;
  readonly response: { readonly type: string; readonly value: number };
}

export type CreateInput = Omit<InputOf<CreateSessionRequest>, "subject" | "metadata"> & {
  readonly subject?: { readonly externalId?: string };
  readonly metadata?: Readonly<Record<string, unknown>>;
};

export type AssessmentBody = JsonOf<AssessmentSchema>;
export type CreatedBody = Omit<JsonOf<CreateSessionResponse>, "variant" | "replayed" | "unused"> & {
  readonly assessment?: AssessmentBody;
} & Partial<JsonOf<HostedSession>>;
export type ResultsBody = JsonOf<ValuesBridgeResults>;
export type StatusBody = JsonOf<Session>;

/** What scoring gives, whether it explains the results beside it, and what a report tells of the archetype. */
export type ExplanationBody = ResultsExplanation;

export type SessionResultsBody = Omit<JsonOf<GetSessionResultsResponse>, "explanation"> & {
  readonly explanation?: ExplanationBody;
};

export type SessionPageBody = JsonOf<ListSessionsResponse>;
export type SessionListInput = InputOf<ListSessionsRequest>;

/** What the interface has in an object of its own. */
interface WithSubject {
  readonly subject: { readonly externalId: string };
}

export type NormsBody = JsonOf<GetNormsResponse>;
export type ChangeBody = JsonOf<GetChangeResponse> & WithSubject;

/** The session of a report, or the person whose session was completed last. */
export type ReportTarget = { readonly sessionId: string } | { readonly externalId: string };

export interface ReportInput {
  readonly locale?: string;
  readonly languages?: readonly string[];
  readonly format?: string;
  readonly picture?: string;
  readonly paper?: string;
  readonly knownEntityTag?: string;
  readonly name?: string;
  readonly date?: string;
  readonly timeZone?: string;
}

export type ReportBody = JsonOf<Report>;
export type TeamReportBody = JsonOf<TeamReport>;
export type RenderedBody = Omit<RenderReportResponse, keyof Message | "body"> & { readonly body: Buffer };

/** Who calls; no token at all where it is undefined. */
export interface As {
  readonly token: string | undefined;
  /** The partner to act for. */
  readonly partnerId?: string;
  readonly idempotencyKey?: string;
  /** Another product than values-bridge. */
  readonly product?: string;
}

export type EventsInput = Omit<InputOf<ListEventsRequest>, "waitSeconds"> & { readonly wait?: number };
export type EventBody = JsonOf<Event>;
export type WebhookEndpointBody = JsonOf<WebhookEndpoint>;

export interface ExportInput {
  readonly after?: string;
  readonly include?: "answers" | "results" | "both";
  readonly version?: number;
  readonly groupId?: string;
}

export type CodebookBody = JsonOf<GetCodebookResponse>;
export type AuditInput = InputOf<ListAuditRecordsRequest>;
export type AuditRecordBody = JsonOf<AuditRecord>;
export type TestClockBody = JsonOf<TestClock>;
export type GroupBody = JsonOf<Group>;
export type GroupNumbersBody = JsonOf<GetGroupNumbersResponse>;

export type GroupCall = Exclude<keyof typeof GroupService.method, "getTeamReport" | "renderTeamReport">;
export type WebhookCall = keyof typeof WebhookService.method;
export type TransportName = "rest" | "grpc" | "connect";

/** Members of the path, the query and the body by their names; those of a query by the names of their parameters. */
export type Input = Readonly<Record<string, unknown>>;

/** How calls reach the service. */
export interface Wire {
  readonly name: TransportName;
  call(as: As, operation: Operation, input: Input): Promise<Outcome<unknown>>;
  /** The bytes of a report. */
  render(as: As, operation: Operation, input: Input): Promise<Outcome<RenderedBody>>;
  /** The model of a report. */
  report(as: As, operation: Operation, input: Input): Promise<Outcome<unknown>>;
  close(): void;
}

/** The calls by their names. */
export class Transport {
  readonly #wire: Wire;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  get name(): TransportName {
    return this.#wire.name;
  }

  /** Calls an operation of the interface. */
  async call<T>(as: As, id: string, input: Input = {}): Promise<Outcome<T>> {
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    return (await this.#wire.call(as, findOperation(id), given)) as Outcome<T>;
  }

  createSession(as: As, input: CreateInput) {
    return this.call<CreatedBody>(as, "createSession", input);
  }

  getSession(as: As, sessionId: string, input?: { readonly includeProgress?: boolean }) {
    return this.call<StatusBody>(as, "getSession", { sessionId, ...input });
  }

  listSessions(as: As, input?: SessionListInput) {
    return this.call<SessionPageBody>(as, "listSessions", input);
  }

  listSubjectSessions(as: As, externalId: string, input?: { readonly limit?: number; readonly after?: string }) {
    return this.call<JsonOf<ListSubjectSessionsResponse> & WithSubject>(as, "listSubjectSessions", {
      externalId,
      ...input,
    });
  }

  recordAnswers(as: As, sessionId: string, answers: readonly AnswerInput[]) {
    return this.call<JsonOf<RecordAnswersResponse>>(as, "recordAnswers", { sessionId, answers });
  }

  completeSession(
    as: As,
    sessionId: string,
    answers?: readonly AnswerInput[],
    input?: { readonly requireAnswered?: boolean },
  ) {
    return this.call<JsonOf<CompleteSessionResponse>>(as, "completeSession", { sessionId, answers, ...input });
  }

  cancelSession(as: As, sessionId: string, input?: { readonly eraseAnswers?: boolean }) {
    return this.call<StatusBody>(as, "cancelSession", { sessionId, ...input });
  }

  createSessionLink(as: As, sessionId: string, input?: { readonly linkExpiresAt?: string }) {
    return this.call<JsonOf<CreateSessionLinkResponse>>(as, "createSessionLink", { sessionId, ...input });
  }

  reopenSession(as: As, sessionId: string, input?: { readonly expiresAt?: string }) {
    return this.call<StatusBody>(as, "reopenSession", { sessionId, ...input });
  }

  getSessionResults(as: As, sessionId: string, explain?: boolean) {
    return this.call<SessionResultsBody>(as, "getSessionResults", { sessionId, explain });
  }

  getLatestResults(as: As, externalId: string) {
    return this.call<JsonOf<GetLatestResultsResponse> & WithSubject>(as, "getLatestResults", { externalId });
  }

  /** Results of a session, or the latest ones of a person, with their names. */
  getNames(as: As, of: { readonly sessionId: string } | { readonly externalId: string }, locale?: string) {
    const operation = "sessionId" in of ? "getSessionResults" : "getLatestResults";
    return this.call<SessionResultsBody>(as, operation, { ...of, includeNames: true, locale });
  }

  /** The results of a session with their quality. */
  getQuality(as: As, sessionId: string) {
    return this.call<SessionResultsBody>(as, "getSessionResults", { sessionId, quality: true });
  }

  /** The latest results of a person with their quality. */
  getLatestQuality(as: As, externalId: string) {
    return this.call<JsonOf<GetLatestResultsResponse>>(as, "getLatestResults", { externalId, quality: true });
  }

  getChange(as: As, externalId: string, between?: { readonly from?: string; readonly to?: string }) {
    return this.call<ChangeBody>(as, "getChange", { externalId, ...between });
  }

  getNorms(as: As, of?: { readonly language?: string; readonly version?: number; readonly form?: string }) {
    return this.call<NormsBody>(as, "getNorms", of);
  }

  /** The report model. */
  async getReport(as: As, target: ReportTarget, input?: ReportInput) {
    return (await this.#wire.report(as, reportOf(target), { ...idOf(target), ...input })) as Outcome<ReportBody>;
  }

  renderReport(as: As, target: ReportTarget, input?: ReportInput) {
    return this.#wire.render(as, reportOf(target), { ...idOf(target), ...input });
  }

  /** The report model of a group, whose id is a member. */
  async getTeamReport(as: As, groupId: string, input?: ReportInput) {
    const operation = findOperation("getTeamReport");
    return (await this.#wire.report(as, operation, { groupId, ...input })) as Outcome<TeamReportBody>;
  }

  renderTeamReport(as: As, groupId: string, input?: ReportInput) {
    return this.#wire.render(as, findOperation("getTeamReport"), { groupId, ...input });
  }

  createReportLink(as: As, sessionId: string, input?: InputOf<CreateReportLinkRequest>) {
    return this.call<JsonOf<CreateReportLinkResponse>>(as, "createReportLink", { sessionId, ...input });
  }

  revokeReportLinks(as: As, sessionId: string) {
    return this.call(as, "revokeReportLinks", { sessionId });
  }

  setIntention(as: As, sessionId: string, input: { readonly step: string; readonly lookAgainOn?: string }) {
    return this.call<JsonOf<Intention>>(as, "setIntention", { sessionId, ...input });
  }

  getIntention(as: As, sessionId: string) {
    return this.call<JsonOf<Intention>>(as, "getIntention", { sessionId });
  }

  eraseSubject(as: As, externalId: string) {
    return this.call(as, "eraseSubject", { externalId });
  }

  getAssessment(as: As, version?: number, locale?: string) {
    return this.call<AssessmentBody>(as, "getPublishedAssessment", { version, locale });
  }

  listEvents(as: As, query: EventsInput) {
    return this.call<JsonOf<ListEventsResponse>>(as, "listEvents", query);
  }

  exportSessions(as: As, { include, ...query }: ExportInput) {
    // Messages have both parts unless one is asked to be left out.
    const without = { withoutAnswers: include === "results", withoutResults: include === "answers" };
    return this.call<JsonOf<ExportSessionsResponse>>(as, "exportSessions", { include, ...query, ...without });
  }

  exportSubject(as: As, externalId: string, query?: { readonly after?: string }) {
    return this.call<JsonOf<ExportSubjectResponse>>(as, "exportSubject", { externalId, ...query });
  }

  getCodebook(as: As, query: InputOf<GetCodebookRequest> = {}) {
    return this.call<CodebookBody>(as, "getCodebook", query);
  }

  listAuditRecords(as: As, query: AuditInput) {
    return this.call<JsonOf<ListAuditRecordsResponse>>(as, "listAuditRecords", query);
  }

  autofillSession(as: As, sessionId: string, persona: string) {
    return this.call<JsonOf<RecordAnswersResponse>>(as, "autofillSession", { sessionId, persona });
  }

  getTestClock(as: As) {
    return this.call<TestClockBody>(as, "getTestClock");
  }

  /** @param now RFC 3339; without it the time of everybody */
  setTestClock(as: As, now?: string) {
    return this.call<TestClockBody>(as, "setTestClock", { now });
  }

  /** A call of a webhook endpoint. */
  webhooks<T = WebhookEndpointBody>(as: As, call: WebhookCall, input?: Input) {
    return this.call<T>(as, call, input);
  }

  /** A call of a group. */
  groups<T = GroupBody>(as: As, call: GroupCall, input?: Input) {
    return this.call<T>(as, call, input);
  }

  close(): void {
    this.#wire.close();
  }
}

/** The id alone, of a target that may be a whole session. */
function idOf(target: ReportTarget): ReportTarget {
  return "sessionId" in target ? { sessionId: target.sessionId } : { externalId: target.externalId };
}

function reportOf(target: ReportTarget): Operation {
  return findOperation("sessionId" in target ? "getSessionReport" : "getSubjectReport");
}
