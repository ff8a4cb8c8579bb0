// The JSON of messages by their descriptors is the JSON that was written by hand before, to the byte.
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { toAuditRecord } from "../../../src/gateway/audit/audit-json.ts";
import { toEvent } from "../../../src/gateway/events/event-json.ts";
import { toExported } from "../../../src/gateway/exports/export-json.ts";
import { toHeldSession } from "../../../src/gateway/exports/subject-record-json.ts";
import { toNorms, toPersonChange } from "../../../src/gateway/norms/norm-json.ts";
import { toAssessment, toDateTime, toStatus } from "../../../src/gateway/sessions/session-json.ts";
import { toSubjectSession, toSummary } from "../../../src/gateway/sessions/session-list-json.ts";
import { toAttempt, toEndpoint, toParked, toTestResult } from "../../../src/gateway/webhooks/webhook-json.ts";
import { AssessmentSchemaSchema } from "../../../src/gen/assessment/v1/assessment_pb.ts";
import { AuditRecordSchema } from "../../../src/gen/assessment/v1/audit_service_pb.ts";
import { EventSchema } from "../../../src/gen/assessment/v1/event_service_pb.ts";
import { ExplanationSchema } from "../../../src/gen/assessment/v1/explanation_pb.ts";
import { ExportedSessionSchema } from "../../../src/gen/assessment/v1/export_service_pb.ts";
import { HeldSessionSchema } from "../../../src/gen/assessment/v1/held_session_pb.ts";
import { GetNormsResponseSchema } from "../../../src/gen/assessment/v1/norm_service_pb.ts";
import { QualitySchema } from "../../../src/gen/assessment/v1/quality_pb.ts";
import { ReportSchema } from "../../../src/gen/assessment/v1/report_pb.ts";
import { CreateReportLinkResponseSchema } from "../../../src/gen/assessment/v1/report_service_pb.ts";
import { ValuesBridgeResultsSchema } from "../../../src/gen/assessment/v1/results_pb.ts";
import {
  CompleteSessionResponseSchema,
  GetSessionResultsResponseSchema,
  SessionSchema,
  SessionSummarySchema,
} from "../../../src/gen/assessment/v1/session_service_pb.ts";
import {
  GetChangeResponseSchema,
  GetLatestResultsResponseSchema,
  ListSubjectSessionsResponseSchema,
  SubjectSessionSchema,
} from "../../../src/gen/assessment/v1/subject_service_pb.ts";
import {
  ListWebhookAttemptsResponseSchema,
  ParkedEventSchema,
  TestWebhookEndpointResponseSchema,
  WebhookAttemptSchema,
  WebhookEndpointSchema,
} from "../../../src/gen/assessment/v1/webhook_service_pb.ts";
import { toJson } from "../../../src/kernel/json/message-json.ts";
import { toQuality } from "../../../src/products/values-bridge/json/quality.ts";
import { toResults } from "../../../src/products/values-bridge/json/results.ts";
import { messageToJson } from "../../../src/transport/http/bodies/message-json.ts";
import { anyMessage } from "../../support/any-message.ts";

function same<M extends DescMessage>(message: M, old: (value: MessageShape<M>) => unknown) {
  test(`${message.name}`, () => {
    const json = toJson(message);
    fc.assert(
      fc.property(anyMessage(message), (value) => {
        expect(JSON.stringify(json(value))).toBe(JSON.stringify(old(value)));
      }),
    );
  });
}
same(SessionSchema, toStatus);
same(SessionSummarySchema, toSummary);
same(SubjectSessionSchema, toSubjectSession);
same(AssessmentSchemaSchema, toAssessment);
same(ValuesBridgeResultsSchema, toResults);
same(QualitySchema, toQuality);
same(ExplanationSchema, (value) => messageToJson(ExplanationSchema, value));
same(ReportSchema, (value) => messageToJson(ReportSchema, value));
same(GetNormsResponseSchema, toNorms);
same(GetChangeResponseSchema, toPersonChange);
same(AuditRecordSchema, toAuditRecord);
same(HeldSessionSchema, toHeldSession);
same(WebhookEndpointSchema, toEndpoint);
same(WebhookAttemptSchema, toAttempt);
same(ParkedEventSchema, toParked);
same(TestWebhookEndpointResponseSchema, toTestResult);
same(EventSchema, toEvent);
same(ExportedSessionSchema, (value) => toExported(value, { answers: value.answers.length > 0, results: true }));
same(CompleteSessionResponseSchema, (value) => ({
  sessionId: value.sessionId,
  status: messageToJson(CompleteSessionResponseSchema, value).status,
  results: toResults(value.results),
}));
same(GetSessionResultsResponseSchema, ({ sessionId, results, explanation, quality }) => ({
  sessionId,
  results: toResults(results),
  ...(explanation === undefined ? {} : { explanation: messageToJson(ExplanationSchema, explanation) }),
  ...(quality === undefined ? {} : { quality: toQuality(quality) }),
}));
same(GetLatestResultsResponseSchema, ({ externalId, sessionId, completedAt, results, quality }) => ({
  subject: { externalId },
  sessionId,
  completedAt: toDateTime(completedAt),
  results: toResults(results),
  ...(quality === undefined ? {} : { quality: toQuality(quality) }),
}));
same(ListSubjectSessionsResponseSchema, ({ externalId, sessions, next }) => ({
  subject: { externalId },
  sessions: sessions.map(toSubjectSession),
  next: next || null,
}));
same(ListWebhookAttemptsResponseSchema, ({ attempts, next }) => ({
  attempts: attempts.map(toAttempt),
  next: next || null,
}));
same(CreateReportLinkResponseSchema, ({ reportUrl, expiresAt }) => ({ reportUrl, expiresAt: toDateTime(expiresAt) }));
