// The operations of exports.

import {
  ExportedSessionSchema,
  ExportService,
  GetCodebookResponseSchema,
} from "../../gen/assessment/v1/export_service_pb.ts";
import { oneOf, optional, string } from "../../kernel/json/json-schema.ts";
import { operation } from "../openapi/operation.ts";
import { groupId, versionNumber } from "../sessions/session-queries.ts";

const { method } = ExportService;
const version = optional(versionNumber("Of the assessment."));

const exportQuery = {
  after: optional(
    string({
      description:
        "The `nextCursor` of a response, or the last `session_id` of a CSV without one. The `sessionId` of a line: go on some minutes before it.",
    }),
  ),
  include: optional(
    oneOf(["answers", "results", "both"], { description: "What sessions hold; `both` unless it is asked otherwise." }),
  ),
  format: optional(oneOf(["ndjson", "csv"], { description: "Instead of the Accept header." })),
  version,
  groupId: optional(groupId),
};

const codebookQuery = {
  version,
  format: optional(oneOf(["json", "csv"], { description: "Instead of the Accept header." })),
};

const subjectExportQuery = {
  after: optional(
    string({
      description: "The `nextCursor` of a response; or the id of a session, to go on some minutes before it.",
    }),
  ),
};

const exports = "/v1/:product/exports";
const tag = "Exports";

export const exportOperations = {
  exportSessions: operation("GET", `${exports}/sessions`, method.exportSessions, {
    tag,
    summary: "Export sessions",
    description:
      "Line by line, in the order of creation. A response ends after 50,000 sessions or a minute; its last line is `{nextCursor, atEnd}`. A CSV has the sessions of one version and no such line: go on with the header `Next-Cursor`, or without one behind its last session, until `At-End` is `true`.",
    query: exportQuery,
    success: {
      status: 200,
      description: "A session a line.",
      headers: {
        "Next-Cursor":
          "Of a CSV that ends with its first page, has no row, or only some of the last minute: where to go on.",
        "At-End": "Beside `Next-Cursor`: `true` if nothing came after that cursor.",
      },
      media: { "application/x-ndjson": ExportedSessionSchema, "text/csv": undefined },
    },
  }),
  exportSubject: operation("GET", "/v1/:product/subjects/:externalId/export", method.exportSubject, {
    tag: "Subjects",
    summary: "Export all that is held of one of your users",
    description:
      "For a person who asks what you hold: sessions in every state, answers with the statements, results and how they came about, links, visits and views. One JSON, written while it is read: `atEnd` at its end says whether that is all.",
    query: subjectExportQuery,
    success: { status: 200, description: "All that is held.", schema: "SubjectExport" },
  }),
  getCodebook: operation("GET", `${exports}/codebook`, method.getCodebook, {
    tag,
    summary: "Read what the columns of a CSV mean",
    query: codebookQuery,
    success: { status: 200, description: "The columns.", schema: GetCodebookResponseSchema, otherMedia: ["text/csv"] },
  }),
} as const;
