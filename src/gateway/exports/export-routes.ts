// Routes of exports: NDJSON or CSV, written while it is read.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  type CodebookColumn,
  type ExportedSession,
  GetCodebookResponseSchema,
} from "../../gen/assessment/v1/export_service_pb.ts";
import { sessionsAPiece } from "../../kernel/calls/yield.ts";
import { toJson } from "../../kernel/json/message-json.ts";
import { operations } from "../openapi/operations.ts";
import { type CoreClient, present } from "../shared/client.ts";
import { productOf, subjectOf } from "../shared/path-params.ts";
import { textOf, versionOf, wordOf } from "../shared/query.ts";
import { addRoute, outsideBody } from "../shared/route.ts";
import { csvCodebook, csvHeader, csvRow } from "./csv.ts";
import { ExportedLines, type Included } from "./export-json.ts";
import type { ExportText } from "./export-stream.ts";
import { cursorOfRow, settledPages, withoutCursor } from "./first-rows.ts";
import { type Export, OpenExports, sendExport } from "./open-exports.ts";
import { subjectExportText } from "./subject-record-json.ts";

const ndjson = "application/x-ndjson";
const csv = "text/csv; charset=utf-8";
const codebookJson = toJson(GetCodebookResponseSchema);
const formats = ["ndjson", "csv"] as const;

/** Adds the routes of exports. */
export function addExportRoutes(app: FastifyInstance, client: CoreClient): void {
  const open = new OpenExports();
  const lines = new ExportedLines();
  addSubjectExportRoute(app, client, open);

  addRoute(
    app,
    operations.exportSessions,
    async (request, reply) => {
      const asked = await exportOf({ client, lines }, request, reply);
      return sendExport({ client, open }, request, reply, asked);
    },
    outsideBody,
  );

  addRoute(app, operations.getCodebook, async (request, reply) => {
    const { rpc } = operations.getCodebook;
    const format = (): string => formatOf(request, ["json", "csv"]) ?? "json";
    const read = () => {
      format();
      return { product: productOf(request), ...versionOf(request) };
    };
    const codebook = await client.call(rpc, request, reply, read);
    if (format() === "csv") return reply.type(csv).send(csvCodebook(codebook.columns));
    return codebookJson(codebook);
  });
}

async function exportOf(
  { client, lines }: { readonly client: CoreClient; readonly lines: ExportedLines },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Export<ExportedSession>> {
  const { rpc } = operations.exportSessions;
  const asked = () => {
    const include = wordOf(request, "include", ["answers", "results", "both"]) ?? "both";
    const included = { answers: include !== "results", results: include !== "answers" };
    const format = formatOf(request, formats) ?? "ndjson";
    const groupId = textOf(request, "groupId");
    return { product: productOf(request), included, format, groupId, ...versionOf(request) };
  };
  const read = (after?: string) =>
    client.call(rpc, request, reply, () => {
      const { product, included, format, version, groupId } = asked();
      const isCsv = format === "csv";
      // The columns of a CSV are those of one version.
      const ofVersion = version ?? (isCsv ? codebook?.version : undefined);
      const given = after ?? textOf(request, "after") ?? "";
      return {
        product,
        after: isCsv ? cursorOfRow(given) : given,
        withoutAnswers: !included.answers,
        withoutResults: !included.results,
        version: ofVersion,
        groupId,
      };
    });
  let codebook: { readonly version: number; readonly columns: readonly CodebookColumn[] } | undefined;
  if (prefersCsv(request)) {
    const readAsked = () => {
      const { product, version } = asked();
      return { product, version };
    };
    codebook = await client.call(operations.getCodebook.rpc, request, reply, readAsked);
  }
  const first = await read();
  const { included } = asked();
  if (codebook === undefined) {
    reply.type(ndjson);
    return { first, read, text: ndjsonOf(lines, included) };
  }
  const text = csvOf(codebook.columns, included);
  reply.type(csv);
  return { first: await withoutCursor(request, reply, first, read), read: settledPages(read), text };
}

function ndjsonOf(lines: ExportedLines, included: Included): ExportText<ExportedSession> {
  return {
    turn: sessionsAPiece,
    head: "",
    separator: "",
    row: (session) => `${lines.lineOf(session, included)}\n`,
    tail: (nextCursor, atEnd) => `${JSON.stringify({ nextCursor, atEnd })}\n`,
  };
}

/** A CSV has no line for a cursor: its head tells it, or else the id of its last session is one. */
function csvOf(all: readonly CodebookColumn[], { answers, results }: Included): ExportText<ExportedSession> {
  const columns = all.filter(
    ({ source }) => (answers || !source.startsWith("answers/")) && (results || !source.startsWith("results/")),
  );
  return {
    turn: sessionsAPiece,
    head: csvHeader(columns),
    separator: "",
    row: (session) => csvRow(columns, session),
    tail: () => "",
  };
}

/** Whether the request asks for CSV, by its parameter or else by its header. Whether it may is not known yet. */
function prefersCsv(request: FastifyRequest): boolean {
  const { format } = request.query as { format?: unknown };
  return format === "csv" || (format === undefined && acceptsCsv(request));
}

function acceptsCsv({ headers }: FastifyRequest): boolean {
  return /^text\/csv\b/.test(headers.accept ?? "");
}

function formatOf<T extends string>(request: FastifyRequest, words: readonly (T | "csv")[]): T | "csv" | undefined {
  const given = wordOf(request, "format", words);
  if (given !== undefined) return given;
  return acceptsCsv(request) ? "csv" : undefined;
}

/** Adds the route. @param open responses that are being written, those of other exports too */
export function addSubjectExportRoute(app: FastifyInstance, client: CoreClient, open: OpenExports): void {
  const { exportSubject } = operations;
  addRoute(
    app,
    exportSubject,
    async (request, reply) => {
      const read = (after?: string) =>
        client.call(exportSubject.rpc, request, reply, () => ({
          ...subjectOf(request),
          after: after ?? textOf(request, "after") ?? "",
        }));
      const first = await read();
      const text = subjectExportText(subjectOf(request).product, present(first.subject));
      reply.type("application/json; charset=utf-8");
      return sendExport({ client, open }, request, reply, { first, read, text });
    },
    outsideBody,
  );
}
