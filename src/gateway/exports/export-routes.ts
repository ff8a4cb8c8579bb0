// Routes of exports: NDJSON or CSV, written while it is read.
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  type CodebookColumn,
  type ExportedSession,
  ExportService,
  type GetCodebookRequest,
  GetCodebookResponseSchema,
} from "../../gen/assessment/v1/export_service_pb.ts";
import { toJson } from "../../json/message-json.ts";
import type { Core } from "../../kernel/calls/core.ts";
import { refuseIfAny } from "../../kernel/errors/refusal.ts";
import { once } from "../../kernel/once.ts";
import { jsonType } from "../../transport/http/send.ts";
import { findOperation, type Operation } from "../rest/operations.ts";
import { readParameter, readPath, readText, readWord, unknownParameters } from "../rest/read-request.ts";
import { callCore, requireMessage, type Serve } from "../rest/transcode.ts";
import { csvCodebook, csvHeader, csvRow } from "./csv.ts";
import { type ExportContent, sessionJson, subjectExportText } from "./export-json.ts";
import { type Export, type ExportText, OpenExports, sendExport } from "./export-stream.ts";

const ndjson = "application/x-ndjson";
const csv = "text/csv; charset=utf-8";
const codebookJson = toJson(GetCodebookResponseSchema);

const exportOperation = findOperation("exportSessions");
const codebookOperation = findOperation("getCodebook");
const subjectOperation = findOperation("exportSubject");

/** The handlers of exports, by operation id. */
export function createExportHandlers(core: Core): Readonly<Record<string, Serve>> {
  const open = new OpenExports();
  return {
    exportSessions: async (request, reply) => sendExport(open, request, reply, await openExport(core, request, reply)),
    getCodebook: async (request, reply) => {
      const codebook = await callCore(core, ExportService.method.getCodebook, request, reply, () => {
        readWord(request, "format", ["json", "csv"]);
        return readAddress(request, codebookOperation);
      });
      return prefersCsv(request) ? reply.type(csv).send(csvCodebook(codebook.columns)) : codebookJson(codebook);
    },
    exportSubject: async (request, reply) => {
      const read = (after?: string) =>
        callCore(core, ExportService.method.exportSubject, request, reply, () => {
          refuseIfAny(unknownParameters(request, subjectOperation));
          return { ...readPath(request, subjectOperation), after: after ?? readText(request, "after") ?? "" };
        });
      const first = await read();
      const { product = "" } = readPath(request, subjectOperation);
      const text = subjectExportText(product, requireMessage(first.subject));
      reply.type(jsonType);
      return sendExport(open, request, reply, { first, read, text });
    },
  };
}

type Address = Pick<GetCodebookRequest, "product"> & Partial<Pick<GetCodebookRequest, "version" | "form" | "groupId">>;

/** The product in the path, and the requested version, form and group. Throws `invalid_request` for an unknown parameter. */
function readAddress(request: FastifyRequest, operation: Operation): Address {
  refuseIfAny(unknownParameters(request, operation));
  const fields = operation.query.flatMap((parameter) => {
    const { localName } = parameter.field;
    const value = ["version", "form", "groupId"].includes(localName) ? readParameter(request, parameter) : undefined;
    return value === undefined ? [] : [[localName, value]];
  });
  const { product = "" } = readPath(request, operation);
  return { product, ...Object.fromEntries(fields) };
}

/** What an export is asked for. Throws `invalid_request`. */
function readQuery(request: FastifyRequest) {
  const include = readWord(request, "include", ["answers", "results", "both"]) ?? "both";
  readWord(request, "format", ["ndjson", "csv"]);
  return {
    address: readAddress(request, exportOperation),
    after: readText(request, "after") ?? "",
    content: { answers: include !== "results", results: include !== "answers" },
  };
}

async function openExport(core: Core, request: FastifyRequest, reply: FastifyReply): Promise<Export<ExportedSession>> {
  const { exportSessions, getCodebook } = ExportService.method;
  // Read within a call, which is authorized first.
  const query = once(() => readQuery(request));
  // The columns of a CSV belong to one form of one version.
  const codebook = prefersCsv(request)
    ? await callCore(core, getCodebook, request, reply, () => query().address)
    : undefined;
  const read = (after?: string) =>
    callCore(core, exportSessions, request, reply, () => {
      const { address, content, after: begin } = query();
      return {
        ...address,
        ...(codebook && { version: codebook.version, form: codebook.form }),
        after: after ?? begin,
        withoutAnswers: !content.answers,
        withoutResults: !content.results,
      };
    });
  const first = await read();
  reply.type(codebook ? csv : ndjson);
  return { first, read, text: codebook ? createCsv(codebook.columns, query().content) : createNdjson(query().content) };
}

function createNdjson(content: ExportContent): ExportText<ExportedSession> {
  return {
    head: "",
    separator: "",
    row: (session) => `${JSON.stringify(sessionJson(session, content))}\n`,
    tail: (nextCursor, atEnd) => `${JSON.stringify({ nextCursor, atEnd })}\n`,
  };
}

/** A CSV has no line for a cursor, so one response has all sessions, however many. */
function createCsv(all: readonly CodebookColumn[], { answers, results }: ExportContent): ExportText<ExportedSession> {
  const columns = all.filter(
    ({ source }) => (answers || !source.startsWith("answers/")) && (results || !source.startsWith("results/")),
  );
  return {
    head: csvHeader(columns),
    separator: "",
    row: (session) => csvRow(columns, session),
    tail: undefined,
  };
}

/** Whether the request asks for CSV, by its parameter or else by its header. Authorization comes later. */
function prefersCsv(request: FastifyRequest): boolean {
  const { format } = request.query as { format?: unknown };
  return format === "csv" || (format === undefined && /^text\/csv\b/.test(request.headers.accept ?? ""));
}
