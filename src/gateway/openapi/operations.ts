// The operations of the REST interface: method, path, rpc, and what the OpenAPI document says of each.

import { AssessmentSchemaSchema } from "../../gen/assessment/v1/assessment_pb.ts";
import { AssessmentService } from "../../gen/assessment/v1/assessment_service_pb.ts";
import { EventService, ListEventsResponseSchema } from "../../gen/assessment/v1/event_service_pb.ts";
import { GetNormsResponseSchema, NormService } from "../../gen/assessment/v1/norm_service_pb.ts";
import { integer, oneOf, optional, string } from "../../kernel/json/json-schema.ts";
import { maxEventPageSize, maxEventWaitSeconds } from "../../kernel/requests/event-query.ts";
import { auditOperations } from "../audit/audit-operations.ts";
import { exportOperations } from "../exports/export-operations.ts";
import { groupOperations } from "../groups/group-operations.ts";
import { reportOperations } from "../reports/report-operations.ts";
import { sandboxOperations } from "../sandbox/sandbox-operations.ts";
import { sessionOperations } from "../sessions/session-operations.ts";
import { versionNumber } from "../sessions/session-queries.ts";
import { subjectOperations } from "../subjects/subject-operations.ts";
import { webhookOperations } from "../webhooks/webhook-operations.ts";
import { conditional, operation } from "./operation.ts";

const eventQuery = {
  after: optional(
    string({
      description:
        "The `next` of the response before. Without it: from the oldest event that is kept. `now`: only what happens from now on.",
      examples: ["1042"],
    }),
  ),
  limit: optional(
    integer({ minimum: 1, maximum: maxEventPageSize, default: 100, description: "Most events in the response." }),
  ),
  wait: optional(
    integer({
      minimum: 0,
      maximum: maxEventWaitSeconds,
      default: 0,
      description: "Seconds to wait for an event if there is none.",
    }),
  ),
  types: optional(
    string({
      description: "Types of events, separated by commas; all by default.",
      examples: ["session.completed"],
    }),
  ),
  include: optional(
    oneOf(["externalId"], { description: "Names the person of each session; needs `sessions:read` as well." }),
  ),
};

export const operations = {
  ...webhookOperations,
  ...auditOperations,
  ...exportOperations,
  ...sandboxOperations,
  ...sessionOperations,
  ...subjectOperations,
  ...groupOperations,
  ...reportOperations,
  getNorms: operation("GET", "/v1/:product/norms", NormService.method.getNorms, {
    tag: "Norms",
    summary: "Get norms",
    description:
      "How many people answer: the partner's own, exactly, for callers with `results:read` as well; and those of all partners that take part, released each quarter with noise that protects each person. What is withheld is null, with its reason.",
    query: {
      language: optional(
        string({
          description: "BCP 47 tag of the statements; without it `und`, sessions of which it is not known.",
        }),
      ),
      version: optional(versionNumber("A version; without it the published one.")),
    },
    success: { status: 200, description: "What there is.", schema: GetNormsResponseSchema },
    reasons: ["invalid_request"],
  }),
  getAssessment: operation("GET", "/v1/:product/assessment", AssessmentService.method.getPublishedAssessment, {
    tag: "Assessments",
    summary: "Get published assessment schema",
    query: {
      version: optional(versionNumber("A version; without it the published one.")),
    },
    success: { status: 200, description: "The version.", schema: AssessmentSchemaSchema, headers: conditional },
    isTagged: true,
  }),
  listEvents: operation("GET", "/v1/events", EventService.method.listEvents, {
    tag: "Events",
    summary: "Read what happened",
    description:
      "A feed without gaps: keep `next`, and ask again from there. At most 8 requests of a client wait at a time.",
    query: eventQuery,
    success: { status: 200, description: "Events after the cursor, oldest first.", schema: ListEventsResponseSchema },
    reasons: ["invalid_request", "events_expired"],
  }),
} as const;
