// One client for each transport, all with the same calls and the same outcomes: what the contract says of one, it says
// of all. What a call asks and what it is answered has the shape of the REST interface, which the protos state.
import type { Message, MessageShape } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { findOperation, type Operation } from "../../../src/gateway/rest/operations.ts";
import type { AssessmentSchema } from "../../../src/gen/assessment/v1/assessment_pb.ts";
import type { AssessmentService } from "../../../src/gen/assessment/v1/assessment_service_pb.ts";
import type { AuditRecord, AuditService } from "../../../src/gen/assessment/v1/audit_service_pb.ts";
import type { Event, EventService } from "../../../src/gen/assessment/v1/event_service_pb.ts";
import type { ExportService } from "../../../src/gen/assessment/v1/export_service_pb.ts";
import type { GetGroupNumbersResponse, Group, GroupService } from "../../../src/gen/assessment/v1/group_service_pb.ts";
import type { NormService } from "../../../src/gen/assessment/v1/norm_service_pb.ts";
import type { Report } from "../../../src/gen/assessment/v1/report_pb.ts";
import type { RenderReportResponse, ReportService } from "../../../src/gen/assessment/v1/report_service_pb.ts";
import type { ValuesBridgeResults } from "../../../src/gen/assessment/v1/results_pb.ts";
import type { SandboxService } from "../../../src/gen/assessment/v1/sandbox_service_pb.ts";
import type {
  CreateSessionRequest,
  CreateSessionResponse,
  GetSessionResultsResponse,
  HostedSession,
  ListSessionsRequest,
  ListSessionsResponse,
  SessionService,
} from "../../../src/gen/assessment/v1/session_service_pb.ts";
import type { SubjectService } from "../../../src/gen/assessment/v1/subject_service_pb.ts";
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

type Methods = typeof AssessmentService.method &
  typeof AuditService.method &
  typeof EventService.method &
  typeof ExportService.method &
  typeof NormService.method &
  typeof ReportService.method &
  typeof SandboxService.method &
  typeof SessionService.method &
  typeof SubjectService.method;
type Rpc = keyof Methods;
type InputTo<R extends Rpc> = InputOf<MessageShape<Methods[R]["input"]>>;

/** The body of a response: its message, or the one message that this consists of. */
type BodyOf<R extends Rpc> = JsonOf<OnlyMessage<MessageShape<Methods[R]["output"]>>>;
type OnlyMessage<T> = T[Exclude<keyof T, keyof Message>] extends infer M | undefined
  ? [M] extends [Message]
    ? [M] extends [Timestamp]
      ? T
      : M
    : T
  : never;

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

export type EventsInput = Omit<InputTo<"listEvents">, "waitSeconds"> & { readonly wait?: number };
export type EventBody = JsonOf<Event>;
export type WebhookEndpointBody = JsonOf<WebhookEndpoint>;

export interface ExportInput {
  readonly after?: string;
  readonly include?: "answers" | "results" | "both";
  readonly version?: number;
  readonly groupId?: string;
}

export type AuditInput = InputTo<"listAuditRecords">;
export type AuditRecordBody = JsonOf<AuditRecord>;
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

  /** Calls of an operation on a session. */
  #onSession<R extends Rpc, Body = BodyOf<R>>(id: R) {
    return (as: As, sessionId: string, input?: InputTo<R>) => this.call<Body>(as, id, { sessionId, ...input });
  }

  /** Calls of an operation on a person, whom the body has in an object of its own. */
  #ofPerson<R extends Rpc>(id: R) {
    return (as: As, externalId: string, input?: InputTo<R>) =>
      this.call<BodyOf<R> & WithSubject>(as, id, { externalId, ...input });
  }

  /** Calls of an operation that is about nothing in particular. */
  #inGeneral<R extends Rpc, Body = BodyOf<R>, Asked extends Input = InputTo<R>>(id: R) {
    return (as: As, input?: Asked) => this.call<Body>(as, id, input);
  }

  readonly createSession = this.#inGeneral<"createSession", CreatedBody, CreateInput>("createSession");
  readonly getSession = this.#onSession("getSession");
  readonly listSessions = this.#inGeneral("listSessions");
  readonly cancelSession = this.#onSession("cancelSession");
  readonly createSessionLink = this.#onSession("createSessionLink");
  readonly reopenSession = this.#onSession("reopenSession");
  readonly createReportLink = this.#onSession("createReportLink");
  readonly revokeReportLinks = this.#onSession("revokeReportLinks");
  readonly setIntention = this.#onSession("setIntention");
  readonly getIntention = this.#onSession("getIntention");
  readonly listSubjectSessions = this.#ofPerson("listSubjectSessions");
  readonly getLatestResults = this.#ofPerson("getLatestResults");
  readonly getChange = this.#ofPerson("getChange");
  readonly eraseSubject = this.#ofPerson("eraseSubject");
  readonly exportSubject = this.#ofPerson("exportSubject");
  readonly getNorms = this.#inGeneral("getNorms");
  readonly listEvents = this.#inGeneral<"listEvents", BodyOf<"listEvents">, EventsInput>("listEvents");
  readonly getCodebook = this.#inGeneral("getCodebook");
  readonly listAuditRecords = this.#inGeneral("listAuditRecords");
  readonly getTestClock = this.#inGeneral("getTestClock");

  recordAnswers(as: As, sessionId: string, answers: readonly AnswerInput[]) {
    return this.call<BodyOf<"recordAnswers">>(as, "recordAnswers", { sessionId, answers });
  }

  completeSession(
    as: As,
    sessionId: string,
    answers?: readonly AnswerInput[],
    input?: { readonly requireAnswered?: boolean },
  ) {
    return this.call<BodyOf<"completeSession">>(as, "completeSession", { sessionId, answers, ...input });
  }

  getSessionResults(as: As, sessionId: string, explain?: boolean) {
    return this.call<SessionResultsBody>(as, "getSessionResults", { sessionId, explain });
  }

  /** Results of a session, or the latest ones of a person, with their names. */
  getNames(as: As, of: ReportTarget, locale?: string) {
    const operation = "sessionId" in of ? "getSessionResults" : "getLatestResults";
    return this.call<SessionResultsBody>(as, operation, { ...of, includeNames: true, locale });
  }

  /** The results of a session with their quality. */
  getQuality(as: As, sessionId: string) {
    return this.call<SessionResultsBody>(as, "getSessionResults", { sessionId, quality: true });
  }

  /** The latest results of a person with their quality. */
  getLatestQuality(as: As, externalId: string) {
    return this.getLatestResults(as, externalId, { quality: true });
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

  getAssessment(as: As, version?: number, locale?: string) {
    return this.call<AssessmentBody>(as, "getPublishedAssessment", { version, locale });
  }

  exportSessions(as: As, { include, ...query }: ExportInput) {
    // Messages have both parts unless one is asked to be left out.
    const without = { withoutAnswers: include === "results", withoutResults: include === "answers" };
    return this.call<BodyOf<"exportSessions">>(as, "exportSessions", { include, ...query, ...without });
  }

  autofillSession(as: As, sessionId: string, persona: string) {
    return this.call<BodyOf<"autofillSession">>(as, "autofillSession", { sessionId, persona });
  }

  /** @param now RFC 3339; without it the time of everybody */
  setTestClock(as: As, now?: string) {
    return this.call<BodyOf<"setTestClock">>(as, "setTestClock", { now });
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
