// One client for each transport, all with the same calls and the same outcomes: what the contract says of one, it says
// of all. Requests and responses have the shape of the REST interface, and their types come from the protos.
import type { DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { getOperation, type Operation, operations } from "../../../src/gateway/rest/operations.ts";
import type { Report } from "../../../src/gen/assessment/v1/report_pb.ts";
import type { RenderReportResponse } from "../../../src/gen/assessment/v1/report_service_pb.ts";
import type { ValuesBridgeResults } from "../../../src/gen/assessment/v1/results_pb.ts";
import type { HostedSession } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import type { TeamReport } from "../../../src/gen/assessment/v1/team_report_pb.ts";
import type { ServicesByTag } from "../../../src/kernel/services.ts";
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
        ? // A list of its own is the list.
          [Exclude<keyof T, keyof Message>] extends ["values"]
          ? JsonOf<T["values" & keyof T]>
          : { readonly [K in Exclude<keyof T, keyof Message>]-?: Member<T[K]> }
        : T;

type Member<T> = undefined extends T
  ? JsonOf<NonNullable<T>> | (NonNullable<T> extends Message ? never : null)
  : JsonOf<T>;

type PartnerService = ServicesByTag[Exclude<keyof ServicesByTag, "Tokens" | "Partners" | "Hosted">];
/** Names of rpcs; those of reports are functions of their own. */
type RpcNames<Service> = Service extends PartnerService ? keyof Service["method"] : never;
export type Rpc = Exclude<RpcNames<PartnerService>, keyof ReportCalls>;
type Method<R, Service = PartnerService> = Service extends { readonly method: Readonly<Record<R & string, infer M>> }
  ? M
  : never;
type RequestOf<R extends Rpc> =
  Method<R> extends { readonly input: infer I extends DescMessage } ? MessageShape<I> : never;
type ResponseOf<R extends Rpc> =
  Method<R> extends { readonly output: infer O extends DescMessage } ? MessageShape<O> : never;

/** Any part of a value. */
type Part<T> = T extends readonly (infer Item)[]
  ? readonly Part<Item>[]
  : T extends object
    ? { readonly [K in keyof T]?: Part<T[K]> | undefined }
    : T;

/** Members of the path, the query and the body. */
export type InputOf<R extends Rpc> = Part<Omit<JsonOf<RequestOf<R>>, "metadata" | "pageSize" | "waitSeconds">> &
  QueryMembers;

/** Members that the messages have not, or more strictly. */
interface QueryMembers {
  readonly limit?: number | undefined;
  readonly wait?: number | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Which parts of sessions an export has. */
  readonly include?: "answers" | "results" | "both" | undefined;
}

/** The body of a response: its message, or the one message that this consists of. */
export type BodyOf<R extends Rpc> = R extends keyof OwnBodies ? OwnBodies[R] : Body<ResponseOf<R>>;
type Body<T> = JsonOf<OnlyMessage<T>> & (T extends { readonly externalId: string } ? WithSubject : unknown);
type OnlyMessage<T> = T[Exclude<keyof T, keyof Message | "replayed" | "unused">] extends infer M | undefined
  ? [M] extends [Message]
    ? [M] extends [Timestamp]
      ? T
      : M
    : T
  : never;

/** What the interface has in an object of its own. */
interface WithSubject {
  readonly subject: { readonly externalId: string };
}

/** Bodies whose members are those of one of several messages, or of no message. */
interface OwnBodies {
  readonly createSession: CreatedBody;
  readonly getSessionResults: SessionResultsBody;
}

export type AssessmentBody = BodyOf<"getPublishedAssessment">;
export type CreatedBody = Omit<JsonOf<ResponseOf<"createSession">>, "variant" | "replayed" | "unused"> & {
  readonly assessment?: AssessmentBody;
} & Partial<JsonOf<HostedSession>>;
export type ResultsBody = JsonOf<ValuesBridgeResults>;

/** What scoring gives, whether it explains the results beside it, and what a report tells of the archetype. */
export type ExplanationBody = ResultsExplanation;

export type SessionResultsBody = Omit<JsonOf<ResponseOf<"getSessionResults">>, "explanation"> & {
  readonly explanation?: ExplanationBody;
};
export type WebhookEndpointBody = BodyOf<"getWebhookEndpoint">;
export type EventBody = BodyOf<"listEvents">["events"][number];
export type AnswerInput = JsonOf<RequestOf<"recordAnswers">>["answers"][number];

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

/** What a request must name, because it is in the path. */
type TargetOf<Request> = {
  [Id in "sessionId" | "externalId" | "groupId" | "endpointId"]: Request extends Readonly<Record<Id, string>>
    ? Id
    : never;
}["sessionId" | "externalId" | "groupId" | "endpointId"];
type Arguments<R extends Rpc> = [TargetOf<RequestOf<R>>] extends [never]
  ? [input?: InputOf<R>]
  : [targetId: string, input?: InputOf<R>];

/** The calls of the interface by the ids of their operations, and those of reports. */
export type Transport = {
  readonly [R in Rpc]: (as: As, ...call: Arguments<R>) => Promise<Outcome<BodyOf<R>>>;
} & ReportCalls & {
    readonly name: TransportName;
    /** Calls an operation, whatever its input is. */
    call(as: As, id: string, input: Input): Promise<Outcome<unknown>>;
    close(): void;
  };

/** Calls of reports: their models, and their bytes. */
interface ReportCalls {
  getReport(as: As, target: ReportTarget, input?: ReportInput): Promise<Outcome<ReportBody>>;
  renderReport(as: As, target: ReportTarget, input?: ReportInput): Promise<Outcome<RenderedBody>>;
  getTeamReport(as: As, groupId: string, input?: ReportInput): Promise<Outcome<TeamReportBody>>;
  renderTeamReport(as: As, groupId: string, input?: ReportInput): Promise<Outcome<RenderedBody>>;
}

export function createTransport(wire: Wire): Transport {
  const call = (as: As, id: string, input: Input = {}) => {
    const members = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    return wire.call(as, getOperation(id), members);
  };
  const calls = operations.map(({ id, path }) => {
    const target = path.find(({ field }) => field.jsonName !== "product")?.field.jsonName;
    if (target === undefined) return [id, (as: As, input?: Input) => call(as, id, input)];
    return [id, (as: As, targetId: string, input?: Input) => call(as, id, { [target]: targetId, ...input })];
  });
  const reports = {
    getReport: (as: As, target: ReportTarget, input?: ReportInput) => wire.report(as, ...reportCall(target, input)),
    renderReport: (as: As, target: ReportTarget, input?: ReportInput) => wire.render(as, ...reportCall(target, input)),
    getTeamReport: (as: As, groupId: string, input?: ReportInput) =>
      wire.report(as, getOperation("getTeamReport"), { groupId, ...input }),
    renderTeamReport: (as: As, groupId: string, input?: ReportInput) =>
      wire.render(as, getOperation("getTeamReport"), { groupId, ...input }),
  };
  return { ...Object.fromEntries(calls), ...reports, name: wire.name, call, close: () => wire.close() } as Transport;
}

/** The operation of a report, and its input: the id alone of a target that may be a whole session. */
function reportCall(target: ReportTarget, input?: ReportInput): [Operation, Input] {
  if ("sessionId" in target) return [getOperation("getSessionReport"), { sessionId: target.sessionId, ...input }];
  return [getOperation("getSubjectReport"), { externalId: target.externalId, ...input }];
}
