// Operations with more than their protos: responses that depend on the mode, cached bytes, entity tags.
import { hash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { type AssessmentSchema, AssessmentSchemaSchema } from "../../gen/assessment/v1/assessment_pb.ts";
import {
  type CreateReportLinkResponse,
  CreateReportLinkResponseSchema,
  type RenderReportResponse,
} from "../../gen/assessment/v1/report_service_pb.ts";
import {
  type CreateSessionResponse,
  CreateSessionResponseSchema,
  type GetSessionResultsResponse,
  GetSessionResultsResponseSchema,
  HostedSessionSchema,
} from "../../gen/assessment/v1/session_service_pb.ts";
import { toJson } from "../../json/message-json.ts";
import { formatPointer, type Violation } from "../../kernel/errors/violation.ts";
import { jsonRepresentation, jsonType, sendRepresentation, sendWithEtag } from "../../transport/http/send.ts";
import { StaticFile } from "../../transport/http/static-files.ts";
import { codebookOverrides } from "../exports/export-routes.ts";
import { readReportRequest, sendRendered } from "../reports/rendered-report.ts";
import { type Overrides, requireMessage } from "./transcode.ts";

/** Longer pointers are cut off in the header. */
const maxPointerLength = 100;
/** The longest wait for events, plus the time limit of any call. */
const eventTimeoutMs = 30_000;

/** Versions in a language whose JSON is kept. */
const maxAssessments = 64;

const assessmentJson = toJson(AssessmentSchemaSchema);
const createdJson = toJson(CreateSessionResponseSchema);
const hostedJson = toJson(HostedSessionSchema);
const linkJson = toJson(CreateReportLinkResponseSchema);
const resultsJson = toJson(GetSessionResultsResponseSchema);

/** The same address for all formats: the request says which one. */
const report: Overrides = {
  fields: readReportRequest,
  respond: (response: RenderReportResponse, _: FastifyRequest, reply: FastifyReply) => sendRendered(reply, response),
};

/** By operation id. */
export function createOverrides(): Readonly<Record<string, Overrides>> {
  const toFile = cacheAssessments();
  return {
    createSession: {
      onUnused: (reply, unused) => {
        if (unused.length > 0) reply.header("warning-unused", unusedHeader(unused));
      },
      respond: (session: CreateSessionResponse, _: FastifyRequest, reply: FastifyReply) => {
        const { variant } = session;
        const head = createdJson(session);
        if (variant.case === "hosted") return { ...head, ...hostedJson(variant.value) };
        const { content } = toFile(requireMessage(variant.value?.assessment));
        const begin = Buffer.from(`${JSON.stringify(head).slice(0, -1)},"assessment":`);
        return sendRepresentation(reply, jsonRepresentation(Buffer.concat([begin, content, Buffer.from("}")])));
      },
    },
    getSessionResults: {
      respond: (results: GetSessionResultsResponse, _: FastifyRequest, reply: FastifyReply) => {
        const json = JSON.stringify(resultsJson(results));
        return sendWithEtag(reply, jsonRepresentation(json), hash("sha256", json, "base64url"));
      },
    },
    getPublishedAssessment: {
      respond: (assessment: AssessmentSchema, _: FastifyRequest, reply: FastifyReply) => {
        const file = toFile(assessment);
        reply.header("cache-control", "private, max-age=300");
        return sendWithEtag(reply, file, file.tag);
      },
    },
    createReportLink: {
      respond: (link: CreateReportLinkResponse, _: FastifyRequest, reply: FastifyReply) => {
        reply.header("cache-control", "no-store");
        return linkJson(link);
      },
    },
    listEvents: { timeoutMs: eventTimeoutMs },
    getCodebook: codebookOverrides,
    getSessionReport: report,
    getSubjectReport: report,
    getTeamReport: report,
  };
}

/** The JSON of assessments, made once: a version never changes. */
function cacheAssessments(): (assessment: AssessmentSchema) => StaticFile {
  const files = new LRUCache<string, StaticFile>({ max: maxAssessments });
  return (assessment) => {
    // A session that continues another one has fewer questions.
    const key = `${assessment.assessmentId} ${assessment.language} ${assessment.questions.length}`;
    const file = files.get(key) ?? new StaticFile(jsonType, JSON.stringify(assessmentJson(assessment)));
    files.set(key, file);
    return file;
  };
}

/** Pointers, encoded as ASCII without commas; long ones are cut off. */
function unusedHeader(paths: readonly Violation["path"][]): string {
  return paths.map((path) => formatPointer(path).slice(1, 1 + maxPointerLength)).join(", ");
}
