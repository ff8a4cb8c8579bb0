// Operations that their protos do not describe fully: responses that depend on the mode, cached bytes, entity tags.
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
import { createJsonWriter } from "../../json/messages.ts";
import { formatPointer, type Violation } from "../../kernel/errors/violation.ts";
import { createJsonRepresentation, jsonType, sendRepresentation, sendWithEtag } from "../../transport/http/send.ts";
import { StaticFile } from "../../transport/http/static-files.ts";
import { codebookOverrides } from "../exports/export-routes.ts";
import { readReportRequest, sendRendered } from "../reports/rendered-report.ts";
import { type Overrides, requireMessage } from "./transcode.ts";

/** Longer pointers are cut in the header. */
const maxPointerLength = 100;
/** The longest wait for events, plus the time limit of any call. */
const eventTimeoutMs = 30_000;

/** Most assessments whose JSON is cached. */
const maxAssessments = 64;

const writeAssessment = createJsonWriter(AssessmentSchemaSchema);
const writeCreatedSession = createJsonWriter(CreateSessionResponseSchema);
const writeHostedSession = createJsonWriter(HostedSessionSchema);
const writeLink = createJsonWriter(CreateReportLinkResponseSchema);
const writeResults = createJsonWriter(GetSessionResultsResponseSchema);

/** One address for all formats: the request chooses one. */
const reportOverrides: Overrides = {
  fields: readReportRequest,
  respond: (response: RenderReportResponse, _: FastifyRequest, reply: FastifyReply) => sendRendered(reply, response),
};

/** By operation id. */
export function createOverrides(): Readonly<Record<string, Overrides>> {
  const getAssessmentFile = cacheAssessments();
  return {
    createSession: {
      onUnused: (reply, unused) => {
        if (unused.length > 0) reply.header("warning-unused", formatUnused(unused));
      },
      respond: (session: CreateSessionResponse, _: FastifyRequest, reply: FastifyReply) => {
        const { variant } = session;
        const head = writeCreatedSession(session);
        if (variant.case === "hosted") return { ...head, ...writeHostedSession(variant.value) };
        const { content } = getAssessmentFile(requireMessage(variant.value?.assessment));
        const start = Buffer.from(`${JSON.stringify(head).slice(0, -1)},"assessment":`);
        return sendRepresentation(reply, createJsonRepresentation(Buffer.concat([start, content, Buffer.from("}")])));
      },
    },
    getSessionResults: {
      respond: (results: GetSessionResultsResponse, _: FastifyRequest, reply: FastifyReply) => {
        const json = JSON.stringify(writeResults(results));
        return sendWithEtag(reply, createJsonRepresentation(json), hash("sha256", json, "base64url"));
      },
    },
    getPublishedAssessment: {
      respond: (assessment: AssessmentSchema, _: FastifyRequest, reply: FastifyReply) => {
        const file = getAssessmentFile(assessment);
        reply.header("cache-control", "private, max-age=300");
        return sendWithEtag(reply, file, file.tag);
      },
    },
    createReportLink: {
      respond: (link: CreateReportLinkResponse, _: FastifyRequest, reply: FastifyReply) => {
        reply.header("cache-control", "no-store");
        return writeLink(link);
      },
    },
    listEvents: { timeoutMs: eventTimeoutMs },
    getCodebook: codebookOverrides,
    getSessionReport: reportOverrides,
    getSubjectReport: reportOverrides,
    getTeamReport: reportOverrides,
  };
}

/** Caches the JSON of assessments: a version never changes. */
function cacheAssessments(): (assessment: AssessmentSchema) => StaticFile {
  const files = new LRUCache<string, StaticFile>({ max: maxAssessments });
  return (assessment) => {
    // Sessions that continue another one have fewer questions.
    const key = `${assessment.assessmentId} ${assessment.language} ${assessment.questions.length}`;
    const file = files.get(key) ?? new StaticFile(jsonType, JSON.stringify(writeAssessment(assessment)));
    files.set(key, file);
    return file;
  };
}

/** Pointers in ASCII, without commas. */
function formatUnused(paths: readonly Violation["path"][]): string {
  return paths.map((path) => formatPointer(path).slice(1, 1 + maxPointerLength)).join(", ");
}
