// One client for each transport, all with the same calls and the same outcomes: what the contract says of one, it says
// of all.
import type { Explanation } from "../../../src/products/values-bridge/scoring/explanation.ts";
import type { GroupBody, GroupCall, GroupInput } from "../groups/group-calls.ts";
import type { WebhookCall, WebhookInput } from "../webhooks/webhook-calls.ts";

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
}

export interface Success<T> {
  readonly ok: true;
  /** In the shape of the REST interface. */
  readonly body: T;
}

export type Outcome<T> = Success<T> | Refusal;

export interface AnswerInput {
  readonly questionId: number;
  readonly response: { readonly type: string; readonly value: number };
}

export interface CreateInput {
  readonly subject?: { readonly externalId?: string };
  readonly mode?: "headless" | "hosted";
  readonly redirectUrl?: string;
  readonly metadata?: Record<string, unknown>;
  readonly locale?: string;
  readonly personAccess?: "none" | "after_completion";
  readonly expiresAt?: string;
  readonly groupId?: string;
  readonly linkExpiresAt?: string;
}

export interface ConfigBody {
  readonly valueId: number;
  readonly valueName: string;
  readonly lifeContext: string;
  readonly inverse: boolean;
  readonly omegaWeight: number;
}

export interface QuestionBody {
  readonly id: number;
  readonly prompt: string;
  readonly type: string;
  readonly group: string;
  readonly position: number;
  readonly required: boolean;
  readonly likertConfig: { readonly min: number; readonly max: number } | null;
  readonly choices: readonly { readonly id: number; readonly label: string }[];
  readonly valuesBridgeConfig: ConfigBody | null;
}

export interface AssessmentBody {
  readonly product: string;
  readonly assessmentId: number;
  readonly version: number;
  readonly questions: readonly QuestionBody[];
}

export interface CreatedBody {
  readonly sessionId: string;
  readonly mode: string;
  readonly subject: { readonly id: string; readonly externalId: string; readonly anonymous: boolean };
  readonly assessment?: AssessmentBody;
  readonly hostedUrl?: string;
  readonly expiresAt?: string;
}

export interface ResultsBody {
  readonly overall: Readonly<Record<string, number | null>>;
  readonly values: readonly Readonly<Record<string, number | string | null>>[];
  readonly pairings: readonly Readonly<Record<string, number | null>>[];
}

/** What scoring gives, and whether it explains the results beside it. */
export interface ExplanationBody extends Explanation {
  readonly explainsResults: boolean;
}

export interface SessionResultsBody {
  readonly sessionId: string;
  readonly results: ResultsBody;
  readonly explanation?: ExplanationBody;
}

export interface StatusBody {
  readonly sessionId: string;
  readonly product: string;
  readonly status: string;
  readonly createdAt: string;
  readonly completedAt: string | null;
  readonly cancelledAt?: string;
  readonly expiresAt?: string;
  readonly answersDeletedAt?: string;
  readonly resultsDeletedAt?: string;
  readonly groupId?: string;
  readonly progress?: ProgressBody & { readonly subject: CreatedBody["subject"]; readonly mode: string };
}

export interface SessionListInput {
  readonly limit?: number;
  readonly after?: string;
  readonly status?: string;
  readonly mode?: string;
  readonly externalId?: string;
  readonly version?: number;
  readonly groupId?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly completedAfter?: string;
  readonly completedBefore?: string;
  readonly progress?: string;
  readonly lastActivityBefore?: string;
}

/** How much of a session is answered. */
export interface ProgressBody {
  readonly answered: number | null;
  readonly total: number;
  readonly lastActivityAt: string | null;
}

interface ListedBody {
  readonly sessionId: string;
  readonly status: string;
  readonly mode: string;
  readonly assessmentVersion: number;
  readonly createdAt: string;
  readonly completedAt: string | null;
  readonly cancelledAt: string | null;
  readonly expiresAt: string | null;
  readonly answersDeletedAt: string | null;
  readonly resultsDeletedAt: string | null;
  readonly progress: ProgressBody;
}

export interface SessionSummaryBody extends ListedBody {
  readonly groupId?: string;
  readonly product: string;
  readonly subject: { readonly id: string; readonly externalId: string; readonly anonymous: boolean };
}

export interface SubjectSessionBody extends ListedBody {
  readonly totals: ResultsBody["overall"] | null;
}

export interface SessionPageBody {
  readonly sessions: readonly SessionSummaryBody[];
  readonly next: string | null;
}

export interface SubjectSessionPageBody {
  readonly subject: { readonly externalId: string };
  readonly sessions: readonly SubjectSessionBody[];
  readonly next: string | null;
}

export interface ChangeBody {
  readonly subject: { readonly externalId: string };
  readonly from: { readonly sessionId: string };
  readonly to: { readonly sessionId: string };
  readonly change: Readonly<Record<string, unknown>>;
}

export interface NormsBody {
  readonly product: string;
  readonly version: number;
  readonly language: string;
  readonly translationState: string | null;
  readonly partner: Readonly<Record<string, unknown>>;
  readonly pooled: Readonly<Record<string, unknown>>;
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

/** What the cases read of a report model. */
export interface ReportBody {
  readonly language: string;
  readonly sessionId: string | null;
  readonly introduction: string;
  readonly cover?: { readonly name?: string | null; readonly date?: string | null } | null;
  readonly change?: { readonly entries: readonly object[] } | null;
  readonly summary: { readonly silence?: string | null; readonly archetype?: object | null };
  readonly values: readonly { readonly valueId: number; readonly ideal: { readonly score: number | null } }[];
}

/** What the cases read of the report model of a group. */
export interface TeamReportBody {
  readonly groupId: string;
  readonly closedAt: string;
  readonly language: string;
  readonly label: string;
  readonly introduction: string;
  readonly values: readonly { readonly valueId: number; readonly wanted?: number | null }[];
  readonly sections: readonly { readonly topic: string; readonly entries: readonly object[] }[];
}

export interface RenderedBody {
  readonly mediaType: string;
  readonly body: Buffer;
  readonly entityTag: string;
  readonly fileName: string;
  readonly language: string;
  readonly notModified: boolean;
}

/** Who calls; no token at all where it is undefined. */
export interface As {
  readonly token: string | undefined;
  /** The partner to act for. */
  readonly partnerId?: string;
  readonly idempotencyKey?: string;
  /** Another product than values-bridge. */
  readonly product?: string;
}

export interface EventsInput {
  readonly after?: string;
  readonly limit?: number;
  readonly wait?: number;
  readonly types?: readonly string[];
  readonly includeExternalId?: boolean;
}

export interface EventBody {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly sequence: string;
  readonly data: {
    /** Absent for what happened to a group. */
    readonly sessionId: string;
    readonly groupId?: string;
    readonly product: string;
    readonly assessmentVersion?: number;
    readonly mode?: string;
    readonly externalId?: string;
    readonly test?: boolean;
  };
}

export interface EventPageBody {
  readonly events: readonly EventBody[];
  readonly next: string;
  readonly atEnd: boolean;
}

export interface WebhookEndpointBody {
  readonly endpointId: string;
  readonly url: string;
  readonly description: string;
  readonly types: readonly string[];
  readonly includeExternalId: boolean;
  readonly status: string;
  readonly disabledReason: string | null;
  readonly state: string;
  readonly nextAttemptAt?: string | null;
  readonly backlog: number;
  readonly sequence: string;
  readonly failures: number;
  readonly replay?: { readonly after: string; readonly until: string } | null;
}

export interface ExportInput {
  readonly after?: string;
  readonly include?: "answers" | "results" | "both";
  readonly version?: number;
  readonly groupId?: string;
}

/** What is left out is absent, or as if there were none. */
export interface ExportedBody {
  readonly sessionId: string;
  readonly externalId: string;
  readonly mode: string;
  readonly status: string;
  readonly assessmentVersion: number;
  readonly createdAt: string;
  readonly completedAt: string | null;
  readonly shownLanguage: string | null;
  readonly firstLifeContext: string;
  readonly attempt: number | null;
  readonly grade: string | null;
  readonly secondsPerAnswer: number | null;
  readonly answersDeletedAt: string | null;
  readonly resultsDeletedAt: string | null;
  readonly groupId?: string;
  readonly answers?: readonly { readonly questionId: number; readonly value: number }[];
  readonly results?: ResultsBody | null;
}

export interface ExportBody {
  readonly sessions: readonly ExportedBody[];
  readonly nextCursor: string;
  readonly atEnd: boolean;
}

/** What the cases read of a session with all that is held of it. */
export interface HeldSessionBody {
  readonly sessionId: string;
  readonly status: string;
  readonly answers: readonly {
    readonly questionId: number;
    readonly statement: string;
    readonly value: number;
    readonly label: string;
  }[];
  readonly results: ResultsBody | null;
  readonly explanation: unknown;
  readonly quality: unknown;
  readonly [member: string]: unknown;
}

export interface SubjectExportBody {
  readonly subject: { readonly id: string; readonly externalId: string; readonly anonymous: boolean };
  readonly sessions: readonly HeldSessionBody[];
  readonly nextCursor: string;
  readonly atEnd: boolean;
}

export interface CodebookBody {
  readonly product: string;
  readonly version: number;
  readonly columns: readonly {
    readonly name: string;
    readonly label: string;
    readonly type: string;
    readonly minimum: number | null;
    readonly maximum: number | null;
    readonly values: readonly { readonly value: string; readonly label: string }[];
    readonly valuesBridgeConfig: ConfigBody | null;
    readonly statementNumber: number | null;
    readonly source: string;
  }[];
}

export interface AuditInput {
  readonly after?: string;
  readonly limit?: number;
  /** RFC 3339. */
  readonly from?: string;
  readonly until?: string;
  readonly sessionId?: string;
}

export interface AuditRecordBody {
  readonly at: string;
  readonly action: string;
  readonly outcome: string;
  readonly clientId: string | null;
  readonly sessionId: string | null;
  readonly targetId: string | null;
  readonly requestId: string;
  readonly writer: string;
  readonly sequence: string;
  readonly hash: string;
}

export interface AuditPageBody {
  readonly records: readonly AuditRecordBody[];
  readonly next: string | null;
}

export interface TestClockBody {
  readonly now: string;
  readonly aheadSeconds: number;
}

export type TransportName = "rest" | "grpc" | "connect";

export interface Transport {
  readonly name: TransportName;
  createSession(as: As, input: CreateInput): Promise<Outcome<CreatedBody> & { replayed?: boolean }>;
  getSession(as: As, sessionId: string, input?: { readonly includeProgress?: boolean }): Promise<Outcome<StatusBody>>;
  listSessions(as: As, input?: SessionListInput): Promise<Outcome<SessionPageBody>>;
  listSubjectSessions(
    as: As,
    externalId: string,
    input?: { readonly limit?: number; readonly after?: string },
  ): Promise<Outcome<SubjectSessionPageBody>>;
  recordAnswers(
    as: As,
    sessionId: string,
    answers: readonly AnswerInput[],
  ): Promise<Outcome<{ sessionId: string; recorded: number }>>;
  completeSession(
    as: As,
    sessionId: string,
    answers?: readonly AnswerInput[],
    input?: { readonly requireAnswered?: boolean },
  ): Promise<Outcome<{ sessionId: string; status: string; results: ResultsBody | null }>>;
  cancelSession(as: As, sessionId: string, input?: { readonly eraseAnswers?: boolean }): Promise<Outcome<StatusBody>>;
  createSessionLink(
    as: As,
    sessionId: string,
    input?: { readonly linkExpiresAt?: string },
  ): Promise<Outcome<{ readonly hostedUrl: string; readonly expiresAt: string }>>;
  reopenSession(as: As, sessionId: string, input?: { readonly expiresAt?: string }): Promise<Outcome<StatusBody>>;
  getSessionResults(as: As, sessionId: string, explain?: boolean): Promise<Outcome<SessionResultsBody>>;
  getLatestResults(
    as: As,
    externalId: string,
  ): Promise<
    Outcome<{
      subject: { externalId: string };
      sessionId: string;
      completedAt: string | null;
      results: ResultsBody | null;
    }>
  >;
  /** The results of a session with their quality. */
  getQuality(as: As, sessionId: string): Promise<Outcome<{ results: ResultsBody; quality: unknown }>>;
  /** The latest results of a person with their quality. */
  getLatestQuality(as: As, externalId: string): Promise<Outcome<{ sessionId: string; quality: unknown }>>;
  getChange(
    as: As,
    externalId: string,
    between?: { readonly from?: string; readonly to?: string },
  ): Promise<Outcome<ChangeBody>>;
  getNorms(as: As, of?: { readonly language?: string; readonly version?: number }): Promise<Outcome<NormsBody>>;
  /** The report model. */
  getReport(as: As, target: ReportTarget, input?: ReportInput): Promise<Outcome<ReportBody>>;
  renderReport(as: As, target: ReportTarget, input?: ReportInput): Promise<Outcome<RenderedBody>>;
  /** The report model of a group, whose id is a member. */
  getTeamReport(as: As, groupId: string, input?: ReportInput): Promise<Outcome<TeamReportBody>>;
  renderTeamReport(as: As, groupId: string, input?: ReportInput): Promise<Outcome<RenderedBody>>;
  createReportLink(
    as: As,
    sessionId: string,
    input?: {
      readonly expiresInSeconds?: number;
      readonly locale?: string;
      readonly name?: string;
      readonly date?: string;
      readonly timeZone?: string;
    },
  ): Promise<Outcome<{ reportUrl: string; expiresAt: string | null }>>;
  revokeReportLinks(as: As, sessionId: string): Promise<Outcome<unknown>>;
  eraseSubject(as: As, externalId: string): Promise<Outcome<unknown>>;
  getAssessment(as: As, version?: number): Promise<Outcome<AssessmentBody>>;
  listEvents(as: As, query: EventsInput): Promise<Outcome<EventPageBody>>;
  exportSessions(as: As, query: ExportInput): Promise<Outcome<ExportBody>>;
  exportSubject(as: As, externalId: string, query?: { readonly after?: string }): Promise<Outcome<SubjectExportBody>>;
  getCodebook(as: As, version?: number): Promise<Outcome<CodebookBody>>;
  listAuditRecords(as: As, query: AuditInput): Promise<Outcome<AuditPageBody>>;
  autofillSession(
    as: As,
    sessionId: string,
    persona: string,
  ): Promise<Outcome<{ sessionId: string; recorded: number }>>;
  getTestClock(as: As): Promise<Outcome<TestClockBody>>;
  /** @param now RFC 3339; without it the time of everybody */
  setTestClock(as: As, now?: string): Promise<Outcome<TestClockBody>>;
  /** A call of a webhook endpoint. */
  webhooks<T = WebhookEndpointBody>(as: As, call: WebhookCall, input?: WebhookInput): Promise<Outcome<T>>;
  /** A call of a group. */
  groups<T = GroupBody>(
    as: As,
    call: GroupCall,
    input?: GroupInput,
  ): Promise<Outcome<T> & { readonly replayed?: boolean }>;
  close(): void;
}
