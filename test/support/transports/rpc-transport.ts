// The gRPC and Connect transports as their clients call them, with outcomes in the shape of the REST interface.
import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { AssessmentService } from "../../../src/gen/assessment/v1/assessment_service_pb.ts";
import { AuditService } from "../../../src/gen/assessment/v1/audit_service_pb.ts";
import { ChangeSchema } from "../../../src/gen/assessment/v1/change_pb.ts";
import { EventService } from "../../../src/gen/assessment/v1/event_service_pb.ts";
import { ExportService } from "../../../src/gen/assessment/v1/export_service_pb.ts";
import { GroupService } from "../../../src/gen/assessment/v1/group_service_pb.ts";
import { GetNormsResponseSchema, NormService } from "../../../src/gen/assessment/v1/norm_service_pb.ts";
import { QualitySchema } from "../../../src/gen/assessment/v1/quality_pb.ts";
import { ReportService } from "../../../src/gen/assessment/v1/report_service_pb.ts";
import { SandboxService } from "../../../src/gen/assessment/v1/sandbox_service_pb.ts";
import { PersonAccess, SessionMode, SessionService } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { SubjectService } from "../../../src/gen/assessment/v1/subject_service_pb.ts";
import { WebhookService } from "../../../src/gen/assessment/v1/webhook_service_pb.ts";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "../../../src/gen/google/rpc/error_details_pb.ts";
import { toJson } from "../../../src/kernel/json/message-json.ts";
import { type GroupCall, type GroupInput, groupBody, groupMessage } from "../groups/group-calls.ts";
import { toExplanationBody } from "../values-bridge/explanation-body.ts";
import { type WebhookCall, type WebhookInput, webhookBody, webhookMessage } from "../webhooks/webhook-calls.ts";
import { GrpcClient } from "./grpc-client.ts";
import {
  toAnswerMessages,
  toAssessmentBody,
  toAuditRecordBody,
  toCodebookBody,
  toCreatedBody,
  toEventBody,
  toExpiry,
  toExportedBody,
  toIso,
  toResultsBody,
  toStatusBody,
  toTestClockBody,
} from "./rpc-bodies.ts";
import { toSubjectExportBody } from "./rpc-held-sessions.ts";
import { reportTarget, toRenderedBody, toReportBody, toReportForm, toTeamReportBody } from "./rpc-reports.ts";
import { toListMessage, toSubjectSessionBody, toSummaryBody } from "./rpc-session-lists.ts";
import type { As, NormsBody, Refusal, Success, Transport, TransportName } from "./transports.ts";

type Call = <M extends DescMethodUnary>(
  method: M,
  message: MessageInitShape<M["input"]>,
  metadata: Record<string, string>,
) => Promise<MessageShape<M["output"]>>;

/** A client of the gRPC transport. */
export function grpcTransport(address: string): Transport {
  const client = new GrpcClient(address);
  return transportOver(
    "grpc",
    (method, message, metadata) => client.unary(method, message, { metadata }),
    () => client.close(),
  );
}

/** A client of the Connect transport, in binary or JSON form. @param useHttpGet whether it reads by GET */
export function connectTransport(httpUrl: string, useBinaryFormat: boolean, useHttpGet = false): Transport {
  const options = { baseUrl: httpUrl, httpVersion: "1.1", useBinaryFormat, useHttpGet } as const;
  const wire = createConnectTransport(options);
  const call: Call = async (method, message, metadata) => {
    const response = await wire.unary(method, undefined, undefined, metadata, message);
    return response.message as MessageShape<(typeof method)["output"]>;
  };
  return transportOver("connect", call, () => undefined);
}

function transportOver(name: TransportName, call: Call, close: () => void): Transport {
  const send = async <M extends DescMethodUnary, T>(
    as: As,
    method: M,
    message: MessageInitShape<M["input"]>,
    toBody: (message: MessageShape<M["output"]>) => T,
  ): Promise<Success<T> | Refusal> => {
    const metadata: Record<string, string> = {};
    if (as.token !== undefined) metadata.authorization = `Bearer ${as.token}`;
    if (as.partnerId !== undefined) metadata["partner-id"] = as.partnerId;
    try {
      return { ok: true, body: toBody(await call(method, message, metadata)) };
    } catch (error) {
      return toRefusal(error);
    }
  };
  const productOf = (as: As) => as.product ?? "values-bridge";
  const address = (as: As, sessionId: string) => ({ product: productOf(as), sessionId });
  const sessions = SessionService.method;
  const subjects = SubjectService.method;
  return {
    name,
    async createSession(as, { mode, personAccess, expiresAt, linkExpiresAt, ...input }) {
      let replayed = false;
      const message = {
        ...input,
        product: productOf(as),
        ...toExpiry(expiresAt),
        ...(linkExpiresAt === undefined ? {} : { linkExpiresAt: timestampFromDate(new Date(linkExpiresAt)) }),
        ...(mode === undefined ? {} : { mode: mode === "hosted" ? SessionMode.HOSTED : SessionMode.HEADLESS }),
        ...(personAccess === undefined
          ? {}
          : { personAccess: personAccess === "none" ? PersonAccess.NONE : PersonAccess.AFTER_COMPLETION }),
        ...(as.idempotencyKey === undefined ? {} : { idempotencyKey: as.idempotencyKey }),
      } as MessageInitShape<typeof sessions.createSession.input>;
      const outcome = await send(as, sessions.createSession, message, (created) => {
        replayed = created.replayed;
        return toCreatedBody(created);
      });
      return { ...outcome, replayed };
    },
    getSession: (as, id, input = {}) =>
      send(as, sessions.getSession, { ...address(as, id), ...input }, ({ session }) => toStatusBody(session)),
    listSessions: async (as, input = {}) => {
      const message = { product: productOf(as), ...toListMessage(input) };
      return ofQuery(
        await send(as, sessions.listSessions, message, (page) => ({
          sessions: page.sessions.map(toSummaryBody),
          next: page.next || null,
        })),
      );
    },
    listSubjectSessions: async (as, externalId, { limit = 0, after = "" } = {}) => {
      const message = { product: productOf(as), externalId, pageSize: limit, after };
      return ofQuery(
        await send(as, subjects.listSubjectSessions, message, (page) => ({
          subject: { externalId: page.externalId },
          sessions: page.sessions.map(toSubjectSessionBody),
          next: page.next || null,
        })),
      );
    },
    recordAnswers: (as, id, answers) =>
      send(as, sessions.recordAnswers, { ...address(as, id), answers: toAnswerMessages(answers) }, (message) => ({
        sessionId: message.sessionId,
        recorded: message.recorded,
      })),
    completeSession: (as, id, answers = [], input = {}) => {
      const request = { ...address(as, id), answers: toAnswerMessages(answers), ...input };
      return send(as, sessions.completeSession, request, (message) => ({
        sessionId: message.sessionId,
        status: "completed",
        results: toResultsBody(message.results),
      }));
    },
    cancelSession: (as, id, input = {}) =>
      send(as, sessions.cancelSession, { ...address(as, id), ...input }, ({ session }) => toStatusBody(session)),
    createSessionLink: (as, id, { linkExpiresAt } = {}) => {
      const end = linkExpiresAt === undefined ? {} : { linkExpiresAt: timestampFromDate(new Date(linkExpiresAt)) };
      return send(as, sessions.createSessionLink, { ...address(as, id), ...end }, ({ hostedUrl, expiresAt }) => ({
        hostedUrl,
        expiresAt: toIso(expiresAt) ?? "",
      }));
    },
    reopenSession: (as, id, { expiresAt } = {}) => {
      const message = { ...address(as, id), ...toExpiry(expiresAt) };
      return send(as, sessions.reopenSession, message, ({ session }) => toStatusBody(session));
    },
    getSessionResults: (as, id, explain) => {
      const message = { ...address(as, id), ...(explain === undefined ? {} : { explain }) };
      return send(as, sessions.getSessionResults, message, ({ sessionId, results, explanation }) => {
        const body = toResultsBody(results);
        if (body === null) throw new Error("no results");
        const explained = explanation === undefined ? {} : { explanation: toExplanationBody(explanation) };
        return { sessionId, results: body, ...explained };
      });
    },
    getLatestResults: (as, externalId) =>
      send(as, subjects.getLatestResults, { product: productOf(as), externalId }, (message) => ({
        subject: { externalId: message.externalId },
        sessionId: message.sessionId,
        completedAt: toIso(message.completedAt),
        results: toResultsBody(message.results),
      })),
    getQuality: (as, id) =>
      send(as, sessions.getSessionResults, { ...address(as, id), quality: true }, ({ results, quality }) => {
        const body = toResultsBody(results);
        if (body === null || quality === undefined) throw new Error("no results or no quality");
        return { results: body, quality: toJson(QualitySchema)(quality) };
      }),
    getLatestQuality: (as, externalId) =>
      send(
        as,
        subjects.getLatestResults,
        { product: productOf(as), externalId, quality: true },
        ({ sessionId, quality }) => {
          if (quality === undefined) throw new Error("no quality");
          return { sessionId, quality: toJson(QualitySchema)(quality) };
        },
      ),
    getChange: (as, externalId, between = {}) =>
      send(as, subjects.getChange, { product: productOf(as), externalId, ...between }, ({ from, to, change }) => {
        if (from === undefined || to === undefined || change === undefined) throw new Error("a change lacks a member");
        return {
          subject: { externalId },
          from: { sessionId: from.sessionId },
          to: { sessionId: to.sessionId },
          change: toJson(ChangeSchema)(change),
        };
      }),
    getNorms: (as, of = {}) =>
      send(
        as,
        NormService.method.getNorms,
        { product: productOf(as), ...of },
        (message) => toJson(GetNormsResponseSchema)(message) as unknown as NormsBody,
      ),
    getReport: (as, target, input = {}) => {
      const { format: _, picture: __, paper: ___, knownEntityTags: ____, ...reader } = toReportForm(input);
      const message = { ...reportTarget(target), product: productOf(as), ...reader };
      return send(as, ReportService.method.getReport, message, ({ report }) => toReportBody(report));
    },
    renderReport: (as, target, input = {}) => {
      const message = { ...reportTarget(target), product: productOf(as), ...toReportForm(input) };
      return send(as, ReportService.method.renderReport, message, toRenderedBody);
    },
    getTeamReport: (as, groupId, { locale, languages = [] } = {}) => {
      const reader = { languages: [...languages], ...(locale === undefined ? {} : { locale }) };
      const message = { product: productOf(as), groupId, ...reader };
      return send(as, GroupService.method.getTeamReport, message, ({ report }) => toTeamReportBody(report));
    },
    renderTeamReport: (as, groupId, input = {}) => {
      const { picture: _, ...form } = toReportForm(input);
      const message = { product: productOf(as), groupId, ...form };
      return send(as, GroupService.method.renderTeamReport, message, toRenderedBody);
    },
    createReportLink: (as, id, input = {}) => {
      const message = { ...address(as, id), ...input };
      return send(as, ReportService.method.createReportLink, message, ({ reportUrl, expiresAt }) => ({
        reportUrl,
        expiresAt: toIso(expiresAt),
      }));
    },
    revokeReportLinks: (as, id) => send(as, ReportService.method.revokeReportLinks, address(as, id), () => undefined),
    eraseSubject: (as, externalId) =>
      send(as, subjects.eraseSubject, { product: productOf(as), externalId }, () => undefined),
    getAssessment: (as, version) => {
      const message = { product: productOf(as), ...(version === undefined ? {} : { version }) };
      return send(as, AssessmentService.method.getPublishedAssessment, message, ({ assessment }) =>
        toAssessmentBody(assessment),
      );
    },
    listEvents: async (as, { after = "", limit = 0, wait = 0, types = [], includeExternalId = false }) => {
      const message = { after, pageSize: limit, waitSeconds: wait, types: [...types], includeExternalId };
      const outcome = await send(as, EventService.method.listEvents, message, ({ events, next, atEnd }) => ({
        events: events.map(toEventBody),
        next,
        atEnd,
      }));
      return ofQuery(outcome);
    },
    exportSessions: async (as, { include = "both", ...query }) => {
      const product = as.product ?? "values-bridge";
      const without = { withoutAnswers: include === "results", withoutResults: include === "answers" };
      const outcome = await send(
        as,
        ExportService.method.exportSessions,
        { product, ...query, ...without },
        ({ sessions, nextCursor, atEnd }) => ({ sessions: sessions.map(toExportedBody), nextCursor, atEnd }),
      );
      return outcome.ok ? outcome : { ...outcome, faults: outcome.faults.map((fault) => ({ ...fault, pointer: "#" })) };
    },
    exportSubject: async (as, externalId, { after = "" } = {}) => {
      const message = { product: productOf(as), externalId, after };
      return ofQuery(await send(as, ExportService.method.exportSubject, message, toSubjectExportBody));
    },
    getCodebook: (as, version) => {
      const message = { product: as.product ?? "values-bridge", ...(version === undefined ? {} : { version }) };
      return send(as, ExportService.method.getCodebook, message, toCodebookBody);
    },
    listAuditRecords: async (as, { limit = 0, from, until, ...query }) => {
      const message = {
        ...query,
        pageSize: limit,
        ...(from === undefined ? {} : { from: timestampFromDate(new Date(from)) }),
        ...(until === undefined ? {} : { until: timestampFromDate(new Date(until)) }),
      };
      const outcome = await send(as, AuditService.method.listAuditRecords, message, ({ records, next }) => ({
        records: records.map(toAuditRecordBody),
        next: next || null,
      }));
      return outcome.ok ? outcome : { ...outcome, faults: outcome.faults.map((fault) => ({ ...fault, pointer: "#" })) };
    },
    autofillSession: (as, id, persona) =>
      send(as, SandboxService.method.autofillSession, { ...address(as, id), persona }, ({ sessionId, recorded }) => ({
        sessionId,
        recorded,
      })),
    getTestClock: (as) => send(as, SandboxService.method.getTestClock, {}, ({ clock }) => toTestClockBody(clock)),
    setTestClock: (as, now) => {
      const message = now === undefined ? {} : { now: timestampFromDate(new Date(now)) };
      return send(as, SandboxService.method.setTestClock, message, ({ clock }) => toTestClockBody(clock));
    },
    webhooks: <T>(as: As, name: WebhookCall, input: WebhookInput = {}) => {
      const method = WebhookService.method[name] as DescMethodUnary;
      const message = webhookMessage(name, input) as MessageInitShape<typeof method.input>;
      return send(as, method, message, (response) => webhookBody(name, response) as T);
    },
    groups: async <T>(as: As, name: GroupCall, input: GroupInput = {}) => {
      const method = GroupService.method[name] as DescMethodUnary;
      let replayed = false;
      const outcome = await send(
        as,
        method,
        groupMessage(name, productOf(as), input, as.idempotencyKey),
        (response) => {
          replayed = (response as { readonly replayed?: boolean }).replayed ?? false;
          return groupBody(name, response) as T;
        },
      );
      return name === "listGroups" ? ofQuery(outcome) : { ...outcome, replayed };
    },
    close,
  };
}

/** What REST asks for in the query has no place in a body. */
function ofQuery<T>(outcome: Success<T> | Refusal): Success<T> | Refusal {
  return outcome.ok ? outcome : { ...outcome, faults: outcome.faults.map((fault) => ({ ...fault, pointer: "#" })) };
}

function toRefusal(error: unknown): Refusal {
  if (!(error instanceof ConnectError)) throw error;
  const info = error.findDetails(ErrorInfoSchema)[0];
  const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  const violations = error.findDetails(BadRequestSchema)[0]?.fieldViolations ?? [];
  return {
    ok: false,
    code: info?.reason.toLowerCase() ?? `grpc ${Code[error.code]}`,
    detail: error.rawMessage,
    faults: violations.map(({ field, reason }) => ({ pointer: toPointer(field), code: reason.toLowerCase() })),
    retryAfterSeconds: delay === undefined ? undefined : Number(delay.seconds),
    facts: { ...info?.metadata },
  };
}

/** `answers[0].question_id` is what REST calls `#/answers/0/questionId`. */
function toPointer(field: string): string {
  if (["idempotency_key", "version", "picture", "paper", ""].includes(field)) return "#";
  const camel = field.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return `#/${camel.replaceAll("[", "/").replaceAll("]", "").replaceAll(".", "/")}`;
}
