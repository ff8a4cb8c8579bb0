// Routes of exports: NDJSON or CSV, written while it is read.
import type { DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  type CodebookColumn,
  type ExportedSession,
  ExportService,
  type GetCodebookResponse,
  GetCodebookResponseSchema,
} from "../../gen/assessment/v1/export_service_pb.ts";
import { createJsonWriter } from "../../json/messages.ts";
import type { Core } from "../../kernel/calls/core.ts";
import { jsonType } from "../../transport/http/send.ts";
import { getOperation } from "../rest/operations.ts";
import { createRequestReader, type MessageFields, readWord } from "../rest/read-request.ts";
import { callCore, type Overrides, type RestContext, type RestHandler, requireMessage } from "../rest/transcode.ts";
import { formatCsvCodebook, formatCsvHeader, formatCsvRow } from "./csv.ts";
import { createSubjectExportText, type ExportContent, toSessionJson } from "./export-json.ts";
import { ExportResponses, type ExportText, maxCsvExportMs, maxExportMs } from "./export-stream.ts";

const ndjson = "application/x-ndjson";
const csv = "text/csv; charset=utf-8";
const writeCodebook = createJsonWriter(GetCodebookResponseSchema);
const { exportSessions, exportSubject, getCodebook } = ExportService.method;

/** The handlers of exports, by operation id. */
export function createExportHandlers({ core, bodies }: RestContext): Readonly<Record<string, RestHandler>> {
  const responses = new ExportResponses();
  const readSessionsRequest = createRequestReader(bodies, getOperation("exportSessions"), { fields: readContent });
  const readSubjectRequest = createRequestReader(bodies, getOperation("exportSubject"), {});
  return {
    exportSessions: async (request, reply) => {
      const call = createCall(core, readSessionsRequest, request, reply);
      // The columns of a CSV belong to one form of one version.
      const codebook = prefersCsv(request) ? await call(getCodebook, {}) : undefined;
      const form = codebook && { version: codebook.version, form: codebook.form };
      const read = (next: MessageFields) => call(exportSessions, { ...form, ...next });
      const first = await read({});
      const content = readContent(request);
      const text = codebook ? createCsv(codebook.columns, content) : createNdjson(content);
      reply.type(codebook ? csv : ndjson);
      return responses.send(request, reply, text, first, read);
    },
    exportSubject: async (request, reply) => {
      const call = createCall(core, readSubjectRequest, request, reply);
      const first = await call(exportSubject, {});
      const { product } = request.params as { readonly product: string };
      const text = createSubjectExportText(product, requireMessage(first.subject));
      reply.type(jsonType);
      return responses.send(request, reply, text, first, (next) => call(exportSubject, next));
    },
  };
}

/** Makes the function that calls an rpc with the message of a request, and other fields. */
function createCall(
  core: Core,
  read: ReturnType<typeof createRequestReader>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  return <M extends DescMethodUnary>(rpc: M, others: MessageFields) =>
    callCore(core, rpc, request, reply, async (limits) => {
      const message = { ...(await read(request, reply, limits)), ...others };
      return message as MessageInitShape<M["input"]>;
    });
}

/** The codebook, as JSON or CSV. */
export const codebookOverrides: Overrides = {
  fields: (request) => {
    readWord(request, "format", ["json", "csv"]);
    return {};
  },
  respond: (codebook: GetCodebookResponse, request: FastifyRequest, reply: FastifyReply) =>
    prefersCsv(request) ? reply.type(csv).send(formatCsvCodebook(codebook.columns)) : writeCodebook(codebook),
};

/** The parts that an export is asked for. Throws `invalid_request`. */
function readContent(request: FastifyRequest): ExportContent {
  readWord(request, "format", ["ndjson", "csv"]);
  const include = readWord(request, "include", ["answers", "results", "both"]);
  return { withoutAnswers: include === "results", withoutResults: include === "answers" };
}

function createNdjson(content: ExportContent): ExportText<ExportedSession> {
  return {
    head: "",
    separator: "",
    row: (session) => `${JSON.stringify(toSessionJson(session, content))}\n`,
    tail: (nextCursor, atEnd) => `${JSON.stringify({ nextCursor, atEnd })}\n`,
    maxMs: maxExportMs,
  };
}

/** A CSV has no line for a cursor, so one response has all sessions, however many. */
function createCsv(
  codebookColumns: readonly CodebookColumn[],
  { withoutAnswers, withoutResults }: ExportContent,
): ExportText<ExportedSession> {
  const columns = codebookColumns.filter(
    ({ source }) =>
      !(withoutAnswers && source.startsWith("answers/")) && !(withoutResults && source.startsWith("results/")),
  );
  return {
    head: formatCsvHeader(columns),
    separator: "",
    row: (session) => formatCsvRow(columns, session),
    tail: undefined,
    maxMs: maxCsvExportMs,
  };
}

/** Whether the request asks for CSV, by its parameter or else by its header. Authorization comes later. */
function prefersCsv(request: FastifyRequest): boolean {
  const { format } = request.query as { format?: unknown };
  return format === "csv" || (format === undefined && /^text\/csv\b/.test(request.headers.accept ?? ""));
}
